using System;
using System.IO;
using System.Net.Sockets;
using System.Text;

namespace Luban.Headless
{
    /// <summary>Frames over a TCP connection, which begins as HTTP/2 without TLS does.</summary>
    internal sealed class FrameStream : IDisposable
    {
        /// <summary>Bytes of payload in a frame, at most; nobody may send more unasked.</summary>
        public const int MaxPayload = 16384;

        private const int HeaderLength = 9;
        private const int BufferLength = 1 << 16;

        private readonly TcpClient _client;
        private readonly BufferedStream _output;
        private readonly BufferedStream _input;

        public FrameStream(TcpClient client)
        {
            _client = client;
            _client.NoDelay = true;
            _output = new BufferedStream(client.GetStream(), BufferLength);
            _input = new BufferedStream(client.GetStream(), BufferLength);
            byte[] preface = Encoding.ASCII.GetBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
            _output.Write(preface, 0, preface.Length);
        }

        /// <summary>Writes a frame; it goes out with the next <see cref="Flush"/>, or before.</summary>
        public void Write(Frame frame) => Write(frame, 0, frame.Payload.Length);

        /// <summary>Writes a frame whose payload is a part of the bytes.</summary>
        public void Write(Frame frame, int start, int count)
        {
            var header = new[]
            {
                (byte)(count >> 16), (byte)(count >> 8), (byte)count,
                (byte)frame.Type, frame.Flags,
                (byte)(frame.Stream >> 24), (byte)(frame.Stream >> 16), (byte)(frame.Stream >> 8), (byte)frame.Stream,
            };
            _output.Write(header, 0, HeaderLength);
            _output.Write(frame.Payload, start, count);
        }

        public void Flush() => _output.Flush();

        /// <summary>Waits for the next frame.</summary>
        /// <exception cref="RpcException">The connection has ended, or the frame is too large.</exception>
        public Frame Read()
        {
            byte[] header = ReadBytes(HeaderLength);
            int count = header[0] << 16 | header[1] << 8 | header[2];
            if (count > MaxPayload)
            {
                throw new RpcException("a frame of " + count + " bytes");
            }
            int stream = (header[5] & 0x7f) << 24 | header[6] << 16 | header[7] << 8 | header[8];
            return new Frame((FrameType)header[3], header[4], stream, ReadBytes(count));
        }

        public void Dispose() => _client.Close();

        private byte[] ReadBytes(int count)
        {
            var bytes = new byte[count];
            for (int done = 0; done < count;)
            {
                int read = _input.Read(bytes, done, count - done);
                if (read <= 0)
                {
                    throw new RpcException("the connection has ended");
                }
                done += read;
            }
            return bytes;
        }
    }
}
