using System;

namespace Luban.Core
{
    /// <summary>A point of the lattice: the centre of a unit cube. Right-handed frame, z up.</summary>
    public readonly struct Cell : IEquatable<Cell>, IComparable<Cell>
    {
        public Cell(int x, int y, int z)
        {
            X = x;
            Y = y;
            Z = z;
        }

        public int X { get; }

        public int Y { get; }

        public int Z { get; }

        public static Cell operator +(Cell a, Cell b) => new Cell(a.X + b.X, a.Y + b.Y, a.Z + b.Z);

        public static Cell operator -(Cell a, Cell b) => new Cell(a.X - b.X, a.Y - b.Y, a.Z - b.Z);

        public static Cell operator *(Cell a, int k) => new Cell(a.X * k, a.Y * k, a.Z * k);

        public int Dot(Cell other) => X * other.X + Y * other.Y + Z * other.Z;

        public Cell Cross(Cell other) => new Cell(
            Y * other.Z - Z * other.Y, Z * other.X - X * other.Z, X * other.Y - Y * other.X);

        public bool Equals(Cell other) => X == other.X && Y == other.Y && Z == other.Z;

        public override bool Equals(object obj) => obj is Cell && Equals((Cell)obj);

        public override int GetHashCode() => unchecked((X * 73856093) ^ (Y * 19349663) ^ (Z * 83492791));

        /// <summary>By x, then y, then z.</summary>
        public int CompareTo(Cell other)
        {
            int byX = X.CompareTo(other.X);
            int byY = byX != 0 ? byX : Y.CompareTo(other.Y);
            return byY != 0 ? byY : Z.CompareTo(other.Z);
        }

        public override string ToString() => "(" + X + ", " + Y + ", " + Z + ")";
    }
}
