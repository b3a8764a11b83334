using System;
using System.Collections.Generic;

namespace Luban.Core
{
    /// <summary>Bodies that are carried as one, and where they would be on their way.</summary>
    internal sealed class Load
    {
        private readonly List<Piece> _pieces;
        private readonly LatticePose[] _poses;
        private readonly Block? _table;

        public Load(List<Piece> pieces, Block? table)
        {
            _pieces = pieces;
            _table = table;
            _poses = new LatticePose[pieces.Count];
            var corners = new List<Cell>();
            for (int i = 0; i < _poses.Length; i++)
            {
                _poses[i] = pieces[i].Pose;
                Block block = pieces[i].BlockIn(_poses[i]);
                corners.Add(block.Low);
                corners.Add(block.High);
            }
            Block = Block.Around(corners);
        }

        /// <summary>The block around them.</summary>
        public Block Block { get; private set; }

        /// <summary>Codes of the cells that each would cover.</summary>
        public List<long[]> Codes()
        {
            var codes = new List<long[]>();
            for (int i = 0; i < _poses.Length; i++)
            {
                codes.Add(_pieces[i].CodesIn(_poses[i]));
            }
            return codes;
        }

        /// <summary>Refuses a leg that no world can go.</summary>
        /// <exception cref="LatticeException">
        /// It leads out of the world, or down through the table, or there is no room to turn so near to
        /// it (<c>Invalid</c>). What was swept below it may go on there.
        /// </exception>
        public void Check(Leg leg)
        {
            var shift = leg as Shift;
            if (shift != null)
            {
                Reach.CheckPlace(Block, default(Cell), Directions.Vector(shift.Direction), shift.Distance);
                CheckHeight(shift.Of(Block));
                return;
            }
            var spin = (Spin)leg;
            Reach.CheckOffset(spin.Offset);
            Reach.CheckPlace(spin.Of(Block), default(Cell), default(Cell), 0);
            CheckHeight(spin.Room(Block));
        }

        public void Go(Leg leg)
        {
            for (int i = 0; i < _poses.Length; i++)
            {
                _poses[i] = leg.Of(_poses[i]);
            }
            Block = leg.Of(Block);
        }

        /// <summary>Puts them down where they are; all leave before any comes.</summary>
        public void PutDown(Occupancy occupancy, bool loose)
        {
            foreach (Piece piece in _pieces)
            {
                occupancy.Clear(piece);
            }
            for (int i = 0; i < _poses.Length; i++)
            {
                occupancy.Fill(_pieces[i], _poses[i], loose, _pieces[i].CodesIn(_poses[i]));
            }
        }

        private void CheckHeight(Block lowest)
        {
            if (_table.HasValue && lowest.Low.Z < Math.Min(_table.Value.Low.Z, Block.Low.Z))
            {
                throw LatticeException.Invalid("a body would be carried through the table");
            }
        }
    }
}
