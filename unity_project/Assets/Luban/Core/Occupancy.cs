using System.Collections.Generic;

namespace Luban.Core
{
    /// <summary>The bodies of a scene, and which of them is in which cell.</summary>
    internal sealed class Occupancy
    {
        private readonly Piece[] _pieces;
        private readonly Dictionary<string, Piece> _byName = new Dictionary<string, Piece>();
        private readonly Dictionary<long, Piece> _owners = new Dictionary<long, Piece>();

        /// <exception cref="LatticeException">
        /// Bodies overlap, a loose one has no table, or one is too far away (<c>Invalid</c>).
        /// </exception>
        public Occupancy(Scene scene)
        {
            _pieces = new Piece[scene.Bodies.Count];
            for (int i = 0; i < _pieces.Length; i++)
            {
                var piece = new Piece(i, scene.Bodies[i]);
                _pieces[i] = piece;
                _byName[piece.Name] = piece;
                piece.CheckReach(piece.Pose, default(Cell), 0);
                if (piece.Loose)
                {
                    piece.CheckOnTable(scene.Table, piece.Pose);
                }
                Enter(piece);
            }
        }

        /// <summary>In the scene's order.</summary>
        public IReadOnlyList<Piece> Pieces => _pieces;

        /// <exception cref="LatticeException">There is none (<c>UnknownBody</c>).</exception>
        public Piece Find(string name)
        {
            Piece piece;
            if (!_byName.TryGetValue(name, out piece))
            {
                throw LatticeException.UnknownBody(name);
            }
            return piece;
        }

        /// <summary>The body in a cell; null if it is empty.</summary>
        public Piece Owner(long code)
        {
            Piece owner;
            return _owners.TryGetValue(code, out owner) ? owner : null;
        }

        /// <summary>Names of bodies, given by their places in the scene, in that order.</summary>
        public string[] Names(SortedSet<int> indices)
        {
            var names = new List<string>();
            foreach (int index in indices)
            {
                names.Add(_pieces[index].Name);
            }
            return names.ToArray();
        }

        /// <summary>Takes a body out of its cells; <see cref="Fill"/> must follow.</summary>
        public void Clear(Piece piece)
        {
            foreach (long code in piece.Codes)
            {
                _owners.Remove(code);
            }
        }

        /// <summary>Puts a body that was taken out into a pose, whose cells must be empty.</summary>
        public void Fill(Piece piece, LatticePose pose, bool loose, long[] codes)
        {
            piece.Put(pose, loose, codes);
            foreach (long code in codes)
            {
                _owners[code] = piece;
            }
        }

        private void Enter(Piece piece)
        {
            long[] codes = piece.CodesIn(piece.Pose);
            foreach (long code in codes)
            {
                Piece owner = Owner(code);
                if (owner != null)
                {
                    throw LatticeException.Invalid(piece.Name + " would overlap " + owner.Name);
                }
            }
            Fill(piece, piece.Pose, piece.Loose, codes);
        }
    }
}
