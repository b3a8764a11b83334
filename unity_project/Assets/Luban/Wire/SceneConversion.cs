using System.Collections.Generic;
using Luban.Core;

namespace Luban.Wire
{
    /// <summary>
    /// The messages of scene.proto, and transforms, to and from the core's types. A field that is set
    /// twice counts as set last. What makes no sense is refused by the core's types themselves.
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
            return new ProtoWriter()
                .String(1, body.Name)
                .PackedSInt32(2, numbers)
                .Message(3, body.Pose.ToProto())
                .UInt64(4, (uint)body.Rgb)
                .Bool(5, body.Loose);
        }

        public static Body ToBody(this ProtoReader reader)
        {
            string name = "";
            var numbers = new List<int>();
            LatticePose pose = default(LatticePose);
            int rgb = 0;
            bool loose = false;
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
                }
            }
            return new Body(name, Shape.Of(CellsOf(numbers)), pose, rgb, loose);
        }

        public static ProtoWriter ToProto(this Scene scene)
        {
            var writer = new ProtoWriter();
            foreach (Body body in scene.Bodies)
            {
                writer.Message(1, body.ToProto());
            }
            writer.Message(2, scene.Work.ToProto());
            return scene.Table.HasValue ? writer.Message(3, scene.Table.Value.ToProto()) : writer;
        }

        public static Scene ToScene(this ProtoReader reader)
        {
            var bodies = new List<Body>();
            Block work = default(Block);
            Block? table = null;
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
                }
            }
            if (bodies.Count > MaxBodies)
            {
                throw LatticeException.Invalid("a scene may have " + MaxBodies + " bodies, not " + bodies.Count);
            }
            return new Scene(bodies, work, table);
        }

        public static ProtoWriter ToProto(this BodyMotion motion)
        {
            if (motion is Sweep sweep)
            {
                return new ProtoWriter().Message(1, sweep.ToProto());
            }
            return motion is Turn turn
                ? new ProtoWriter().Message(3, turn.ToProto())
                : new ProtoWriter().Message(2, ((Carry)motion).ToProto());
        }

        /// <exception cref="LatticeException">It is no motion that is known (<c>Invalid</c>).</exception>
        public static BodyMotion ToMotion(this ProtoReader reader)
        {
            BodyMotion motion = null;
            while (reader.Next())
            {
                switch (reader.Tag)
                {
                    case Tags.Bytes1:
                        motion = reader.ReadMessage().ToSweep();
                        break;
                    case Tags.Bytes2:
                        motion = reader.ReadMessage().ToCarry();
                        break;
                    case Tags.Bytes3:
                        motion = reader.ReadMessage().ToTurn();
                        break;
                }
            }
            return motion ?? throw LatticeException.Invalid("a motion is a sweep, a carry or a turn");
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

        private static List<string> Sorted(IEnumerable<string> names)
        {
            var sorted = new List<string>(names);
            sorted.Sort(string.CompareOrdinal);
            return sorted;
        }

        private static ProtoWriter ToProto(this Sweep sweep)
        {
            return new ProtoWriter().Strings(1, Sorted(sweep.Bodies)).Int32(2, (int)sweep.Direction).Int32(3, sweep.Distance);
        }

        private static Sweep ToSweep(this ProtoReader reader)
        {
            var bodies = new List<string>();
            int direction = 0, distance = 0;
            while (reader.Next())
            {
                switch (reader.Tag)
                {
                    case Tags.Bytes1:
                        bodies.Add(reader.ReadString());
                        break;
                    case Tags.Varint2:
                        direction = reader.ReadInt32();
                        break;
                    case Tags.Varint3:
                        distance = reader.ReadInt32();
                        break;
                }
            }
            return new Sweep(bodies, (Direction)direction, distance);
        }

        private static ProtoWriter ToProto(this Carry carry)
        {
            ProtoWriter writer = new ProtoWriter().Strings(1, Sorted(carry.Bodies));
            foreach (Leg leg in carry.Way)
            {
                writer.Message(2, leg.ToProto());
            }
            return writer.Bool(3, carry.Loose);
        }

        /// <exception cref="LatticeException">A leg is none that is known (<c>Invalid</c>).</exception>
        private static Carry ToCarry(this ProtoReader reader)
        {
            var bodies = new List<string>();
            var way = new List<Leg>();
            bool loose = false;
            while (reader.Next())
            {
                switch (reader.Tag)
                {
                    case Tags.Bytes1:
                        bodies.Add(reader.ReadString());
                        break;
                    case Tags.Bytes2:
                        way.Add(reader.ReadMessage().ToLeg());
                        break;
                    case Tags.Varint3:
                        loose = reader.ReadBool();
                        break;
                }
            }
            return new Carry(bodies, way, loose);
        }

        private static ProtoWriter ToProto(this Turn turn)
        {
            return new ProtoWriter()
                .Strings(1, Sorted(turn.Bodies))
                .Int32(2, (int)turn.Axis)
                .Message(3, turn.Centre.ToProto())
                .Int32(4, turn.Quarters)
                .Bool(5, turn.Hinged);
        }

        private static Turn ToTurn(this ProtoReader reader)
        {
            var bodies = new List<string>();
            int axis = 0, quarters = 0;
            Cell centre = default(Cell);
            bool hinged = false;
            while (reader.Next())
            {
                switch (reader.Tag)
                {
                    case Tags.Bytes1:
                        bodies.Add(reader.ReadString());
                        break;
                    case Tags.Varint2:
                        axis = reader.ReadInt32();
                        break;
                    case Tags.Bytes3:
                        centre = reader.ReadMessage().ToCell();
                        break;
                    case Tags.Varint4:
                        quarters = reader.ReadInt32();
                        break;
                    case Tags.Varint5:
                        hinged = reader.ReadBool();
                        break;
                }
            }
            return new Turn(bodies, (LatticeAxis)axis, centre, quarters, hinged);
        }

        private static ProtoWriter ToProto(this Leg leg)
        {
            var shift = leg as Shift;
            return shift != null
                ? new ProtoWriter().Message(1, shift.ToProto())
                : new ProtoWriter().Message(2, ((Spin)leg).ToProto());
        }

        /// <exception cref="LatticeException">It is no leg that is known (<c>Invalid</c>).</exception>
        private static Leg ToLeg(this ProtoReader reader)
        {
            Leg leg = null;
            while (reader.Next())
            {
                switch (reader.Tag)
                {
                    case Tags.Bytes1:
                        leg = reader.ReadMessage().ToShift();
                        break;
                    case Tags.Bytes2:
                        leg = reader.ReadMessage().ToSpin();
                        break;
                }
            }
            return leg ?? throw LatticeException.Invalid("a leg is a shift or a spin");
        }

        private static ProtoWriter ToProto(this Shift shift) =>
            new ProtoWriter().Int32(1, (int)shift.Direction).Int32(2, shift.Distance);

        private static Shift ToShift(this ProtoReader reader)
        {
            int direction = 0, distance = 0;
            while (reader.Next())
            {
                switch (reader.Tag)
                {
                    case Tags.Varint1:
                        direction = reader.ReadInt32();
                        break;
                    case Tags.Varint2:
                        distance = reader.ReadInt32();
                        break;
                }
            }
            return new Shift((Direction)direction, distance);
        }

        private static ProtoWriter ToProto(this Spin spin) =>
            new ProtoWriter().Int32(1, spin.Rotation.Index).Message(2, spin.Offset.ToProto());

        private static Spin ToSpin(this ProtoReader reader)
        {
            LatticePose turn = reader.ToPose();
            return new Spin(turn.Rotation, turn.Offset);
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
