namespace Luban.Wire
{
    /// <summary>What the player answers.</summary>
    public sealed class PlayerResponse
    {
        public PlayerResponse(ulong id, ulong digest, PlayerAnswer answer)
        {
            Id = id;
            Digest = digest;
            Answer = answer;
        }

        /// <summary>The request's id.</summary>
        public ulong Id { get; }

        /// <summary>The digest of the state; 0 while there is no scene.</summary>
        public ulong Digest { get; }

        /// <summary>The answer; null if it is none that is known.</summary>
        public PlayerAnswer Answer { get; }
    }
}
