using System.Collections.Generic;

namespace Luban.Core
{
    /// <summary>A shape in one rotation, about the body's origin.</summary>
    internal sealed class TurnedShape
    {
        public TurnedShape(Shape shape)
        {
            Bounds = shape.Bounds;
            IReadOnlyList<Cell> cells = shape.Cells;
            Codes = new long[cells.Count];
            for (int i = 0; i < Codes.Length; i++)
            {
                Codes[i] = CellCode.Of(cells[i]);
            }
        }

        public Block Bounds { get; }

        public long[] Codes { get; }
    }
}
