using System.Collections.Generic;

namespace Luban.Core
{
    /// <summary>How motions are shown: a keyframe at the start and at the end of each.</summary>
    public sealed class Film
    {
        /// <summary>Seconds between two motions, so that no two keyframes share a time.</summary>
        public const double Pause = 1.0 / 30.0;

        /// <summary>Units that a body which can't move at all is shown to try.</summary>
        private const double Nudge = 0.04;

        private const double CarrySeconds = 0.7;

        private readonly List<Keyframe> _keyframes = new List<Keyframe>();

        public IReadOnlyList<Keyframe> Keyframes => _keyframes;

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
            Append(starts, ends, 0.25 + 0.12 * length);
        }

        /// <summary>A body goes from one pose to another.</summary>
        public void Carry(BodyTransform start, BodyTransform end) =>
            Append(new[] { start }, new[] { end }, CarrySeconds);

        /// <summary>Everything so far, backwards: the way back of an attempt that failed.</summary>
        public void Rewind()
        {
            double end = _keyframes.Count > 0 ? _keyframes[_keyframes.Count - 1].Time : 0.0;
            for (int i = _keyframes.Count - 2; i >= 0; i--)
            {
                _keyframes.Add(new Keyframe(2.0 * end - _keyframes[i].Time, _keyframes[i].Bodies));
            }
        }

        private void Append(
            IReadOnlyList<BodyTransform> starts, IReadOnlyList<BodyTransform> ends, double seconds)
        {
            double begin = _keyframes.Count > 0 ? _keyframes[_keyframes.Count - 1].Time + Pause : 0.0;
            _keyframes.Add(new Keyframe(begin, starts));
            _keyframes.Add(new Keyframe(begin + seconds, ends));
        }
    }
}
