using System.Collections.Generic;

namespace Luban.Core
{
    /// <summary>A set of cells in body coordinates, kept sorted; never empty, never changes.</summary>
    public sealed class Shape
    {
        /// <summary>A shape with more cells than this is refused.</summary>
        public const int MaxCells = 1000000;

        private readonly Cell[] _cells;

        private Shape(Cell[] cells)
        {
            _cells = cells;
            Bounds = Block.Around(cells);
        }

        public IReadOnlyList<Cell> Cells => _cells;

        public Block Bounds { get; }

        /// <summary>The shape made of some cells; one given twice counts once.</summary>
        /// <exception cref="LatticeException">
        /// There are none, too many, or they are too far out (<c>Invalid</c>).
        /// </exception>
        public static Shape Of(IEnumerable<Cell> cells)
        {
            var ordered = new SortedSet<Cell>(cells);
            if (ordered.Count == 0)
            {
                throw LatticeException.Invalid("a shape needs at least one cell");
            }
            if (ordered.Count > MaxCells)
            {
                throw LatticeException.Invalid("a shape may have " + MaxCells + " cells, not " + ordered.Count);
            }
            var shape = new Shape(new List<Cell>(ordered).ToArray());
            Reach.CheckShape(shape.Bounds);
            return shape;
        }

        /// <summary>This shape, turned about the origin.</summary>
        public Shape Rotated(Rotation rotation)
        {
            var turned = new Cell[_cells.Length];
            for (int i = 0; i < turned.Length; i++)
            {
                turned[i] = rotation.Apply(_cells[i]);
            }
            System.Array.Sort(turned);
            return new Shape(turned);
        }
    }
}
