using System;
using System.IO;
using System.Net.Sockets;
using System.Text;

namespace Luban.Headless
{
    /// <summary>
    /// Unary gRPC calls over HTTP/2 without TLS, one at a time (RFC 9113, and gRPC over HTTP/2). Why a
    /// call fails is not read from its trailers: a call without a message has failed.
    /// </summary>
    internal sealed class GrpcConnection : IDisposable
    {
        private const int DefaultWindow = 65535;
        private const int OurWindow = int.MaxValue;
        private const int PrefixLength = 5;

        /// <summary>As in Unity, where nobody tells gRPC otherwise.</summary>
        private const int MaxMessage = 4 << 20;

        private const int SettingHeaderTable = 1;
        private const int SettingPush = 2;
        private const int SettingWindow = 4;

        private readonly FrameStream _frames;
        private readonly string _authority;
        private int _nextStream = 1;
        private long _sendWindow = DefaultWindow;
        private long _streamWindow;
        private long _peerWindow = DefaultWindow;
        private int _received;
        private MemoryStream _message = new MemoryStream();
        private bool _ended;

        public GrpcConnection(string host, int port)
        {
            _authority = host + ":" + port;
            _frames = new FrameStream(new TcpClient(host, port));
            var settings = new MemoryStream();
            WriteSetting(settings, SettingHeaderTable, 0);
            WriteSetting(settings, SettingPush, 0);
            WriteSetting(settings, SettingWindow, OurWindow);
            _frames.Write(new Frame(FrameType.Settings, 0, 0, settings.ToArray()));
            GrantWindow(OurWindow - DefaultWindow);
            _frames.Flush();
        }

        /// <summary>Calls a method, and waits for its answer for as long as the connection holds.</summary>
        /// <exception cref="RpcException">It is refused, or the connection ends.</exception>
        public byte[] Call(string path, byte[] request)
        {
            int stream = _nextStream;
            _nextStream += 2;
            _streamWindow = _peerWindow;
            _message = new MemoryStream();
            _ended = false;
            byte[] headers = HeaderBlock.Of(path, _authority);
            _frames.Write(new Frame(FrameType.Headers, Frame.EndHeaders, stream, headers));
            Send(stream, Prefixed(request));
            while (!_ended)
            {
                Receive(stream);
            }
            return Unprefixed(_message.ToArray());
        }

        public void Dispose() => _frames.Dispose();

        private static byte[] Prefixed(byte[] message)
        {
            var data = new byte[PrefixLength + message.Length];
            WriteNumber(data, 1, message.Length);
            Buffer.BlockCopy(message, 0, data, PrefixLength, message.Length);
            return data;
        }

        private static byte[] Unprefixed(byte[] data)
        {
            if (data.Length < PrefixLength)
            {
                throw new RpcException("the call was refused: it is too large, or its handler failed");
            }
            if (data[0] != 0 || ReadNumber(data, 1) != data.Length - PrefixLength)
            {
                throw new RpcException("an answer that is compressed or cut off");
            }
            var message = new byte[data.Length - PrefixLength];
            Buffer.BlockCopy(data, PrefixLength, message, 0, message.Length);
            return message;
        }

        private static void WriteSetting(Stream settings, int name, int value)
        {
            var entry = new byte[6];
            entry[1] = (byte)name;
            WriteNumber(entry, 2, value);
            settings.Write(entry, 0, entry.Length);
        }

        private static void WriteNumber(byte[] bytes, int at, int number)
        {
            for (int i = 0; i < 4; i++)
            {
                bytes[at + i] = (byte)(number >> (24 - 8 * i));
            }
        }

        private static long ReadNumber(byte[] bytes, int at) =>
            (long)bytes[at] << 24 | (long)bytes[at + 1] << 16 | (long)bytes[at + 2] << 8 | bytes[at + 3];

        /// <summary>Sends data as the other end's windows allow it.</summary>
        private void Send(int stream, byte[] data)
        {
            for (int done = 0; done < data.Length && !_ended;)
            {
                long most = Math.Min(Math.Min(_sendWindow, _streamWindow), FrameStream.MaxPayload);
                if (most <= 0)
                {
                    _frames.Flush();
                    Receive(stream);
                    continue;
                }
                int count = (int)Math.Min(most, data.Length - done);
                byte flags = done + count == data.Length ? Frame.EndOrAck : (byte)0;
                _frames.Write(new Frame(FrameType.Data, flags, stream, data), done, count);
                done += count;
                _sendWindow -= count;
                _streamWindow -= count;
            }
            _frames.Flush();
        }

        private void Receive(int stream)
        {
            Frame frame = _frames.Read();
            bool ours = frame.Stream == stream;
            switch (frame.Type)
            {
                case FrameType.Data:
                    Take(frame, ours);
                    break;
                case FrameType.Headers:
                    _ended |= ours && frame.Ends;
                    break;
                case FrameType.Reset:
                    _ended |= ours;
                    break;
                case FrameType.Settings:
                    Heed(frame);
                    break;
                case FrameType.Ping:
                    Acknowledge(frame, frame.Payload);
                    break;
                case FrameType.GoAway:
                    throw new RpcException("the other end goes away: " + Words(frame.Payload));
                case FrameType.WindowUpdate:
                    Widen(frame, ours);
                    break;
            }
        }

        private static string Words(byte[] payload) =>
            payload.Length > 8 ? Encoding.ASCII.GetString(payload, 8, payload.Length - 8) : "no reason";

        private void Take(Frame frame, bool ours)
        {
            if (ours)
            {
                _message.Write(frame.Payload, 0, frame.Payload.Length);
                _ended |= frame.Ends;
            }
            if (_message.Length > MaxMessage + PrefixLength)
            {
                throw new RpcException("an answer of more than " + MaxMessage + " bytes");
            }
            _received += frame.Payload.Length;
            if (_received > 1 << 20)
            {
                GrantWindow(_received);
                _frames.Flush();
                _received = 0;
            }
        }

        private void Heed(Frame settings)
        {
            if (settings.Ends)
            {
                return;
            }
            for (int at = 0; at + 6 <= settings.Payload.Length; at += 6)
            {
                if ((settings.Payload[at] << 8 | settings.Payload[at + 1]) == SettingWindow)
                {
                    long window = ReadNumber(settings.Payload, at + 2);
                    _streamWindow += window - _peerWindow;
                    _peerWindow = window;
                }
            }
            Acknowledge(settings, new byte[0]);
        }

        private void Acknowledge(Frame frame, byte[] payload)
        {
            if (!frame.Ends)
            {
                _frames.Write(new Frame(frame.Type, Frame.EndOrAck, 0, payload));
                _frames.Flush();
            }
        }

        private void Widen(Frame frame, bool ours)
        {
            long more = ReadNumber(frame.Payload, 0);
            if (frame.Stream == 0)
            {
                _sendWindow += more;
            }
            else if (ours)
            {
                _streamWindow += more;
            }
        }

        private void GrantWindow(int more)
        {
            var payload = new byte[4];
            WriteNumber(payload, 0, more);
            _frames.Write(new Frame(FrameType.WindowUpdate, 0, 0, payload));
        }
    }
}
