using System;

namespace Luban.Core
{
    /// <summary>A world refuses what it is asked; nothing has changed.</summary>
    public sealed class LatticeException : Exception
    {
        public LatticeException(LatticeError error, string message)
            : base(message)
        {
            Error = error;
        }

        public LatticeError Error { get; }

        public static LatticeException Invalid(string message) =>
            new LatticeException(LatticeError.Invalid, message);

        public static LatticeException UnknownBody(string name) =>
            new LatticeException(LatticeError.UnknownBody, "the scene has no body called " + name);

        public static LatticeException NoScene() =>
            new LatticeException(LatticeError.NoScene, "there is no scene yet: reset first");
    }
}
