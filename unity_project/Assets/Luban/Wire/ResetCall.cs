using Luban.Core;

namespace Luban.Wire
{
    /// <summary>Forget everything and build a scene.</summary>
    public sealed class ResetCall : PlayerCall
    {
        public ResetCall(Scene scene)
        {
            Scene = scene;
        }

        public Scene Scene { get; }
    }
}
