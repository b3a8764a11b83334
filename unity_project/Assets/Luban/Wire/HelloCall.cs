namespace Luban.Wire
{
    /// <summary>Say who you are; the first request.</summary>
    public sealed class HelloCall : PlayerCall
    {
        public HelloCall(uint protocol, uint answerBytes = 0)
        {
            Protocol = protocol;
            AnswerBytes = answerBytes;
        }

        /// <summary>Version of the protocol that the bridge speaks.</summary>
        public uint Protocol { get; }

        /// <summary>Bytes of an answer that the bridge takes at once; 0 if it does not say.</summary>
        public uint AnswerBytes { get; }
    }
}
