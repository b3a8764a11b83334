using System;

namespace Luban.Core
{
    /// <summary>
    /// Turns in free air: every point first by the rotation, about the origin of the world, then on by
    /// the offset. Bodies turn about the middle of the block around them, the shorter way round, while
    /// that middle goes straight to its new place.
    /// </summary>
    public sealed class Spin : Leg
    {
        public Spin(Rotation rotation, Cell offset)
        {
            Rotation = rotation;
            Offset = offset;
        }

        public Rotation Rotation { get; }

        public Cell Offset { get; }

        public override LatticePose Of(LatticePose pose) =>
            new LatticePose(Rotation.After(pose.Rotation), Rotation.Apply(pose.Offset) + Offset);

        public override Block Of(Block block) =>
            Block.Around(new[] { Rotation.Apply(block.Low), Rotation.Apply(block.High) }).Moved(Offset);

        /// <summary>
        /// The cells that have to be free: those that the block around the balls at both ends reaches,
        /// each ball around the middle of a block with its corners on it. In doubled coordinates a cell
        /// reaches 1 to each side of its middle, so all of it is whole numbers.
        /// </summary>
        public Block Room(Block block)
        {
            Block turned = Of(block);
            Cell here = block.Low + block.High, there = turned.Low + turned.High;
            int reach = Diagonal(block);
            var around = new Cell(reach, reach, reach);
            Block middles = Block.Around(new[] { here, there });
            Cell low = middles.Low - around, high = middles.High + around;
            return new Block(
                new Cell((low.X + 1) >> 1, (low.Y + 1) >> 1, (low.Z + 1) >> 1),
                new Cell(high.X >> 1, high.Y >> 1, high.Z >> 1));
        }

        /// <summary>The diagonal of a block, rounded up.</summary>
        private static int Diagonal(Block block)
        {
            Cell size = block.High - block.Low + new Cell(1, 1, 1);
            long square = (long)size.X * size.X + (long)size.Y * size.Y + (long)size.Z * size.Z;
            long root = (long)Math.Sqrt(square);
            while (root * root < square)
            {
                root++;
            }
            while ((root - 1) * (root - 1) >= square)
            {
                root--;
            }
            return (int)root;
        }
    }
}
