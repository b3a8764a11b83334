using System.Collections.Generic;

namespace Luban.Wire
{
    /// <summary>Draw scenes that the player does not hold; it keeps the one that it has, if any.</summary>
    public sealed class GalleryCall : DrawCall
    {
        public GalleryCall(
            IReadOnlyList<Exhibit> exhibits, int size, PlayerEncoding encoding, IReadOnlyList<PlayerPass> passes)
            : base(exhibits, size, encoding, passes)
        {
        }
    }
}
