using System.Collections.Generic;
using Luban.Core;

namespace Luban.Wire
{
    /// <summary>
    /// The motions of scene.proto, to and from the core's types. What makes no sense is refused by the
    /// core's types themselves.
    /// </summary>
    internal static class MotionConversion
    {
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

        private static List<string> Sorted(IEnumerable<string> names)
        {
            var sorted = new List<string>(names);
            sorted.Sort(string.CompareOrdinal);
            return sorted;
        }

        private static ProtoWriter ToProto(this Sweep sweep)
        {
            return new ProtoWriter()
                .Strings(1, Sorted(sweep.Bodies))
                .Int32(2, (int)sweep.Direction)
                .Int32(3, sweep.Distance);
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
    }
}
