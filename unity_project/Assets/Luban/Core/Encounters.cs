using System;
using System.Collections.Generic;

namespace Luban.Core
{
    /// <summary>
    /// Whether a cell that turns about an axis, by less than a whole turn, gets into another one; what
    /// was asked before is remembered, as the same few cells turn again and again.
    /// </summary>
    /// <remarks>
    /// A cell and a circle around the axis share an arc, and a turn moves that arc along the circle. How
    /// far the arcs of two cells are from each other grows or falls steadily between circles through
    /// corners, or such that an edge touches: so it is enough to look at these, and between them.
    /// </remarks>
    internal sealed class Encounters
    {
        /// <summary>Answers that are remembered, at most.</summary>
        private const int Most = 1 << 16;

        private readonly Dictionary<long, bool> _known = new Dictionary<long, bool>();

        /// <summary>Whether a cell gets into another one when it turns by some quarters, 3 for one back.</summary>
        public bool Meet(Spot spot, Spot other, int quarters)
        {
            if (!spot.SharesCircles(other))
            {
                return false;
            }
            if (spot.IsOnAxis || other.IsOnAxis)
            {
                // They share circles, and one of them goes all the way round.
                return true;
            }
            long? key = KeyOf(spot, other, quarters);
            bool meet;
            if (!key.HasValue || !_known.TryGetValue(key.Value, out meet))
            {
                meet = MeetOnTheWay(spot, other, quarters);
                Remember(key, meet);
            }
            return meet;
        }

        private void Remember(long? key, bool meet)
        {
            if (_known.Count >= Most)
            {
                _known.Clear();
            }
            if (key.HasValue)
            {
                _known[key.Value] = meet;
            }
        }

        /// <summary>All that an answer depends on as one number; null if it is too far out.</summary>
        private static long? KeyOf(Spot spot, Spot other, int quarters)
        {
            long key = quarters;
            foreach (long number in new[] { spot.X, spot.Y, other.X, other.Y })
            {
                if (number < -4096 || number >= 4096)
                {
                    return null;
                }
                key = (key << 13) | (number + 4096);
            }
            return key;
        }

        private static bool MeetOnTheWay(Spot spot, Spot other, int quarters)
        {
            double back = quarters < 3 ? 0.0 : Math.PI / 2.0;
            double ahead = quarters < 3 ? quarters * Math.PI / 2.0 : 0.0;
            foreach (double radius in Telling(spot, other))
            {
                Arc passed = Arc.Of(spot, radius).Widened(back, ahead);
                if (passed.Overlaps(Arc.Of(other, radius)))
                {
                    return true;
                }
            }
            return false;
        }

        /// <summary>Radii of circles that both cells share and that tell whether they meet.</summary>
        private static List<double> Telling(Spot spot, Spot other)
        {
            double inner = Math.Sqrt(Math.Max(spot.Nearest, other.Nearest)) / 2.0;
            double outer = Math.Sqrt(Math.Min(spot.Farthest, other.Farthest)) / 2.0;
            var bends = new SortedSet<double> { inner, outer };
            AddBends(bends, spot);
            AddBends(bends, other);
            var found = new List<double>();
            foreach (double radius in bends)
            {
                if (radius >= inner && radius <= outer)
                {
                    found.Add(radius);
                }
            }
            for (int i = found.Count - 1; i > 0; i--)
            {
                found.Add((found[i - 1] + found[i]) / 2.0);
            }
            return found;
        }

        /// <summary>Distances of a cell's corners.</summary>
        private static void AddBends(SortedSet<double> bends, Spot spot)
        {
            double x = Math.Abs(spot.X), y = Math.Abs(spot.Y);
            foreach (double a in new[] { x - 0.5, x + 0.5 })
            {
                bends.Add(Math.Sqrt(a * a + (y - 0.5) * (y - 0.5)));
                bends.Add(Math.Sqrt(a * a + (y + 0.5) * (y + 0.5)));
            }
        }
    }
}
