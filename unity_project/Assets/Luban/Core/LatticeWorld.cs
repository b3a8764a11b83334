using System.Collections.Generic;

namespace Luban.Core
{
    /// <summary>
    /// The exact world: integer cells, no tolerance, no time. All other bodies of the scene, held or
    /// loose, stand in the way of a sweep; the table does not. Nothing falls.
    /// </summary>
    public sealed class LatticeWorld : IWorld
    {
        private static readonly SortedSet<int> Nothing = new SortedSet<int>();

        private Block? _table;
        private Occupancy _occupancy;

        public string Engine => "lattice 1, in C#";

        public bool HasScene => _occupancy != null;

        public ulong Digest => HasScene ? DigestOf(_occupancy.Pieces) : 0;

        public void Reset(Scene scene)
        {
            _occupancy = new Occupancy(scene);
            _table = scene.Table;
        }

        public Report Execute(IReadOnlyList<Motion> motions)
        {
            CheckMotions(motions);
            var before = new Snapshot(_occupancy.Pieces);
            try
            {
                return Perform(motions, before);
            }
            catch (LatticeException)
            {
                before.Restore(_occupancy);
                throw;
            }
        }

        public IReadOnlyList<BodyTransform> Transforms()
        {
            RequireScene();
            return TransformsOf(_occupancy.Pieces);
        }

        /// <summary>The pose of a body now.</summary>
        /// <exception cref="LatticeException"><c>NoScene</c> or <c>UnknownBody</c>.</exception>
        public LatticePose PoseOf(string name)
        {
            RequireScene();
            return _occupancy.Find(name).Pose;
        }

        /// <summary>Whether a body lies free now.</summary>
        /// <exception cref="LatticeException"><c>NoScene</c> or <c>UnknownBody</c>.</exception>
        public bool IsLoose(string name)
        {
            RequireScene();
            return _occupancy.Find(name).Loose;
        }

        private static ulong DigestOf(IEnumerable<Piece> pieces)
        {
            StateDigest digest = StateDigest.Start();
            foreach (Piece piece in pieces)
            {
                digest.Add(piece.Name, piece.Pose, piece.Loose);
            }
            return digest.Value;
        }

        private static List<BodyTransform> TransformsOf(IEnumerable<Piece> pieces)
        {
            var transforms = new List<BodyTransform>();
            foreach (Piece piece in pieces)
            {
                transforms.Add(new BodyTransform(piece.Name, RigidTransform.Of(piece.Pose)));
            }
            return transforms;
        }

        private Report Perform(IReadOnlyList<Motion> motions, Snapshot before)
        {
            var film = new Film();
            int travel = 0;
            for (int i = 0; i < motions.Count; i++)
            {
                SortedSet<int> contacts = motions[i] is Sweep sweep
                    ? DoSweep(sweep, film, out travel)
                    : DoCarry((Carry)motions[i], film);
                if (contacts.Count > 0)
                {
                    before.Restore(_occupancy);
                    film.Rewind();
                    return Report.Blocked(i, travel, _occupancy.Names(contacts), film.Keyframes);
                }
            }
            return Report.Done(motions.Count, travel, film.Keyframes);
        }

        /// <summary>What stood in the way; bodies move only if nothing did.</summary>
        private SortedSet<int> DoSweep(Sweep sweep, Film film, out int travel)
        {
            Cell step = Directions.Vector(sweep.Direction);
            List<Piece> movers = Movers(sweep);
            foreach (Piece piece in movers)
            {
                piece.CheckReach(piece.Pose, step, sweep.Distance);
            }
            SortedSet<int> contacts = FreeUnits(movers, sweep, CellCode.Of(step), out travel);
            film.Sweep(TransformsOf(movers), sweep.Direction, travel, contacts.Count == 0);
            if (contacts.Count == 0)
            {
                Shift(movers, step * sweep.Distance);
            }
            return contacts;
        }

        private List<Piece> Movers(Sweep sweep)
        {
            var movers = new List<Piece>();
            foreach (Piece piece in _occupancy.Pieces)
            {
                if (sweep.Bodies.Contains(piece.Name))
                {
                    movers.Add(piece);
                }
            }
            return movers;
        }

