namespace Luban.Wire
{
    /// <summary>One picture; the top row comes first.</summary>
    public sealed class PlayerPicture
    {
        public PlayerPicture(
            int size, byte[] rgb, PlayerEncoding encoding, byte[] ids, byte[] depth, byte[] normals)
        {
            Size = size;
            Rgb = rgb;
            Encoding = encoding;
            Ids = ids;
            Depth = depth;
            Normals = normals;
        }

        /// <summary>Edge in pixels.</summary>
        public int Size { get; }

        /// <summary>Red, green and blue, 8 bits each, sRGB; or a PNG file.</summary>
        public byte[] Rgb { get; }

        public PlayerEncoding Encoding { get; }

        /// <summary>16 bits a pixel, little-endian: 0 where no body is seen, else its place + 1.</summary>
        public byte[] Ids { get; }

        /// <summary>
        /// 32-bit floats, little-endian: units from the camera plane; infinity where nothing is seen.
        /// </summary>
        public byte[] Depth { get; }

        /// <summary>
        /// Three 32-bit floats a pixel, little-endian: out of the surface, in the lattice's axes; zeros
        /// where nothing is seen.
        /// </summary>
        public byte[] Normals { get; }
    }
}
