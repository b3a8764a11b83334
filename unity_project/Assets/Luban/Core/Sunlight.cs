using System;
using System.Collections.Generic;

namespace Luban.Core
{
    /// <summary>
    /// The sun of a scene, and the box in which its shadows are worked out: an orthographic view from the
    /// sun around all bodies.
    /// </summary>
    public sealed class Sunlight
    {
        /// <summary>The box grows in steps of this size, so that shadows don't crawl while bodies move.</summary>
        private const double Step = 4.0;

        /// <summary>Share of a step that stays free around the bodies.</summary>
        private const double Margin = 0.1;

        private static readonly double[][] Axes = SunAxes();

        private Sunlight(double[] matrix, double width)
        {
            Matrix = matrix;
            Width = width;
        }

        /// <summary>Unit vector from the scene to the sun: above the front, a little to the right.</summary>
        public static IReadOnlyList<double> ToLight => Axes[2];

        /// <summary>
        /// 16 numbers, row by row: from the world to the shadow map, x, y and depth from 0 to 1.
        /// </summary>
        public IReadOnlyList<double> Matrix { get; }

        /// <summary>Units that the map is wide.</summary>
        public double Width { get; }

        /// <param name="bodies">The bodies.</param>
        /// <param name="places">Where each of them is.</param>
        public static Sunlight Around(IReadOnlyList<Body> bodies, IReadOnlyList<RigidTransform> places)
        {
            double[] low = Filled(double.PositiveInfinity), high = Filled(double.NegativeInfinity);
            for (int i = 0; i < bodies.Count; i++)
            {
                Widen(bodies[i].Shape.Bounds, places[i], low, high);
            }
            if (bodies.Count == 0)
            {
                low = Filled(0.0);
                high = Filled(0.0);
            }
            return Of(low, high);
        }

        private static Sunlight Of(double[] low, double[] high)
        {
            double[] middle = Filled(0.0), half = Filled(0.0);
            for (int axis = 0; axis < 3; axis++)
            {
                double from = Math.Floor(low[axis] / Step - Margin) * Step;
                double to = Math.Ceiling(high[axis] / Step + Margin) * Step;
                middle[axis] = (from + to) / 2.0;
                half[axis] = (to - from) / 2.0;
            }
            half[0] = half[1] = Math.Max(half[0], half[1]);
            var matrix = new double[16];
            matrix[15] = 1.0;
            for (int row = 0; row < 3; row++)
            {
                // Depth grows away from the sun, the third axis towards it.
                double scale = 2.0 * half[row] * (row == 2 ? -1.0 : 1.0);
                for (int column = 0; column < 3; column++)
                {
                    matrix[4 * row + column] = Axes[row][column] / scale;
                }
                matrix[4 * row + 3] = 0.5 - middle[row] / scale;
            }
            return new Sunlight(matrix, 2.0 * half[0]);
        }

        /// <summary>Lets the extent, along the axes of the sun, hold the corners of a block.</summary>
        private static void Widen(Block block, RigidTransform place, double[] low, double[] high)
        {
            for (int corner = 0; corner < 8; corner++)
            {
                var local = new[]
                {
                    (corner & 1) == 0 ? block.Low.X - 0.5 : block.High.X + 0.5,
                    (corner & 2) == 0 ? block.Low.Y - 0.5 : block.High.Y + 0.5,
                    (corner & 4) == 0 ? block.Low.Z - 0.5 : block.High.Z + 0.5,
                };
                double[] world = Filled(0.0);
                for (int row = 0; row < 3; row++)
                {
                    world[row] = place[row, 3];
                    for (int column = 0; column < 3; column++)
                    {
                        world[row] += place[row, column] * local[column];
                    }
                }
                for (int axis = 0; axis < 3; axis++)
                {
                    double at = Axes[axis][0] * world[0] + Axes[axis][1] * world[1] + Axes[axis][2] * world[2];
                    low[axis] = Math.Min(low[axis], at);
                    high[axis] = Math.Max(high[axis], at);
                }
            }
        }

        private static double[] Filled(double value) => new[] { value, value, value };

        /// <summary>Two axes across the sunlight, and the one towards the sun.</summary>
        private static double[][] SunAxes()
        {
            double[] sun = Unit(new[] { 0.34, -0.46, 0.82 });
            double[] right = Unit(new[] { -sun[1], sun[0], 0.0 });
            return new[] { right, Cross(sun, right), sun };
        }

        private static double[] Unit(double[] vector)
        {
            double length = Math.Sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]);
            return new[] { vector[0] / length, vector[1] / length, vector[2] / length };
        }

        private static double[] Cross(double[] a, double[] b) => new[]
        {
            a[1] * b[2] - a[2] * b[1],
            a[2] * b[0] - a[0] * b[2],
            a[0] * b[1] - a[1] * b[0],
        };
    }
}
