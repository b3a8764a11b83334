using System;
using System.Collections.Generic;
using System.IO;

namespace Luban.Wire
{
    /// <summary>
    /// The side-channel bytes of an ML-Agents message: for each message the 16 bytes of the channel's
    /// UUID (as <see cref="Guid.ToByteArray"/> gives them), the length as a little-endian 32-bit
    /// integer, and the payload.
    /// </summary>
    public static class SideChannelFrames
    {
        /// <summary>The channel of requests and responses.</summary>
        public static readonly Guid Channel = new Guid("5d3c6f0e-8a0b-4c52-9a3e-1f6b2d7c9e41");

        private const int UuidLength = 16;
        private const int HeaderLength = UuidLength + 4;

        public static byte[] Write(IEnumerable<SideChannelMessage> messages)
        {
            var bytes = new MemoryStream();
            foreach (SideChannelMessage message in messages)
            {
                bytes.Write(message.Channel.ToByteArray(), 0, UuidLength);
                int length = message.Payload.Length;
                for (int shift = 0; shift < 32; shift += 8)
                {
                    bytes.WriteByte((byte)(length >> shift));
                }
                bytes.Write(message.Payload, 0, length);
            }
            return bytes.ToArray();
        }

        /// <exception cref="WireFormatException">A message is cut off.</exception>
        public static IReadOnlyList<SideChannelMessage> Read(byte[] bytes)
        {
            var messages = new List<SideChannelMessage>();
            int at = 0;
            while (at < bytes.Length)
            {
                int length = at + HeaderLength <= bytes.Length ? LengthAt(bytes, at + UuidLength) : -1;
                if (length < 0 || length > bytes.Length - at - HeaderLength)
                {
                    throw new WireFormatException("a side-channel message is cut off, at byte " + at);
                }
                var channel = new Guid(Slice(bytes, at, UuidLength));
                messages.Add(new SideChannelMessage(channel, Slice(bytes, at + HeaderLength, length)));
                at += HeaderLength + length;
            }
            return messages;
        }

        private static int LengthAt(byte[] bytes, int at) =>
            bytes[at] | bytes[at + 1] << 8 | bytes[at + 2] << 16 | bytes[at + 3] << 24;

        private static byte[] Slice(byte[] bytes, int start, int count)
        {
            var slice = new byte[count];
            Buffer.BlockCopy(bytes, start, slice, 0, count);
            return slice;
        }
    }
}
