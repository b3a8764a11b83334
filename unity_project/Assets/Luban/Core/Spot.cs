using System;

namespace Luban.Core
{
    /// <summary>A cell in a plane across an axis, counted from the axis.</summary>
    internal readonly struct Spot : IEquatable<Spot>
    {
        public Spot(long x, long y)
        {
            X = x;
            Y = y;
        }

        /// <summary>Where a cell is about an axis through another one, right-handed.</summary>
        public static Spot Of(LatticeAxis axis, Cell centre, Cell cell)
        {
            long x = (long)cell.X - centre.X, y = (long)cell.Y - centre.Y, z = (long)cell.Z - centre.Z;
            switch (axis)
            {
                case LatticeAxis.X:
                    return new Spot(y, z);
                case LatticeAxis.Y:
                    return new Spot(z, x);
                default:
                    return new Spot(x, y);
            }
        }

        public long X { get; }

        public long Y { get; }

        /// <summary>Whether the axis goes through it.</summary>
        public bool IsOnAxis => X == 0 && Y == 0;

        /// <summary>Square of the distance of its nearest point from the axis, in half units.</summary>
        public long Nearest => Square(Math.Max(0, 2 * Math.Abs(X) - 1)) + Square(Math.Max(0, 2 * Math.Abs(Y) - 1));

        /// <summary>Square of the distance of its farthest corner from the axis, in half units.</summary>
        public long Farthest => Square(2 * Math.Abs(X) + 1) + Square(2 * Math.Abs(Y) + 1);

        /// <summary>Whether there is a circle around the axis that gets into both.</summary>
        public bool SharesCircles(Spot other) => Nearest < other.Farthest && other.Nearest < Farthest;

        public bool Equals(Spot other) => X == other.X && Y == other.Y;

        public override bool Equals(object obj) => obj is Spot && Equals((Spot)obj);

        public override int GetHashCode() => unchecked((int)(X * 73856093 ^ Y * 19349663));

        private static long Square(long number) => number * number;
    }
}
