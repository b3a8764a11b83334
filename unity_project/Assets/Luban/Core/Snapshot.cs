using System.Collections.Generic;

namespace Luban.Core
{
    /// <summary>Where every body was at a moment.</summary>
    internal sealed class Snapshot
    {
        private readonly LatticePose[] _poses;
        private readonly bool[] _loose;

        public Snapshot(IReadOnlyList<Piece> pieces)
        {
            _poses = new LatticePose[pieces.Count];
            _loose = new bool[pieces.Count];
            foreach (Piece piece in pieces)
            {
                _poses[piece.Index] = piece.Pose;
                _loose[piece.Index] = piece.Loose;
            }
        }

        /// <summary>Puts every body back; all leave before any comes: they may have swapped cells.</summary>
        public void Restore(Occupancy occupancy)
        {
            List<Piece> changed = Changed(occupancy);
            foreach (Piece piece in changed)
            {
                occupancy.Clear(piece);
            }
            foreach (Piece piece in changed)
            {
                LatticePose pose = _poses[piece.Index];
                occupancy.Fill(piece, pose, _loose[piece.Index], piece.CodesIn(pose));
            }
        }

        private List<Piece> Changed(Occupancy occupancy)
        {
            var changed = new List<Piece>();
            foreach (Piece piece in occupancy.Pieces)
            {
                if (!piece.Pose.Equals(_poses[piece.Index]) || piece.Loose != _loose[piece.Index])
                {
                    changed.Add(piece);
                }
            }
            return changed;
        }
    }
}
