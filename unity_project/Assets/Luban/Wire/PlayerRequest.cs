namespace Luban.Wire
{
    /// <summary>What the bridge asks.</summary>
    public sealed class PlayerRequest
    {
        public PlayerRequest(ulong id, PlayerCall call)
        {
            Id = id;
            Call = call;
        }

        /// <summary>Counts up from 1; the response carries the same.</summary>
        public ulong Id { get; }

        /// <summary>What is asked; null if nothing that is known.</summary>
        public PlayerCall Call { get; }
    }
}
