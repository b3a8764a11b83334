using System.Collections.Generic;

namespace Luban.Core
{
    /// <summary>What every world refuses, before anything moves.</summary>
    internal static class Requests
    {
        /// <exception cref="LatticeException">One makes no sense (<c>Invalid</c>, <c>UnknownBody</c>).</exception>
        public static void Check(IReadOnlyList<BodyMotion> motions, Occupancy occupancy, Block? table)
        {
            bool swept = false;
            foreach (BodyMotion motion in motions)
            {
                if (motion is Turn turn)
                {
                    CheckTurn(turn, occupancy);
                    continue;
                }
                var sweep = motion as Sweep;
                if (sweep == null)
                {
                    CheckCarry((Carry)motion, occupancy, table);
                    continue;
                }
                CheckSweep(sweep, occupancy);
                if (swept)
                {
                    throw LatticeException.Invalid("a step may hold one sweep, not more");
                }
                swept = true;
            }
        }

        private static void CheckSweep(Sweep sweep, Occupancy occupancy)
        {
            foreach (string name in sweep.Bodies)
            {
                occupancy.Find(name);
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

        private static void CheckTurn(Turn turn, Occupancy occupancy)
        {
            foreach (string name in turn.Bodies)
            {
                occupancy.Find(name);
            }
            if (turn.Bodies.Count == 0)
            {
                throw LatticeException.Invalid("a turn needs at least one body");
            }
            turn.Check();
        }

        private static void CheckCarry(Carry carry, Occupancy occupancy, Block? table)
        {
            foreach (string name in carry.Bodies)
            {
                occupancy.Find(name);
            }
            if (carry.Bodies.Count == 0)
            {
                throw LatticeException.Invalid("a carry needs at least one body");
            }
            foreach (Leg leg in carry.Way)
            {
                CheckLeg(leg);
            }
            if (carry.Loose && !table.HasValue)
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
    }
}
