using System.Collections.Generic;

namespace Luban.Core
{
    /// <summary>
    /// The exact world: integer cells, no tolerance, no time. All other bodies of the scene, held or
    /// loose, stand in the way of a sweep or a carry; the table does not stand in that of a sweep.
    /// Nothing falls.
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

        public Report Execute(IReadOnlyList<BodyMotion> motions)
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

        private Report Perform(IReadOnlyList<BodyMotion> motions, Snapshot before)
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
            List<Piece> movers = Movers(sweep.Bodies);
            foreach (Piece piece in movers)
            {
                piece.CheckReach(piece.Pose, step, sweep.Distance);
            }
            var codes = new List<long[]>();
            foreach (Piece piece in movers)
            {
                codes.Add(piece.Codes);
            }
            SortedSet<int> contacts = FreeUnits(codes, sweep.Bodies, CellCode.Of(step), sweep.Distance, out travel);
            film.Sweep(TransformsOf(movers), sweep.Direction, travel, contacts.Count == 0);
            if (contacts.Count == 0)
            {
                Shift(movers, step * sweep.Distance);
            }
            return contacts;
        }

        private List<Piece> Movers(ISet<string> names)
        {
            var movers = new List<Piece>();
            foreach (Piece piece in _occupancy.Pieces)
            {
                if (names.Contains(piece.Name))
                {
                    movers.Add(piece);
                }
            }
            return movers;
        }

        /// <summary>Whole units before the first blocked one, and who is entered there.</summary>
        private SortedSet<int> FreeUnits(
            List<long[]> codes, ISet<string> movers, long step, int distance, out int travel)
        {
            long[] front = Front(codes, step);
            for (travel = 0; travel < distance; travel++)
            {
                SortedSet<int> entered = Entered(front, step * (travel + 1L), movers);
                if (entered.Count > 0)
                {
                    return entered;
                }
            }
            return Nothing;
        }

        /// <summary>The cells of moving bodies that have none of them right ahead.</summary>
        private static long[] Front(List<long[]> codes, long step)
        {
            var own = new HashSet<long>();
            foreach (long[] some in codes)
            {
                own.UnionWith(some);
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

        /// <summary>What stood in the way; bodies move only if nothing did.</summary>
        private SortedSet<int> DoCarry(Carry carry, Film film)
        {
            List<Piece> movers = Movers(carry.Bodies);
            var load = new Load(movers, _table);
            Block first = load.Block;
            var gone = new List<Leg>();
            SortedSet<int> contacts = Nothing;
            foreach (Leg leg in carry.Way)
            {
                load.Check(leg);
                contacts = InTheWay(leg, load, carry.Bodies, gone);
                if (contacts.Count > 0)
                {
                    break;
                }
                load.Go(leg);
            }
            film.Carry(TransformsOf(movers), first, gone);
            if (contacts.Count == 0)
            {
                load.PutDown(_occupancy, carry.Loose);
            }
            return contacts;
        }

        /// <summary>What stands in the way of a leg; as much of it as is free is added to the film.</summary>
        private SortedSet<int> InTheWay(Leg leg, Load load, ISet<string> movers, List<Leg> gone)
        {
            SortedSet<int> contacts;
            if (leg is Shift shift)
            {
                int travel;
                long step = CellCode.Of(Directions.Vector(shift.Direction));
                contacts = FreeUnits(load.Codes(), movers, step, shift.Distance, out travel);
                if (travel > 0)
                {
                    gone.Add(new Shift(shift.Direction, travel));
                }
                return contacts;
            }
            contacts = Within(((Spin)leg).Room(load.Block), movers);
            if (contacts.Count == 0)
            {
                gone.Add(leg);
            }
            return contacts;
        }

        /// <summary>Bodies that don't move along and reach into a block.</summary>
        private SortedSet<int> Within(Block block, ISet<string> movers)
        {
            var found = new SortedSet<int>();
            foreach (Piece piece in _occupancy.Pieces)
            {
                if (!movers.Contains(piece.Name) && piece.ReachesInto(block))
                {
                    found.Add(piece.Index);
                }
            }
            return found;
        }

        private void CheckMotions(IReadOnlyList<BodyMotion> motions)
        {
            RequireScene();
            bool swept = false;
            foreach (BodyMotion motion in motions)
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
            foreach (string name in carry.Bodies)
            {
                _occupancy.Find(name);
            }
            if (carry.Bodies.Count == 0)
            {
                throw LatticeException.Invalid("a carry needs at least one body");
            }
            foreach (Leg leg in carry.Way)
            {
                CheckLeg(leg);
            }
            if (carry.Loose && !_table.HasValue)
            {
                throw LatticeException.Invalid("bodies can't lie loose: the scene has no table");
            }
        }

        private static void CheckLeg(Leg leg)
        {
            var shift = leg as Shift;
            if (shift == null)
            {
                if (((Spin)leg).Rotation.Index == 0)
                {
                    throw LatticeException.Invalid("a leg that turns bodies has to turn them");
                }
                return;
            }
            if (shift.Distance < 1)
            {
                throw LatticeException.Invalid("a leg goes at least one unit, not " + shift.Distance);
            }
            Directions.Vector(shift.Direction);
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
