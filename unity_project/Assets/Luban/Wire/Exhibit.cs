using System.Collections.Generic;
using Luban.Core;

namespace Luban.Wire
{
    /// <summary>A scene, and from where it is looked at.</summary>
    public sealed class Exhibit
    {
        public Exhibit(Scene scene, IReadOnlyList<PlayerCamera> cameras, IReadOnlyList<BodyTransform> transforms)
        {
            Scene = scene;
            Cameras = cameras;
            Transforms = transforms;
        }

        /// <summary>What is drawn; null for the scene of the player's world.</summary>
        public Scene Scene { get; }

        /// <summary>One picture for each.</summary>
        public IReadOnlyList<PlayerCamera> Cameras { get; }

        /// <summary>Bodies that are drawn elsewhere than they are.</summary>
        public IReadOnlyList<BodyTransform> Transforms { get; }
    }
}
