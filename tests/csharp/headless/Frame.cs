namespace Luban.Headless
{
    /// <summary>An HTTP/2 frame.</summary>
    internal readonly struct Frame
    {
        /// <summary>Of data and headers: the last of the stream. Of settings and pings: an answer.</summary>
        public const byte EndOrAck = 1;

        /// <summary>Of headers: they are complete.</summary>
        public const byte EndHeaders = 4;

        public Frame(FrameType type, byte flags, int stream, byte[] payload)
        {
            Type = type;
            Flags = flags;
            Stream = stream;
            Payload = payload;
        }

        public FrameType Type { get; }

        public byte Flags { get; }

        /// <summary>0 for the connection itself.</summary>
        public int Stream { get; }

        public byte[] Payload { get; }

        public bool Ends => (Flags & EndOrAck) != 0;
    }
}
