namespace Luban.Core
{
    /// <summary>A coloured patch on one face of one cell of a body; it is there to be seen only.</summary>
    public readonly struct Sticker
    {
        /// <exception cref="LatticeException">There is no such side (<c>Invalid</c>).</exception>
        public Sticker(Face face, int rgb, ulong ink, uint lie)
        {
            // Asked for what it refuses.
            Directions.Vector(face.Direction);
            Face = face;
            Rgb = rgb;
            Ink = ink;
            Lie = lie;
        }

        /// <summary>Where it is stuck, in the body's coordinates.</summary>
        public Face Face { get; }

        /// <summary>How it is painted: sRGB, as 0xRRGGBB.</summary>
        public int Rgb { get; }

        /// <summary>
        /// What stands on it: 7 rows of 7 squares, a bit for each, from the bottom left; 0 for nothing.
        /// </summary>
        public ulong Ink { get; }

        /// <summary>
        /// How that lies on the face: 1, its axes change places; 2, the first then runs to the left; 4,
        /// the second then runs down.
        /// </summary>
        public uint Lie { get; }
    }
}
