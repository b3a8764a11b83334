using System.Collections.Generic;
using System.Linq;
using Luban.Core;

namespace Luban.Wire
{
    /// <summary>Draw the scene.</summary>
    public sealed class RenderCall : PlayerCall
    {
        public RenderCall(
            IReadOnlyList<PlayerCamera> cameras,
            int size,
            PlayerEncoding encoding,
            IReadOnlyList<BodyTransform> transforms,
            IReadOnlyList<PlayerPass> passes)
        {
            Cameras = cameras;
            Size = size;
            Encoding = encoding;
            Transforms = transforms;
            Passes = passes;
        }

        /// <summary>One picture for each.</summary>
        public IReadOnlyList<PlayerCamera> Cameras { get; }

        /// <summary>Edge of each picture in pixels.</summary>
        public int Size { get; }

        public PlayerEncoding Encoding { get; }

        /// <summary>Bodies that are drawn elsewhere than they are.</summary>
        public IReadOnlyList<BodyTransform> Transforms { get; }

        /// <summary>What is wanted of each pixel; everything if empty.</summary>
        public IReadOnlyList<PlayerPass> Passes { get; }

        /// <summary>Whether a pass is wanted.</summary>
        public bool Wants(PlayerPass pass) => Passes.Count == 0 || Passes.Contains(pass);
    }
}
