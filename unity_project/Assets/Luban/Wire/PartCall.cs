namespace Luban.Wire
{
    /// <summary>A part of a request that is too long for one message.</summary>
    public sealed class PartCall : PlayerCall
    {
        public PartCall(byte[] data, bool last)
        {
            Data = data;
            Last = last;
        }

        /// <summary>Some of the bytes of a request.</summary>
        public byte[] Data { get; }

        /// <summary>Whether they are the last ones: then the whole is answered.</summary>
        public bool Last { get; }
    }
}
