using System;
using System.Collections.Generic;
using Luban.Core;

namespace Luban.Wire
{
    /// <summary>
    /// Where the rays of a camera's picture start and where they go. At x (-1 left, 1 right) and y (-1
    /// bottom, 1 top) both are <c>rows[0] + x * rows[1] + y * rows[2]</c>; directions are 1 long along the
    /// camera's axis. In the lattice's frame.
    /// </summary>
    public sealed class CameraRays
    {
        /// <param name="camera">A pinhole, or one with parallel rays.</param>
        /// <exception cref="LatticeException">Its matrix is none of a camera's (<c>Invalid</c>).</exception>
        public CameraRays(PlayerCamera camera)
        {
            IReadOnlyList<double> matrix = camera.ClipFromWorld;
            Distance = camera.DistanceFromWorld.Count == 0
                ? new[] { matrix[12], matrix[13], matrix[14], matrix[15] }
                : new[]
                {
                    camera.DistanceFromWorld[0],
                    camera.DistanceFromWorld[1],
                    camera.DistanceFromWorld[2],
                    camera.DistanceFromWorld[3],
                };
            IsParallel = matrix[12] == 0.0 && matrix[13] == 0.0 && matrix[14] == 0.0;
            var gaze = new[] { Distance[0], Distance[1], Distance[2] };
            double[] right = { matrix[0], matrix[1], matrix[2] }, up = { matrix[4], matrix[5], matrix[6] };
            double[] eye = Solve(right, up, gaze, -matrix[3], -matrix[7], -Distance[3]);
            // The rows of a pinhole whose picture is cut out of a larger one lean towards where it looks.
            double shiftX = IsParallel ? 0.0 : Dot(right, gaze), shiftY = IsParallel ? 0.0 : Dot(up, gaze);
            right = Sum(right, gaze, -shiftX);
            up = Sum(up, gaze, -shiftY);
            double[] across = Scaled(right, 1.0 / Dot(right, right)), along = Scaled(up, 1.0 / Dot(up, up));
            double[] middle = Sum(Sum(gaze, across, -shiftX), along, -shiftY);
            var none = new double[3];
            Origins = IsParallel ? new[] { eye, across, along } : new[] { eye, none, none };
            Ways = IsParallel ? new[] { gaze, none, none } : new[] { middle, across, along };
        }

        /// <summary>Whether all go the same way.</summary>
        public bool IsParallel { get; }

        /// <summary>4 numbers: their product with x, y, z and 1 is the distance from the camera plane.</summary>
        public IReadOnlyList<double> Distance { get; }

        /// <summary>Where the camera stands.</summary>
        public IReadOnlyList<double> Eye => Origins[0];

        /// <summary>Where rays start: three rows.</summary>
        public IReadOnlyList<double[]> Origins { get; }

        /// <summary>Where rays go: three rows.</summary>
        public IReadOnlyList<double[]> Ways { get; }

        private static double Dot(double[] a, double[] b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

        private static double[] Scaled(double[] a, double k) => new[] { a[0] * k, a[1] * k, a[2] * k };

        private static double[] Sum(double[] a, double[] b, double k) =>
            new[] { a[0] + b[0] * k, a[1] + b[1] * k, a[2] + b[2] * k };

        private static double[] Cross(double[] a, double[] b) => new[]
        {
            a[1] * b[2] - a[2] * b[1],
            a[2] * b[0] - a[0] * b[2],
            a[0] * b[1] - a[1] * b[0],
        };

        /// <summary>The point whose products with a, b and c are given.</summary>
        private static double[] Solve(double[] a, double[] b, double[] c, double x, double y, double z)
        {
            double[] bc = Cross(b, c), ca = Cross(c, a), ab = Cross(a, b);
            double volume = Dot(a, bc);
            if (!(Math.Abs(volume) > 0.0))
            {
                throw LatticeException.Invalid("a camera's matrix is that of a pinhole, or of parallel rays");
            }
            var point = new double[3];
            for (int i = 0; i < 3; i++)
            {
                point[i] = (x * bc[i] + y * ca[i] + z * ab[i]) / volume;
            }
            return point;
        }
    }
}
