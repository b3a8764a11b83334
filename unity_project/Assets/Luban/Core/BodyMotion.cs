namespace Luban.Core
{
    /// <summary>
    /// What a world is asked to do: a <see cref="Sweep"/>, a <see cref="Carry"/> or a <see cref="Turn"/>.
    /// </summary>
    public abstract class BodyMotion
    {
        private protected BodyMotion()
        {
        }
    }
}
