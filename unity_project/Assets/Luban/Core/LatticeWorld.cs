using System.Collections.Generic;
using System.Linq;

namespace Luban.Core
{
    /// <summary>
    /// The exact world: integer cells, no tolerance, no time. All other bodies of the scene, held or
    /// loose, stand in the way of a motion; the table only in that of a carry. Nothing falls.
    /// </summary>
    public sealed class LatticeWorld : IWorld
    {
        private static readonly SortedSet<int> Nothing = new SortedSet<int>();

        private readonly Encounters _encounters = new Encounters();

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
            RequireScene();
            Requests.Check(motions, _occupancy, _table);
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
                SortedSet<int> contacts = Do(motions[i], film, ref travel);
                if (contacts.Count > 0)
                {
                    before.Restore(_occupancy);
                    film.Rewind();
                    return Report.Blocked(i, travel, _occupancy.Names(contacts), film.Keyframes);
                }
            }
            return Report.Done(motions.Count, travel, film.Keyframes);
        }

        private SortedSet<int> Do(BodyMotion motion, Film film, ref int travel)
        {
            if (motion is Sweep sweep)
            {
                return DoSweep(sweep, film, out travel);
            }
            return motion is Turn turn ? DoTurn(turn, film) : DoCarry((Carry)motion, film);
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
                if (!IsNear(Block.Around(load.Block, shift.Of(load.Block)), movers))
                {
                    // A long way through empty space takes no longer than a short one.
                    gone.Add(leg);
                    return Nothing;
                }
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

        /// <summary>What stood in the way; bodies move only if nothing did.</summary>
        private SortedSet<int> DoTurn(Turn turn, Film film)
        {
            List<Piece> movers = Movers(turn.Bodies);
            foreach (Piece piece in movers)
            {
                piece.CheckReach(turn.Of(piece.Pose), default(Cell), 0);
            }
            List<Cell> cells = movers.SelectMany(piece => piece.Cells()).ToList();
            Passage passed = turn.Hinged ? new Sectors(turn, cells, _encounters) : (Passage)new Rings(turn, cells);
            var contacts = new SortedSet<int>();
            foreach (Piece piece in _occupancy.Pieces)
            {
                if (!turn.Bodies.Contains(piece.Name) && piece.Cells().Any(passed.Touches))
                {
                    contacts.Add(piece.Index);
                }
            }
            film.Turn(TransformsOf(movers), turn, cells, contacts.Count == 0);
            if (contacts.Count == 0)
            {
                Move(movers, turn);
            }
            return contacts;
        }

        /// <summary>All leave before any comes.</summary>
        private void Move(List<Piece> movers, Turn turn)
        {
            foreach (Piece piece in movers)
            {
                _occupancy.Clear(piece);
            }
            foreach (Piece piece in movers)
            {
                LatticePose pose = turn.Of(piece.Pose);
                _occupancy.Fill(piece, pose, piece.Loose, piece.CodesIn(pose));
            }
        }

        /// <summary>Whether the block around a body that does not move along overlaps this one.</summary>
        private bool IsNear(Block block, ISet<string> movers) => _occupancy.Pieces.Any(
            piece => !movers.Contains(piece.Name) && block.Overlaps(piece.BlockIn(piece.Pose)));

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

        private void RequireScene()
        {
            if (!HasScene)
            {
                throw LatticeException.NoScene();
            }
        }
    }
}
