namespace Luban.Wire
{
    /// <summary>The request could not be met; nothing changed.</summary>
    public sealed class FailedAnswer : PlayerAnswer
    {
        public FailedAnswer(PlayerError error, string message)
        {
            Error = error;
            Message = message;
        }

        public PlayerError Error { get; }

        /// <summary>The same in words.</summary>
        public string Message { get; }
    }
}
