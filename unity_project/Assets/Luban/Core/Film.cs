using System;
using System.Collections.Generic;
using System.Linq;

namespace Luban.Core
{
    /// <summary>
    /// How motions are shown: a keyframe at the start and at the end of each and at every corner of a
    /// way, and some on the way of what turns.
    /// </summary>
    public sealed class Film
    {
        /// <summary>Seconds between two motions, so that no two keyframes share a time.</summary>
        public const double Pause = 1.0 / 30.0;

        /// <summary>Units that a body which can't move at all is shown to try.</summary>
        private const double Nudge = 0.04;

        /// <summary>Units a second that no cell of a carried body exceeds.</summary>
        private const double Fastest = 11.75;

        /// <summary>Seconds that a leg takes besides those for its length.</summary>
        private const double LegSeconds = 0.2;

        /// <summary>Radians between two keyframes of what turns, at most.</summary>
        private const double Step = 0.1;

        /// <summary>Radians by which bodies that can't turn are shown to try.</summary>
        private const double Try = Math.PI / 60.0;

        /// <summary>The least that a quarter turn takes.</summary>
        private const double SecondsOfQuarter = 0.42;

        /// <summary>How much faster than evenly a gentle motion is in its middle.</summary>
        private const double Peak = 1.5;

        private readonly List<FilmFrame> _keyframes = new List<FilmFrame>();

        public IReadOnlyList<FilmFrame> Keyframes => _keyframes;

        /// <summary>Bodies go some whole units together; blocked at once, they are shown to try.</summary>
        public void Sweep(IReadOnlyList<BodyTransform> starts, Direction direction, int travel, bool free)
        {
            double length = free || travel > 0 ? travel : Nudge;
            Cell step = Directions.Vector(direction);
            var ends = new List<BodyTransform>();
            foreach (BodyTransform start in starts)
            {
                ends.Add(new BodyTransform(start.Name, start.Transform.Moved(step, length)));
            }
            Append(starts, ends, 0.25 + 0.125 * length);
        }

        /// <summary>Bodies go along some legs together; the block is the one around them at the start.</summary>
        public void Carry(IReadOnlyList<BodyTransform> starts, Block block, IEnumerable<Leg> legs)
        {
            _keyframes.Add(new FilmFrame(Begin(), starts));
            foreach (Leg leg in legs)
            {
                var shift = leg as Shift;
                starts = shift != null ? Straight(starts, shift) : Turned(starts, (Spin)leg, block);
                block = leg.Of(block);
            }
        }

        /// <summary>Bodies turn together, starting and ending gently; blocked ones are shown to try.</summary>
        public void Turn(IReadOnlyList<BodyTransform> starts, Turn turn, IReadOnlyList<Cell> cells, bool free)
        {
            double whole = free ? turn.Angle : Math.Sign(turn.Angle) * Try;
            double length = ReachOf(turn, cells) * Math.Abs(whole);
            double seconds = Math.Max(
                SecondsOfQuarter * Math.Max(1.0, Math.Abs(whole) / (Math.PI / 2.0)), Peak * length / Fastest);
            int count = (int)Math.Ceiling(seconds / Pause);
            double begin = Begin();
            for (int k = 0; k <= count; k++)
            {
                double share = (double)k / count;
                RigidTransform motion = RigidTransform.About(turn, whole * share * share * (3.0 - 2.0 * share));
                _keyframes.Add(new FilmFrame(begin + seconds * share, Moved(starts, motion)));
            }
        }

        /// <summary>Everything so far, backwards: the way back of an attempt that failed.</summary>
        public void Rewind()
        {
            double end = _keyframes.Count > 0 ? _keyframes[_keyframes.Count - 1].Time : 0.0;
            for (int i = _keyframes.Count - 2; i >= 0; i--)
            {
                _keyframes.Add(new FilmFrame(2.0 * end - _keyframes[i].Time, _keyframes[i].Bodies));
            }
        }

        private IReadOnlyList<BodyTransform> Straight(IReadOnlyList<BodyTransform> starts, Shift shift)
        {
            Cell step = Directions.Vector(shift.Direction);
            var ends = new List<BodyTransform>();
            foreach (BodyTransform start in starts)
            {
                ends.Add(new BodyTransform(start.Name, start.Transform.Moved(step, shift.Distance)));
            }
            Then(ends, LegSeconds + shift.Distance / Fastest);
            return ends;
        }

        private IReadOnlyList<BodyTransform> Turned(IReadOnlyList<BodyTransform> starts, Spin spin, Block block)
        {
            var turning = new Turning(spin, block);
            int count = (int)Math.Ceiling(turning.Angle / Step);
            IReadOnlyList<BodyTransform> ends = starts;
            for (int k = 1; k <= count; k++)
            {
                ends = Moved(starts, turning.At((double)k / count));
                Then(ends, (LegSeconds + turning.Length / Fastest) / count);
            }
            return ends;
        }

        /// <summary>How far cells reach from the axis of a turn with their corners, in units.</summary>
        private static double ReachOf(Turn turn, IReadOnlyList<Cell> cells) =>
            Math.Sqrt(cells.Max(cell => Spot.Of(turn.Axis, turn.Centre, cell).Farthest)) / 2.0;

        private static IReadOnlyList<BodyTransform> Moved(
            IReadOnlyList<BodyTransform> starts, RigidTransform motion)
        {
            var ends = new List<BodyTransform>();
            foreach (BodyTransform start in starts)
            {
                ends.Add(new BodyTransform(start.Name, start.Transform.Then(motion)));
            }
            return ends;
        }

        private double Begin() => _keyframes.Count > 0 ? _keyframes[_keyframes.Count - 1].Time + Pause : 0.0;

        private void Then(IReadOnlyList<BodyTransform> ends, double seconds) =>
            _keyframes.Add(new FilmFrame(_keyframes[_keyframes.Count - 1].Time + seconds, ends));

        private void Append(
            IReadOnlyList<BodyTransform> starts, IReadOnlyList<BodyTransform> ends, double seconds)
        {
            _keyframes.Add(new FilmFrame(Begin(), starts));
            Then(ends, seconds);
        }
    }
}
