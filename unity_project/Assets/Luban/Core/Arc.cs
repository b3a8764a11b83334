using System;
using System.Collections.Generic;

namespace Luban.Core
{
    /// <summary>A part of a circle: from one direction on to another, in radians.</summary>
    internal readonly struct Arc
    {
        /// <summary>Radians by which arcs have to overlap: less is rounding.</summary>
        private const double Least = 1e-9;

        private const double Whole = 2.0 * Math.PI;

        private readonly double _first;
        private readonly double _last;

        private Arc(double first, double last)
        {
            _first = first;
            _last = last;
        }

        /// <summary>What a cell beside the axis and a circle around it share.</summary>
        public static Arc Of(Spot spot, double radius)
        {
            double middle = Math.Atan2(spot.Y, spot.X);
            double first = double.MaxValue, last = double.MinValue;
            foreach (double direction in Crossings(spot, radius))
            {
                double off = Remainder(direction - middle + Math.PI) - Math.PI;
                first = Math.Min(first, off);
                last = Math.Max(last, off);
            }
            return new Arc(middle + first, middle + last);
        }

        public Arc Widened(double back, double ahead) => new Arc(_first - back, _last + ahead);

        /// <summary>Whether the two share more than an end.</summary>
        public bool Overlaps(Arc other)
        {
            double begin = Remainder(other._first - _first), end = Remainder(other._last - _first);
            double length = _last - _first;
            if (IsWithin(begin, length) || IsWithin(end, length))
            {
                return true;
            }
            bool around = end > Least && end < begin - Least;
            bool together = Math.Min(begin, Whole - begin) < Least;
            return (around || together) && Math.Min(length, other._last - other._first) > Least;
        }

        private static bool IsWithin(double place, double length) => place > Least && place < length - Least;

        /// <summary>Directions of the points of a cell's edges on a circle.</summary>
        private static IEnumerable<double> Crossings(Spot spot, double radius)
        {
            foreach (double k in new[] { -0.5, 0.5 })
            {
                double x = spot.X + k, y = spot.Y + k;
                foreach (double sign in new[] { -1.0, 1.0 })
                {
                    double across = sign * Root(x, radius);
                    if (Math.Abs(across - spot.Y) <= 0.5 + Least)
                    {
                        yield return Math.Atan2(across, x);
                    }
                    across = sign * Root(y, radius);
                    if (Math.Abs(across - spot.X) <= 0.5 + Least)
                    {
                        yield return Math.Atan2(y, across);
                    }
                }
            }
        }

        /// <summary>How far to both sides a circle is, so far along; 0 if it is just touched, or not at all.</summary>
        private static double Root(double along, double radius) =>
            Math.Sqrt(Math.Max(0.0, radius * radius - along * along));

        /// <summary>An angle, from 0 to a whole turn.</summary>
        private static double Remainder(double angle)
        {
            double rest = angle % Whole;
            return rest < 0.0 ? rest + Whole : rest;
        }
    }
}
