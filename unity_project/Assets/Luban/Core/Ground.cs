using System;

namespace Luban.Core
{
    /// <summary>The ground that is seen under a scene: a disc that fades out.</summary>
    public sealed class Ground
    {
        private Ground(double x, double y, double height, double radius)
        {
            X = x;
            Y = y;
            Height = height;
            Radius = radius;
        }

        /// <summary>Its middle.</summary>
        public double X { get; }

        public double Y { get; }

        /// <summary>Where its surface is.</summary>
        public double Height { get; }

        /// <summary>How far it is seen; 0 for no ground.</summary>
        public double Radius { get; }

        /// <summary>The ground under a scene, seen from a height; there is none from below.</summary>
        public static Ground Under(Scene scene, double eyeHeight)
        {
            if (!scene.Table.HasValue || eyeHeight <= scene.Table.Value.Low.Z - 0.5)
            {
                return new Ground(0.0, 0.0, 0.0, 0.0);
            }
            Block whole = Block.Around(scene.Work, scene.Table.Value);
            Cell sum = whole.Low + whole.High, size = whole.High - whole.Low;
            int longest = Math.Max(size.X, Math.Max(size.Y, size.Z)) + 1;
            return new Ground(sum.X / 2.0, sum.Y / 2.0, scene.Table.Value.Low.Z - 0.5, longest + 4.0);
        }
    }
}
