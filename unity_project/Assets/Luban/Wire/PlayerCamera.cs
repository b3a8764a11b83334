using System.Collections.Generic;
using Luban.Core;

namespace Luban.Wire
{
    /// <summary>A camera.</summary>
    public sealed class PlayerCamera
    {
        /// <summary>Numbers in its matrix.</summary>
        public const int MatrixLength = 16;

        /// <exception cref="LatticeException">There are not 16 numbers (<c>Invalid</c>).</exception>
        public PlayerCamera(string name, IReadOnlyList<double> clipFromWorld)
        {
            if (clipFromWorld.Count != MatrixLength)
            {
                throw LatticeException.Invalid(
                    "a camera has " + MatrixLength + " numbers, not " + clipFromWorld.Count);
            }
            Name = name;
            ClipFromWorld = clipFromWorld;
        }

        public string Name { get; }

        /// <summary>From world to clip coordinates, row by row, as in OpenGL (z from -1 to 1).</summary>
        public IReadOnlyList<double> ClipFromWorld { get; }
    }
}
