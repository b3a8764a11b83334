using System;
using System.Collections.Generic;
using System.Text;

namespace Luban.Wire
{
    /// <summary>
    /// Reads the fields of one protobuf message, from bytes that may be hostile: nothing is read
    /// beyond them and nothing is allocated that they don't contain. Messages within it have readers
    /// of their own.
    /// </summary>
    /// <remarks>
    /// <code>while (reader.Next()) { switch (reader.Tag) { case ...: x = reader.ReadInt32(); break; } }</code>
    /// A field that is not read is skipped. Switching on the whole tag makes a field of an unexpected
    /// type an unknown one, as elsewhere in protobuf. Groups are refused.
    /// </remarks>
    public sealed class ProtoReader
    {
        private static readonly Encoding Utf8 = new UTF8Encoding(false, throwOnInvalidBytes: true);

        private readonly byte[] _bytes;
        private readonly int _end;
        private int _at;
        private bool _unread;

        public ProtoReader(byte[] bytes)
            : this(bytes, 0, bytes.Length)
        {
        }

        private ProtoReader(byte[] bytes, int start, int end)
        {
            _bytes = bytes;
            _at = start;
            _end = end;
        }

        /// <summary>The tag of the field that <see cref="Next"/> came to.</summary>
        public uint Tag { get; private set; }

        /// <summary>The tag of a field, by number and type.</summary>
        public static uint TagOf(int field, WireType type) => ((uint)field << 3) | (uint)type;

        /// <summary>Goes on to the next field; false at the end.</summary>
        /// <exception cref="WireFormatException">It, or the one that is skipped, is none.</exception>
        public bool Next()
        {
            if (_unread)
            {
                Skip();
            }
            if (_at == _end)
            {
                return false;
            }
            ulong tag = ReadVarint();
            if (tag > uint.MaxValue || tag >> 3 == 0)
            {
                throw Fault("no field has the tag " + tag);
            }
            Tag = (uint)tag;
            _unread = true;
            return true;
        }

        public ulong ReadVarint()
        {
            ulong value = 0;
            for (int shift = 0; shift < 64; shift += 7)
            {
                byte part = _bytes[Take(1)];
                if (shift == 63 && part > 1)
                {
                    break;
                }
                value |= (ulong)(part & 0x7f) << shift;
                if (part < 0x80)
                {
                    return value;
                }
            }
            throw Fault("a number of more than 64 bits");
        }

        /// <summary>An int32 or an enum; of a longer number the lowest 32 bits.</summary>
        public int ReadInt32() => unchecked((int)ReadVarint());

        public uint ReadUInt32() => unchecked((uint)ReadVarint());

        public bool ReadBool() => ReadVarint() != 0;

        /// <summary>A sint32: zigzag, small in size for numbers near zero.</summary>
        public int ReadSInt32()
        {
            uint zigzag = ReadUInt32();
            return (int)(zigzag >> 1) ^ -(int)(zigzag & 1);
        }

        public ulong ReadFixed64()
        {
            int start = Take(8);
            ulong value = 0;
            for (int i = 7; i >= 0; i--)
            {
                value = (value << 8) | _bytes[start + i];
            }
            return value;
        }

        public double ReadDouble() => BitConverter.Int64BitsToDouble(unchecked((long)ReadFixed64()));

        /// <exception cref="WireFormatException">It is cut off, or no UTF-8.</exception>
        public string ReadString()
        {
            int length = ReadLength();
            try
            {
                return Utf8.GetString(_bytes, Take(length), length);
            }
            catch (ArgumentException)
            {
                throw Fault("a text that is no UTF-8");
            }
        }

        public byte[] ReadBytes()
        {
            int length = ReadLength();
            var value = new byte[length];
            Buffer.BlockCopy(_bytes, Take(length), value, 0, length);
            return value;
        }

        /// <summary>A reader of the message in this field.</summary>
        public ProtoReader ReadMessage()
        {
            int length = ReadLength();
            int start = Take(length);
            return new ProtoReader(_bytes, start, start + length);
        }

        /// <summary>Adds the numbers of a packed field.</summary>
        /// <exception cref="WireFormatException">The list would be longer than allowed.</exception>
        public void ReadPackedSInt32(List<int> numbers, int most)
        {
            ProtoReader packed = ReadMessage();
            while (packed._at < packed._end)
            {
                numbers.Add(packed.ReadSInt32());
                if (numbers.Count > most)
                {
                    throw Fault("more than " + most + " numbers");
                }
            }
        }

        /// <summary>Adds the numbers, or enums, of a packed field.</summary>
        /// <exception cref="WireFormatException">The list would be longer than allowed.</exception>
        public void ReadPackedInt32(List<int> numbers, int most)
        {
            ProtoReader packed = ReadMessage();
            while (packed._at < packed._end)
            {
                numbers.Add(packed.ReadInt32());
                if (numbers.Count > most)
                {
                    throw Fault("more than " + most + " numbers");
                }
            }
        }

        /// <summary>Adds the numbers of a packed field.</summary>
        /// <exception cref="WireFormatException">The list would be longer than allowed.</exception>
        public void ReadPackedDouble(List<double> numbers, int most)
        {
            ProtoReader packed = ReadMessage();
            while (packed._at < packed._end)
            {
                numbers.Add(packed.ReadDouble());
                if (numbers.Count > most)
                {
                    throw Fault("more than " + most + " numbers");
                }
            }
        }

        private void Skip()
        {
            switch ((WireType)(Tag & 7))
            {
                case WireType.Varint:
                    ReadVarint();
                    break;
                case WireType.Fixed64:
                    Take(8);
                    break;
                case WireType.LengthDelimited:
                    Take(ReadLength());
                    break;
                case WireType.Fixed32:
                    Take(4);
                    break;
                default:
                    throw Fault("a field of type " + (Tag & 7));
            }
        }

        private int ReadLength()
        {
            ulong length = ReadVarint();
            if (length > (ulong)(_end - _at))
            {
                throw Fault("a field of " + length + " bytes");
            }
            return (int)length;
        }

        /// <summary>Steps over some bytes; where they start.</summary>
        private int Take(int count)
        {
            if (count > _end - _at)
            {
                throw Fault("the message ends too early");
            }
            int start = _at;
            _at += count;
            _unread = false;
            return start;
        }

        private WireFormatException Fault(string what) => new WireFormatException(what + ", at byte " + _at);
    }
}