        /// <summary>Whole units before the first blocked one, and who is entered there.</summary>
        private SortedSet<int> FreeUnits(List<Piece> movers, Sweep sweep, long step, out int travel)
        {
            long[] front = Front(movers, step);
            for (travel = 0; travel < sweep.Distance; travel++)
            {
                SortedSet<int> entered = Entered(front, step * (travel + 1L), sweep.Bodies);
                if (entered.Count > 0)
                {
                    return entered;
                }
            }
            return Nothing;
        }

        /// <summary>The cells of moving bodies that have none of them right ahead.</summary>
        private static long[] Front(List<Piece> movers, long step)
        {
            var own = new HashSet<long>();
            foreach (Piece piece in movers)
            {
                own.UnionWith(piece.Codes);
            }
            var front = new List<long>();
            foreach (long code in own)
            {
                if (!own.Contains(code + step))
                {
                    front.Add(code);
                }
            }
            return front.ToArray();
        }

        private SortedSet<int> Entered(long[] front, long shift, ISet<string> movers)
        {
            SortedSet<int> entered = Nothing;
            foreach (long code in front)
            {
                Piece owner = _occupancy.Owner(code + shift);
                if (owner != null && !movers.Contains(owner.Name))
                {
                    entered = entered == Nothing ? new SortedSet<int>() : entered;
                    entered.Add(owner.Index);
                }
            }
            return entered;
        }

        private void Shift(List<Piece> movers, Cell way)
        {
            foreach (Piece piece in movers)
            {
                _occupancy.Clear(piece);
            }
            foreach (Piece piece in movers)
            {
                long[] codes = CellCode.Shifted(piece.Codes, CellCode.Of(way));
                _occupancy.Fill(piece, piece.Pose.Moved(way), piece.Loose, codes);
            }
        }

        /// <summary>The bodies where the carried one is to be put; it moves only if there is none.</summary>
        private SortedSet<int> DoCarry(Carry carry, Film film)
        {
            Piece piece = _occupancy.Find(carry.Body);
            piece.CheckReach(carry.Pose, default(Cell), 0);
            long[] codes = piece.CodesIn(carry.Pose);
            SortedSet<int> contacts = Entered(codes, 0, new HashSet<string> { piece.Name });
            if (contacts.Count == 0)
            {
                film.Carry(
                    new BodyTransform(piece.Name, RigidTransform.Of(piece.Pose)),
                    new BodyTransform(piece.Name, RigidTransform.Of(carry.Pose)));
                _occupancy.Clear(piece);
                _occupancy.Fill(piece, carry.Pose, carry.Loose, codes);
            }
            return contacts;
        }

        private void CheckMotions(IReadOnlyList<Motion> motions)
        {
            RequireScene();
            bool swept = false;
            foreach (Motion motion in motions)
            {
                var sweep = motion as Sweep;
                if (sweep == null)
                {
                    CheckCarry((Carry)motion);
                    continue;
                }
                CheckSweep(sweep);
                if (swept)
                {
                    throw LatticeException.Invalid("a step may hold one sweep, not more");
                }
                swept = true;
            }
        }

        private void CheckSweep(Sweep sweep)
        {
            foreach (string name in sweep.Bodies)
            {
                _occupancy.Find(name);
            }
            if (sweep.Bodies.Count == 0)
            {
                throw LatticeException.Invalid("a sweep needs at least one body");
            }
            if (sweep.Distance < 1)
            {
                throw LatticeException.Invalid("a sweep goes at least one unit, not " + sweep.Distance);
            }
            Directions.Vector(sweep.Direction);
        }

        private void CheckCarry(Carry carry)
        {
            Piece piece = _occupancy.Find(carry.Body);
            if (carry.Loose)
            {
                piece.CheckOnTable(_table, carry.Pose);
            }
        }

        private void RequireScene()
        {
            if (!HasScene)
            {
                throw LatticeException.NoScene();
            }
        }
    }
}
