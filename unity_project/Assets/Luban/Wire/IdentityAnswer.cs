namespace Luban.Wire
{
    /// <summary>Who the player is.</summary>
    public sealed class IdentityAnswer : PlayerAnswer
    {
        public IdentityAnswer(uint protocol, string engine, string graphics)
        {
            Protocol = protocol;
            Engine = engine;
            Graphics = graphics;
        }

        /// <summary>Version of the protocol that the player speaks.</summary>
        public uint Protocol { get; }

        /// <summary>Engine and version, as written into logs.</summary>
        public string Engine { get; }

        /// <summary>Graphics device, or empty if the player can't draw.</summary>
        public string Graphics { get; }
    }
}
