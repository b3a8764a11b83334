using System.Collections.Generic;
using Luban.Core;

namespace Luban.Wire
{
    /// <summary>Draw the scene of the player's world.</summary>
    public sealed class RenderCall : DrawCall
    {
        public RenderCall(
            IReadOnlyList<PlayerCamera> cameras,
            int size,
            PlayerEncoding encoding,
            IReadOnlyList<BodyTransform> transforms,
            IReadOnlyList<PlayerPass> passes)
            : base(new[] { new Exhibit(null, cameras, transforms) }, size, encoding, passes)
        {
        }

        /// <summary>One picture for each.</summary>
        public IReadOnlyList<PlayerCamera> Cameras => Exhibits[0].Cameras;

        /// <summary>Bodies that are drawn elsewhere than they are.</summary>
        public IReadOnlyList<BodyTransform> Transforms => Exhibits[0].Transforms;
    }
}
