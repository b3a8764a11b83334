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

        public bool Equals(Block other) => Low.Equals(other.Low) && High.Equals(other.High);

        public override bool Equals(object obj) => obj is Block && Equals((Block)obj);

        public override int GetHashCode() => unchecked(Low.GetHashCode() * 31 + High.GetHashCode());
    }
}
