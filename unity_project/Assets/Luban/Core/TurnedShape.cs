using System.Collections.Generic;

namespace Luban.Core
{
    /// <summary>A shape in one rotation, about the body's origin.</summary>
    internal sealed class TurnedShape
    {
        public TurnedShape(Shape shape)
        {
            Bounds = shape.Bounds;
            Cells = shape.Cells;
            Codes = new long[Cells.Count];
            for (int i = 0; i < Codes.Length; i++)
            {
                Codes[i] = CellCode.Of(Cells[i]);
            }
        }

        public Block Bounds { get; }

        public IReadOnlyList<Cell> Cells { get; }

        public long[] Codes { get; }
    }
}
