using System.Collections.Generic;
using Luban.Core;

namespace Luban.Wire
{
    /// <summary>
    /// Scenes of scene.proto, and transforms, to and from the core's types. A field that is set twice
    /// counts as set last. What makes no sense is refused by the core's types themselves.
    /// </summary>
    internal static class SceneConversion
    {
        /// <summary>Bodies in a scene, so that each has a picture id of 16 bits.</summary>
        private const int MaxBodies = ushort.MaxValue;

        public static ProtoWriter ToProto(this Cell cell) =>
            new ProtoWriter().SInt32(1, cell.X).SInt32(2, cell.Y).SInt32(3, cell.Z);

        public static Cell ToCell(this ProtoReader reader)
        {
            int x = 0, y = 0, z = 0;
            while (reader.Next())
            {
                switch (reader.Tag)
                {
                    case Tags.Varint1:
                        x = reader.ReadSInt32();
                        break;
                    case Tags.Varint2:
                        y = reader.ReadSInt32();
                        break;
                    case Tags.Varint3:
                        z = reader.ReadSInt32();
                        break;
                }
            }
            return new Cell(x, y, z);
        }

        public static ProtoWriter ToProto(this Block block) =>
            new ProtoWriter().Message(1, block.Low.ToProto()).Message(2, block.High.ToProto());

        public static Block ToBlock(this ProtoReader reader)
        {
            Cell low = default(Cell), high = default(Cell);
            while (reader.Next())
            {
                switch (reader.Tag)
                {
                    case Tags.Bytes1:
                        low = reader.ReadMessage().ToCell();
                        break;
                    case Tags.Bytes2:
                        high = reader.ReadMessage().ToCell();
                        break;
                }
            }
            return new Block(low, high);
        }

        public static ProtoWriter ToProto(this LatticePose pose) =>
            new ProtoWriter().Int32(1, pose.Rotation.Index).Message(2, pose.Offset.ToProto());

        public static LatticePose ToPose(this ProtoReader reader)
        {
            int rotation = 0;
            Cell offset = default(Cell);
            while (reader.Next())
            {
                switch (reader.Tag)
                {
                    case Tags.Varint1:
                        rotation = reader.ReadInt32();
                        break;
                    case Tags.Bytes2:
                        offset = reader.ReadMessage().ToCell();
                        break;
                }
            }
            return new LatticePose(new Rotation(rotation), offset);
        }

        public static ProtoWriter ToProto(this Body body)
        {
            var numbers = new List<int>();
            foreach (Cell cell in body.Shape.Cells)
            {
                numbers.AddRange(new[] { cell.X, cell.Y, cell.Z });
            }
            ProtoWriter writer = new ProtoWriter()
                .String(1, body.Name)
                .PackedSInt32(2, numbers)
                .Message(3, body.Pose.ToProto())
                .UInt64(4, (uint)body.Rgb)
                .Bool(5, body.Loose);
            foreach (Sticker sticker in body.Stickers)
            {
                writer.Message(6, sticker.ToProto());
            }
            return writer.Bool(7, body.Translucent);
        }

        public static Body ToBody(this ProtoReader reader)
        {
            string name = "";
            var numbers = new List<int>();
            LatticePose pose = default(LatticePose);
            int rgb = 0;
            bool loose = false, translucent = false;
            var stickers = new List<Sticker>();
            while (reader.Next())
            {
                switch (reader.Tag)
                {
                    case Tags.Bytes1:
                        name = reader.ReadString();
                        break;
                    case Tags.Varint2:
                        numbers.Add(reader.ReadSInt32());
                        break;
                    case Tags.Bytes2:
                        reader.ReadPackedSInt32(numbers, 3 * Shape.MaxCells);
                        break;
                    case Tags.Bytes3:
                        pose = reader.ReadMessage().ToPose();
                        break;
                    case Tags.Varint4:
                        rgb = reader.ReadInt32() & 0xffffff;
                        break;
                    case Tags.Varint5:
                        loose = reader.ReadBool();
                        break;
                    case Tags.Bytes6:
                        stickers.Add(reader.ReadMessage().ToSticker());
                        break;
                    case Tags.Varint7:
                        translucent = reader.ReadBool();
                        break;
                }
            }
            return new Body(name, Shape.Of(CellsOf(numbers)), pose, rgb, loose, stickers, translucent);
        }

        public static ProtoWriter ToProto(this Scene scene)
        {
            var writer = new ProtoWriter();
            foreach (Body body in scene.Bodies)
            {
                writer.Message(1, body.ToProto());
            }
            writer.Message(2, scene.Work.ToProto());
            if (scene.Table.HasValue)
            {
                writer.Message(3, scene.Table.Value.ToProto());
            }
            return scene.Container == null ? writer : writer.Message(4, scene.Container.ToProto());
        }

        public static Scene ToScene(this ProtoReader reader)
        {
            var bodies = new List<Body>();
            Block work = default(Block);
            Block? table = null;
            Container container = null;
            while (reader.Next())
            {
                switch (reader.Tag)
                {
                    case Tags.Bytes1:
                        bodies.Add(reader.ReadMessage().ToBody());
                        break;
                    case Tags.Bytes2:
                        work = reader.ReadMessage().ToBlock();
                        break;
                    case Tags.Bytes3:
                        table = reader.ReadMessage().ToBlock();
                        break;
                    case Tags.Bytes4:
                        container = reader.ReadMessage().ToContainer();
                        break;
                }
            }
            if (bodies.Count > MaxBodies)
            {
                throw LatticeException.Invalid("a scene may have " + MaxBodies + " bodies, not " + bodies.Count);
            }
            return new Scene(bodies, work, table, container);
        }

        public static ProtoWriter ToProto(this BodyTransform body) =>
            new ProtoWriter().String(1, body.Name).PackedDouble(2, body.Transform.Rows);

        /// <exception cref="LatticeException">Its matrix has not 12 numbers (<c>Invalid</c>).</exception>
        public static BodyTransform ToBodyTransform(this ProtoReader reader)
        {
            string name = "";
            var rows = new List<double>();
            while (reader.Next())
            {
                switch (reader.Tag)
                {
                    case Tags.Bytes1:
                        name = reader.ReadString();
                        break;
                    case Tags.Bytes2:
                        reader.ReadPackedDouble(rows, RigidTransform.Length);
                        break;
                }
            }
            return new BodyTransform(name, new RigidTransform(rows));
        }

        /// <exception cref="LatticeException">They are no whole number of cells (<c>Invalid</c>).</exception>
        private static List<Cell> CellsOf(List<int> numbers)
        {
            if (numbers.Count % 3 != 0)
            {
                throw LatticeException.Invalid("a cell has three coordinates; there are " + numbers.Count + " numbers");
            }
            var cells = new List<Cell>(numbers.Count / 3);
            for (int i = 0; i < numbers.Count; i += 3)
            {
                cells.Add(new Cell(numbers[i], numbers[i + 1], numbers[i + 2]));
            }
            return cells;
        }
    }
}
