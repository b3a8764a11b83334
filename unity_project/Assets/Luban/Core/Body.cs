using System.Collections.Generic;

namespace Luban.Core
{
    /// <summary>A rigid body made of cells.</summary>
    public sealed class Body
    {
        private static readonly Sticker[] None = new Sticker[0];

        public Body(
            string name,
            Shape shape,
            LatticePose pose,
            int rgb,
            bool loose,
            IReadOnlyList<Sticker> stickers = null,
            bool translucent = false)
        {
            Name = name;
            Shape = shape;
            Pose = pose;
            Rgb = rgb;
            Loose = loose;
            Stickers = stickers ?? None;
            Translucent = translucent;
        }

        /// <summary>Its handle, unique in the scene.</summary>
        public string Name { get; }

        /// <summary>Its cells in its own coordinates.</summary>
        public Shape Shape { get; }

        /// <summary>Where it is.</summary>
        public LatticePose Pose { get; }

        /// <summary>How it is painted: sRGB, as 0xRRGGBB.</summary>
        public int Rgb { get; }

        /// <summary>Whether it lies free, under gravity; else it is held where it is.</summary>
        public bool Loose { get; }

        /// <summary>What is stuck on it; to be seen only.</summary>
        public IReadOnlyList<Sticker> Stickers { get; }

        /// <summary>Whether it is seen through; it then has no id, depth, normal or shadow in pictures.</summary>
        public bool Translucent { get; }
    }
}
