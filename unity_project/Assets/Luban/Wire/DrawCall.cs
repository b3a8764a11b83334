using System.Collections.Generic;
using System.Linq;

namespace Luban.Wire
{
    /// <summary>Draw scenes.</summary>
    public abstract class DrawCall : PlayerCall
    {
        private const int RgbBytes = 3, IdsBytes = 2, DepthBytes = 4, NormalsBytes = 12;

        protected DrawCall(
            IReadOnlyList<Exhibit> exhibits, int size, PlayerEncoding encoding, IReadOnlyList<PlayerPass> passes)
        {
            Exhibits = exhibits;
            Size = size;
            Encoding = encoding;
            Passes = passes;
        }

        /// <summary>What is looked at, in the order of the pictures.</summary>
        public IReadOnlyList<Exhibit> Exhibits { get; }

        /// <summary>Edge of each picture in pixels.</summary>
        public int Size { get; }

        public PlayerEncoding Encoding { get; }

        /// <summary>What is wanted of each pixel; everything but normals if empty.</summary>
        public IReadOnlyList<PlayerPass> Passes { get; }

        /// <summary>How many pictures there will be.</summary>
        public int Pictures => Exhibits.Sum(exhibit => exhibit.Cameras.Count);

        /// <summary>Bytes of what is wanted of a pixel.</summary>
        public long BytesOfPixel =>
            (Wants(PlayerPass.Rgb) ? RgbBytes : 0)
            + (Wants(PlayerPass.Ids) ? IdsBytes : 0)
            + (Wants(PlayerPass.Depth) ? DepthBytes : 0)
            + (Wants(PlayerPass.Normals) ? NormalsBytes : 0);

        /// <summary>Whether a pass is wanted.</summary>
        public bool Wants(PlayerPass pass) =>
            Passes.Count == 0 ? pass != PlayerPass.Normals : Passes.Contains(pass);
    }
}
