using System.Collections.Generic;

namespace Luban.Wire
{
    /// <summary>Draws the scene of a world.</summary>
    public interface IRenderer
    {
        /// <summary>Graphics device, as written into logs; never empty.</summary>
        string Graphics { get; }

        /// <summary>
        /// One picture for each camera of each scene, in their order; raw if the encoding is not said.
        /// Bodies that an exhibit names are drawn where it says, the others where they are. Passes that
        /// are not wanted may be left empty.
        /// </summary>
        IReadOnlyList<PlayerPicture> Render(DrawCall call);
    }
}
