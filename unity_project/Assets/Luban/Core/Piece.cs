using System.Collections.Generic;

namespace Luban.Core
{
    /// <summary>A body of a scene, where it is now, and its turned copies as they are asked for.</summary>
    internal sealed class Piece
    {
        private readonly Shape _shape;
        private readonly TurnedShape[] _turned = new TurnedShape[Rotation.Count];

        public Piece(int index, Body body)
        {
            Index = index;
            Name = body.Name;
            _shape = body.Shape;
            Pose = body.Pose;
            Loose = body.Loose;
        }

        /// <summary>Its place in the scene.</summary>
        public int Index { get; }

        public string Name { get; }

        public LatticePose Pose { get; private set; }

        public bool Loose { get; private set; }

        /// <summary>Codes of the cells that it covers now; made by <see cref="Put"/>.</summary>
        public long[] Codes { get; private set; }

        public TurnedShape Turned(Rotation rotation)
        {
            TurnedShape known = _turned[rotation.Index];
            if (known == null)
            {
                known = new TurnedShape(_shape.Rotated(rotation));
                _turned[rotation.Index] = known;
            }
            return known;
        }

        /// <summary>Codes of the cells that it would cover in a pose.</summary>
        public long[] CodesIn(LatticePose pose) =>
            CellCode.Shifted(Turned(pose.Rotation).Codes, CellCode.Of(pose.Offset));

        /// <summary>The block around the cells that it would cover in a pose.</summary>
        public Block BlockIn(LatticePose pose) => Turned(pose.Rotation).Bounds.Moved(pose.Offset);

        /// <summary>The cells that it covers now.</summary>
        public IEnumerable<Cell> Cells()
        {
            foreach (Cell cell in Turned(Pose.Rotation).Cells)
            {
                yield return cell + Pose.Offset;
            }
        }

        /// <summary>Whether it covers a cell of a block now.</summary>
        public bool ReachesInto(Block block)
        {
            if (!block.Overlaps(BlockIn(Pose)))
            {
                return false;
            }
            foreach (Cell cell in Turned(Pose.Rotation).Cells)
            {
                if (block.Holds(cell + Pose.Offset))
                {
                    return true;
                }
            }
            return false;
        }

        /// <summary>Puts it into a pose, whose codes are known, without looking at others.</summary>
        public void Put(LatticePose pose, bool loose, long[] codes)
        {
            Pose = pose;
            Loose = loose;
            Codes = codes;
        }

        /// <summary>Refuses to have it in a pose and then moved some units.</summary>
        /// <exception cref="LatticeException">It would leave the world (<c>Invalid</c>).</exception>
        public void CheckReach(LatticePose pose, Cell step, int distance) =>
            Reach.CheckPlace(Turned(pose.Rotation).Bounds, pose.Offset, step, distance);

        /// <summary>Refuses to let it lie in a pose.</summary>
        /// <exception cref="LatticeException">There is no table under it (<c>Invalid</c>).</exception>
        public void CheckOnTable(Block? table, LatticePose pose)
        {
            if (!table.HasValue)
            {
                throw LatticeException.Invalid(Name + " can't lie loose: the scene has no table");
            }
            if ((long)Turned(pose.Rotation).Bounds.Low.Z + pose.Offset.Z < table.Value.Low.Z)
            {
                throw LatticeException.Invalid(Name + " would lie below the surface of the table");
            }
        }
    }
}
