using System.Collections.Generic;
using System.Linq;
using Luban.Core;

namespace Luban.Wire
{
    /// <summary>What is only seen of a scene, to and from the core's types.</summary>
    internal static class LooksConversion
    {
        /// <summary>Sides that a box may name as open, more than once if it likes.</summary>
        private const int MaxSides = 64;

        public static ProtoWriter ToProto(this Sticker sticker) => new ProtoWriter()
            .Message(1, sticker.Face.Cell.ToProto())
            .Int32(2, (int)sticker.Face.Direction)
            .UInt64(3, (uint)sticker.Rgb)
            .Fixed64(4, sticker.Ink)
            .UInt64(5, sticker.Lie);

        /// <exception cref="LatticeException">It is on no side that is known (<c>Invalid</c>).</exception>
        public static Sticker ToSticker(this ProtoReader reader)
        {
            Cell cell = default(Cell);
            int side = 0, rgb = 0;
            ulong ink = 0;
            uint lie = 0;
            while (reader.Next())
            {
                switch (reader.Tag)
                {
                    case Tags.Bytes1:
                        cell = reader.ReadMessage().ToCell();
                        break;
                    case Tags.Varint2:
                        side = reader.ReadInt32();
                        break;
                    case Tags.Varint3:
                        rgb = reader.ReadInt32() & 0xffffff;
                        break;
                    case Tags.Fixed4:
                        ink = reader.ReadFixed64();
                        break;
                    case Tags.Varint5:
                        lie = reader.ReadUInt32();
                        break;
                }
            }
            return new Sticker(new Face(cell, (Direction)side), rgb, ink, lie);
        }

        public static ProtoWriter ToProto(this Container container) => new ProtoWriter()
            .Message(1, container.Inside.ToProto())
            .PackedInt32(2, container.Open.Select(side => (int)side));

        /// <exception cref="LatticeException">A side is none that is known (<c>Invalid</c>).</exception>
        public static Container ToContainer(this ProtoReader reader)
        {
            Block inside = default(Block);
            var open = new List<int>();
            while (reader.Next())
            {
                switch (reader.Tag)
                {
                    case Tags.Bytes1:
                        inside = reader.ReadMessage().ToBlock();
                        break;
                    case Tags.Varint2:
                        open.Add(reader.ReadInt32());
                        break;
                    case Tags.Bytes2:
                        reader.ReadPackedInt32(open, MaxSides);
                        break;
                }
            }
            return new Container(inside, open.Select(side => (Direction)side));
        }
    }
}
