using System.Collections.Generic;

namespace Luban.Core
{
    /// <summary>Merging cells into few boxes, for physics engines that want convex parts.</summary>
    public static class Boxes
    {
        /// <summary>
        /// Disjoint blocks that cover exactly a shape, found greedily: from the least uncovered cell a
        /// block is grown along x, then y, then z. Not always the fewest.
        /// </summary>
        public static IReadOnlyList<Block> Of(Shape shape)
        {
            var free = new HashSet<Cell>(shape.Cells);
            var blocks = new List<Block>();
            foreach (Cell cell in shape.Cells)
            {
                if (free.Contains(cell))
                {
                    Block block = Grown(cell, free);
                    free.ExceptWith(CellsOf(block));
                    blocks.Add(block);
                }
            }
            return blocks;
        }

        /// <summary>Every cell of a block.</summary>
        public static IEnumerable<Cell> CellsOf(Block block)
        {
            for (int x = block.Low.X; x <= block.High.X; x++)
            {
                for (int y = block.Low.Y; y <= block.High.Y; y++)
                {
                    for (int z = block.Low.Z; z <= block.High.Z; z++)
                    {
                        yield return new Cell(x, y, z);
                    }
                }
            }
        }

        private static Block Grown(Cell start, HashSet<Cell> free)
        {
            var block = new Block(start, start);
            foreach (Direction direction in new[] { Direction.PlusX, Direction.PlusY, Direction.PlusZ })
            {
                Cell step = Directions.Vector(direction);
                while (free.IsSupersetOf(CellsOf(NextLayer(block, step))))
                {
                    block = new Block(block.Low, block.High + step);
                }
            }
            return block;
        }

        /// <summary>The cells just above a block along an axis.</summary>
        private static Block NextLayer(Block block, Cell step)
        {
            Cell size = block.High - block.Low;
            return new Block(block.Low + step * (size.Dot(step) + 1), block.High + step);
        }
    }
}
