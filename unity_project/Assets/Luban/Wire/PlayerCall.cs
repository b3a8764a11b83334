namespace Luban.Wire
{
    /// <summary>What a request asks: one of the other types whose names end in Call.</summary>
    public abstract class PlayerCall
    {
        private protected PlayerCall()
        {
        }
    }
}
