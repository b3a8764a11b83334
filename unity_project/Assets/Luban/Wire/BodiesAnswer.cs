using System.Collections.Generic;
using Luban.Core;

namespace Luban.Wire
{
    /// <summary>Where every body is, in the scene's order.</summary>
    public sealed class BodiesAnswer : PlayerAnswer
    {
        public BodiesAnswer(IReadOnlyList<BodyTransform> bodies)
        {
            Bodies = bodies;
        }

        public IReadOnlyList<BodyTransform> Bodies { get; }
    }
}
