namespace Luban.Wire
{
    /// <summary>What a response says: one of the other types whose names end in Answer.</summary>
    public abstract class PlayerAnswer
    {
        private protected PlayerAnswer()
        {
        }
    }
}
