using System.Collections.Generic;

namespace Luban.Wire
{
    /// <summary>Pictures of one scene, in the cameras' order.</summary>
    public sealed class PicturesAnswer : PlayerAnswer
    {
        public PicturesAnswer(IReadOnlyList<PlayerPicture> pictures)
        {
            Pictures = pictures;
        }

        public IReadOnlyList<PlayerPicture> Pictures { get; }
    }
}
