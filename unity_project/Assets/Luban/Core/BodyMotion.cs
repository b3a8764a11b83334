namespace Luban.Core
{
    /// <summary>What a world is asked to do: a <see cref="Sweep"/> or a <see cref="Carry"/>.</summary>
    public abstract class BodyMotion
    {
        private protected BodyMotion()
        {
        }
    }
}
