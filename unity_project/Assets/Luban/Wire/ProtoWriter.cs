using System;
using System.Collections.Generic;
using System.Text;

namespace Luban.Wire
{
    /// <summary>
    /// Writes the fields of one protobuf message, in the order of the calls. Numbers, texts and flags
    /// that are zero, empty or false are left out, as proto3 does; messages never are.
    /// </summary>
    public sealed class ProtoWriter
    {
        private static readonly Encoding Utf8 = new UTF8Encoding(false);

        private byte[] _bytes = new byte[64];
        private int _count;

        public byte[] ToArray()
        {
            var result = new byte[_count];
            Buffer.BlockCopy(_bytes, 0, result, 0, _count);
            return result;
        }

        public ProtoWriter UInt64(int field, ulong value)
        {
            if (value != 0)
            {
                Tag(field, WireType.Varint);
                Varint(value);
            }
            return this;
        }

        /// <summary>An int32 or an enum.</summary>
        public ProtoWriter Int32(int field, int value) => UInt64(field, unchecked((ulong)(long)value));

        public ProtoWriter SInt32(int field, int value) => UInt64(field, ZigZag(value));

        public ProtoWriter Bool(int field, bool value) => UInt64(field, value ? 1UL : 0UL);

        public ProtoWriter Fixed64(int field, ulong value)
        {
            if (value != 0)
            {
                Tag(field, WireType.Fixed64);
                Raw64(value);
            }
            return this;
        }

        public ProtoWriter Double(int field, double value) => Fixed64(field, Bits(value));

        public ProtoWriter String(int field, string value) =>
            value.Length == 0 ? this : LengthDelimited(field, Utf8.GetBytes(value));

        public ProtoWriter Bytes(int field, byte[] value) =>
            value.Length == 0 ? this : LengthDelimited(field, value);

        /// <summary>One member of a repeated text; kept where it is empty.</summary>
        public ProtoWriter Strings(int field, IEnumerable<string> values)
        {
            foreach (string value in values)
            {
                LengthDelimited(field, Utf8.GetBytes(value));
            }
            return this;
        }

        public ProtoWriter Message(int field, ProtoWriter message)
        {
            Tag(field, WireType.LengthDelimited);
            Varint((ulong)message._count);
            Append(message._bytes, message._count);
            return this;
        }

        public ProtoWriter PackedSInt32(int field, IEnumerable<int> values)
        {
            var packed = new ProtoWriter();
            foreach (int value in values)
            {
                packed.Varint(ZigZag(value));
            }
            return packed._count == 0 ? this : Message(field, packed);
        }

        /// <summary>Numbers, or enums.</summary>
        public ProtoWriter PackedInt32(int field, IEnumerable<int> values)
        {
            var packed = new ProtoWriter();
            foreach (int value in values)
            {
                packed.Varint(unchecked((ulong)(long)value));
            }
            return packed._count == 0 ? this : Message(field, packed);
        }

        public ProtoWriter PackedDouble(int field, IEnumerable<double> values)
        {
            var packed = new ProtoWriter();
            foreach (double value in values)
            {
                packed.Raw64(Bits(value));
            }
            return packed._count == 0 ? this : Message(field, packed);
        }

        private static ulong ZigZag(int value) => unchecked((uint)((value << 1) ^ (value >> 31)));

        private static ulong Bits(double value) => unchecked((ulong)BitConverter.DoubleToInt64Bits(value));

        private ProtoWriter LengthDelimited(int field, byte[] value)
        {
            Tag(field, WireType.LengthDelimited);
            Varint((ulong)value.Length);
            Append(value, value.Length);
            return this;
        }

        private void Tag(int field, WireType type) => Varint(ProtoReader.TagOf(field, type));

        private void Varint(ulong value)
        {
            while (value >= 0x80)
            {
                Append((byte)(value | 0x80));
                value >>= 7;
            }
            Append((byte)value);
        }

        private void Raw64(ulong value)
        {
            for (int shift = 0; shift < 64; shift += 8)
            {
                Append((byte)(value >> shift));
            }
        }

        private void Append(byte value)
        {
            Reserve(1);
            _bytes[_count++] = value;
        }

        private void Append(byte[] values, int count)
        {
            Reserve(count);
            Buffer.BlockCopy(values, 0, _bytes, _count, count);
            _count += count;
        }

        private void Reserve(int count)
        {
            if (_count + count > _bytes.Length)
            {
                Array.Resize(ref _bytes, Math.Max(_count + count, 2 * _bytes.Length));
            }
        }
    }
}
