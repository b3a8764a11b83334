namespace Luban.Wire
{
    /// <summary>A part of an answer that is too long for one message.</summary>
    public sealed class PartAnswer : PlayerAnswer
    {
        public PartAnswer(byte[] data, bool last)
        {
            Data = data;
            Last = last;
        }

        /// <summary>Some of the bytes of a response.</summary>
        public byte[] Data { get; }

        /// <summary>Whether they are the last ones.</summary>
        public bool Last { get; }
    }
}
