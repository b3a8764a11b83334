namespace Luban.Core
{
    /// <summary>A rigid body made of cells.</summary>
    public sealed class Body
    {
        public Body(string name, Shape shape, LatticePose pose, int rgb, bool loose)
        {
            Name = name;
            Shape = shape;
            Pose = pose;
            Rgb = rgb;
            Loose = loose;
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
    }
}
