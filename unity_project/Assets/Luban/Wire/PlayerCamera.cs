using System.Collections.Generic;
using Luban.Core;

namespace Luban.Wire
{
    /// <summary>A camera: a pinhole, or with parallel rays.</summary>
    public sealed class PlayerCamera
    {
        /// <summary>Numbers in its matrix.</summary>
        public const int MatrixLength = 16;

        /// <summary>Numbers that tell the distance of a point.</summary>
        public const int DistanceLength = 4;

        private static readonly double[] Unset = new double[0];

        /// <exception cref="LatticeException">
        /// There are not 16 numbers, or not 4 or none (<c>Invalid</c>).
        /// </exception>
        public PlayerCamera(
            string name,
            IReadOnlyList<double> clipFromWorld,
            IReadOnlyList<double> distanceFromWorld = null,
            bool unshaded = false)
        {
            if (clipFromWorld.Count != MatrixLength)
            {
                throw LatticeException.Invalid(
                    "a camera has " + MatrixLength + " numbers, not " + clipFromWorld.Count);
            }
            Name = name;
            ClipFromWorld = clipFromWorld;
            DistanceFromWorld = distanceFromWorld ?? Unset;
            Unshaded = unshaded;
            if (DistanceFromWorld.Count != 0 && DistanceFromWorld.Count != DistanceLength)
            {
                throw LatticeException.Invalid(
                    "a camera tells distances by " + DistanceLength + " numbers, not " + DistanceFromWorld.Count);
            }
        }

        public string Name { get; }

        /// <summary>From world to clip coordinates, row by row, as in OpenGL (z from -1 to 1).</summary>
        public IReadOnlyList<double> ClipFromWorld { get; }

        /// <summary>
        /// Their product with x, y, z and 1 is the distance of a point from the camera plane; none if that
        /// is the last row of the matrix, as a pinhole's is.
        /// </summary>
        public IReadOnlyList<double> DistanceFromWorld { get; }

        /// <summary>Whether colours are just those of the palette, before an even backdrop.</summary>
        public bool Unshaded { get; }
    }
}
