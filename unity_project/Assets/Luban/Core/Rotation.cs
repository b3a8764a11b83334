using System;
using System.Collections.Generic;

namespace Luban.Core
{
    /// <summary>
    /// One of the 24 rotations of the cube, by its index in a fixed order: by the image of x, then by
    /// the image of y, each in the order +X +Y +Z -X -Y -Z. Index 0, the default value, is no rotation.
    /// </summary>
    public readonly struct Rotation : IEquatable<Rotation>
    {
        public const int Count = 24;

        private static readonly Cell[] Axes =
        {
            new Cell(1, 0, 0),
            new Cell(0, 1, 0),
            new Cell(0, 0, 1),
            new Cell(-1, 0, 0),
            new Cell(0, -1, 0),
            new Cell(0, 0, -1),
        };

        /// <summary>Images of x, y and z for each index.</summary>
        private static readonly Cell[][] Frames = MakeFrames();

        /// <exception cref="LatticeException">There is no such index (<c>Invalid</c>).</exception>
        public Rotation(int index)
        {
            if (index < 0 || index >= Count)
            {
                throw LatticeException.Invalid("a rotation index runs from 0 to 23, not " + index);
            }
            Index = index;
        }

        public int Index { get; }

        /// <summary>Where it takes the x axis: the first column of its matrix.</summary>
        public Cell ImageOfX => Frames[Index][0];

        /// <summary>Where it takes the y axis: the second column of its matrix.</summary>
        public Cell ImageOfY => Frames[Index][1];

        /// <summary>Where it takes the z axis: the third column of its matrix.</summary>
        public Cell ImageOfZ => Frames[Index][2];

        /// <summary>The image of a lattice point under the turn about the origin.</summary>
        public Cell Apply(Cell cell) => ImageOfX * cell.X + ImageOfY * cell.Y + ImageOfZ * cell.Z;

        /// <summary>The rotation that turns by another one and then by this one.</summary>
        public Rotation After(Rotation first) => WithImages(Apply(first.ImageOfX), Apply(first.ImageOfY));

        /// <summary>Some right-handed quarter turns about an axis of the lattice.</summary>
        public static Rotation About(LatticeAxis axis, int quarters)
        {
            Cell along = Axes[(int)axis - 1], next = Axes[(int)axis % 3], last = Axes[((int)axis + 1) % 3];
            var images = new Cell[3];
            images[(int)axis - 1] = along;
            images[(int)axis % 3] = last;
            images[((int)axis + 1) % 3] = next * -1;
            Rotation quarter = WithImages(images[0], images[1]), turned = default(Rotation);
            for (int i = 0; i < quarters; i++)
            {
                turned = quarter.After(turned);
            }
            return turned;
        }

        public bool Equals(Rotation other) => Index == other.Index;

        public override bool Equals(object obj) => obj is Rotation && Equals((Rotation)obj);

        public override int GetHashCode() => Index;

        private static Rotation WithImages(Cell x, Cell y) =>
            new Rotation(Array.FindIndex(Frames, frame => frame[0].Equals(x) && frame[1].Equals(y)));

        private static Cell[][] MakeFrames()
        {
            var frames = new List<Cell[]>();
            foreach (Cell x in Axes)
            {
                foreach (Cell y in Axes)
                {
                    if (x.Dot(y) == 0)
                    {
                        frames.Add(new[] { x, y, x.Cross(y) });
                    }
                }
            }
            return frames.ToArray();
        }
    }
}
