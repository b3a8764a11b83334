namespace Luban.Wire
{
    /// <summary>Say who you are; the first request.</summary>
    public sealed class HelloCall : PlayerCall
    {
        public HelloCall(uint protocol)
        {
            Protocol = protocol;
        }

        /// <summary>Version of the protocol that the bridge speaks.</summary>
        public uint Protocol { get; }
    }
}
