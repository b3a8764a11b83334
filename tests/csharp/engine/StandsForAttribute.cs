using System;

namespace Luban.Engine
{
    /// <summary>
    /// The public static methods of a class stand for methods of a type of the engine: native ones, or those that do
    /// with memory what Mono can't. An instance comes first, a structure by reference.
    /// </summary>
    [AttributeUsage(AttributeTargets.Class)]
    internal sealed class StandsForAttribute : Attribute
    {
        /// <param name="type">The full name of the engine's type.</param>
        public StandsForAttribute(string type)
        {
            Type = type;
        }

        /// <summary>The full name of the engine's type.</summary>
        public string Type { get; }
    }
}
