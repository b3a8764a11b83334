using System;
using System.Collections.Generic;

namespace Luban.Core
{
    /// <summary>A block of cells; both corners belong to it.</summary>
    public readonly struct Block : IEquatable<Block>
    {
        public Block(Cell low, Cell high)
        {
            Low = low;
            High = high;
        }

        public Cell Low { get; }

        public Cell High { get; }

        /// <summary>The smallest block around some cells, of which there is at least one.</summary>
        public static Block Around(IEnumerable<Cell> cells)
        {
            var low = new Cell(int.MaxValue, int.MaxValue, int.MaxValue);
            var high = new Cell(int.MinValue, int.MinValue, int.MinValue);
            foreach (Cell cell in cells)
            {
                low = new Cell(Math.Min(low.X, cell.X), Math.Min(low.Y, cell.Y), Math.Min(low.Z, cell.Z));
                high = new Cell(Math.Max(high.X, cell.X), Math.Max(high.Y, cell.Y), Math.Max(high.Z, cell.Z));
            }
            return new Block(low, high);
        }

        /// <summary>The smallest block around two others.</summary>
        public static Block Around(Block one, Block other) =>
            Around(new[] { one.Low, one.High, other.Low, other.High });

        public Block Moved(Cell by) => new Block(Low + by, High + by);

        /// <summary>Whether the two share a cell.</summary>
        public bool Overlaps(Block other) =>
            Low.X <= other.High.X && other.Low.X <= High.X
            && Low.Y <= other.High.Y && other.Low.Y <= High.Y
            && Low.Z <= other.High.Z && other.Low.Z <= High.Z;

        public bool Holds(Cell cell) => Overlaps(new Block(cell, cell));

        public bool Equals(Block other) => Low.Equals(other.Low) && High.Equals(other.High);

        public override bool Equals(object obj) => obj is Block && Equals((Block)obj);

        public override int GetHashCode() => unchecked(Low.GetHashCode() * 31 + High.GetHashCode());
    }
}
