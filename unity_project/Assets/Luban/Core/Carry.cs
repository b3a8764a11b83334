using System.Collections.Generic;

namespace Luban.Core
{
    /// <summary>
    /// Takes some bodies up together, as one, brings them along a way and puts them down, the whole way
    /// or not at all. Other bodies and the table stand in the way.
    /// </summary>
    public sealed class Carry : BodyMotion
    {
        public Carry(IEnumerable<string> bodies, IEnumerable<Leg> way, bool loose)
        {
            Bodies = new HashSet<string>(bodies);
            Way = new List<Leg>(way);
            Loose = loose;
        }

        /// <summary>Names of the bodies; their order means nothing.</summary>
        public ISet<string> Bodies { get; }

        public IReadOnlyList<Leg> Way { get; }

        /// <summary>Whether they are let go at its end; else they are held.</summary>
        public bool Loose { get; }
    }
}
