using System.Collections.Generic;
using Luban.Core;

namespace Luban.Wire
{
    /// <summary>The parts of unity.proto's messages, to and from their types.</summary>
    internal static class PlayerConversion
    {
        public static ProtoWriter ToProto(this HelloCall call) =>
            new ProtoWriter().UInt64(1, call.Protocol).UInt64(2, call.AnswerBytes);

        public static HelloCall ToHello(this ProtoReader reader)
        {
            uint protocol = 0, answerBytes = 0;
            while (reader.Next())
            {
                switch (reader.Tag)
                {
                    case Tags.Varint1:
                        protocol = reader.ReadUInt32();
                        break;
                    case Tags.Varint2:
                        answerBytes = reader.ReadUInt32();
                        break;
                }
            }
            return new HelloCall(protocol, answerBytes);
        }

        public static ProtoWriter ToProto(this PartCall call) =>
            new ProtoWriter().Bytes(1, call.Data).Bool(2, call.Last);

        public static ProtoWriter ToProto(this PartAnswer answer) =>
            new ProtoWriter().Bytes(1, answer.Data).Bool(2, answer.Last);

        public static PartAnswer ToPartAnswer(this ProtoReader reader)
        {
            PartCall part = reader.ToPart();
            return new PartAnswer(part.Data, part.Last);
        }

        public static PartCall ToPart(this ProtoReader reader)
        {
            var data = new byte[0];
            bool last = false;
            while (reader.Next())
            {
                switch (reader.Tag)
                {
                    case Tags.Bytes1:
                        data = reader.ReadBytes();
                        break;
                    case Tags.Varint2:
                        last = reader.ReadBool();
                        break;
                }
            }
            return new PartCall(data, last);
        }

        public static ProtoWriter ToProto(this ResetCall call) =>
            new ProtoWriter().Message(1, call.Scene.ToProto());

        public static ResetCall ToReset(this ProtoReader reader)
        {
            var scene = new Scene(new Body[0], default(Block), null);
            while (reader.Next())
            {
                if (reader.Tag == Tags.Bytes1)
                {
                    scene = reader.ReadMessage().ToScene();
                }
            }
            return new ResetCall(scene);
        }

        public static ProtoWriter ToProto(this ExecuteCall call)
        {
            var writer = new ProtoWriter();
            foreach (BodyMotion motion in call.Motions)
            {
                writer.Message(1, motion.ToProto());
            }
            return writer;
        }

        public static ExecuteCall ToExecute(this ProtoReader reader)
        {
            var motions = new List<BodyMotion>();
            while (reader.Next())
            {
                if (reader.Tag == Tags.Bytes1)
                {
                    motions.Add(reader.ReadMessage().ToMotion());
                }
            }
            return new ExecuteCall(motions);
        }

        public static ProtoWriter ToProto(this FailedAnswer answer) =>
            new ProtoWriter().Int32(1, (int)answer.Error).String(2, answer.Message);

        public static FailedAnswer ToFailed(this ProtoReader reader)
        {
            PlayerError error = PlayerError.Unspecified;
            string message = "";
            while (reader.Next())
            {
                switch (reader.Tag)
                {
                    case Tags.Varint1:
                        error = (PlayerError)reader.ReadInt32();
                        break;
                    case Tags.Bytes2:
                        message = reader.ReadString();
                        break;
                }
            }
            return new FailedAnswer(error, message);
        }

        public static ProtoWriter ToProto(this IdentityAnswer answer) =>
            new ProtoWriter().UInt64(1, answer.Protocol).String(2, answer.Engine).String(3, answer.Graphics);

        public static IdentityAnswer ToIdentity(this ProtoReader reader)
        {
            uint protocol = 0;
            string engine = "", graphics = "";
            while (reader.Next())
            {
                switch (reader.Tag)
                {
                    case Tags.Varint1:
                        protocol = reader.ReadUInt32();
                        break;
                    case Tags.Bytes2:
                        engine = reader.ReadString();
                        break;
                    case Tags.Bytes3:
                        graphics = reader.ReadString();
                        break;
                }
            }
            return new IdentityAnswer(protocol, engine, graphics);
        }

        public static ProtoWriter ToProto(this Report report)
        {
            ProtoWriter writer = new ProtoWriter()
                .Bool(1, report.Completed)
                .Int32(2, report.Travel)
                .Double(3, report.Measured)
                .Strings(4, report.Contacts)
                .Strings(5, report.Fallen);
            foreach (FilmFrame keyframe in report.Keyframes)
            {
                writer.Message(6, keyframe.ToProto());
            }
            return writer.Strings(7, report.Witnessed);
        }

        public static Report ToReport(this ProtoReader reader)
        {
            bool completed = false;
            int travel = 0;
            double measured = 0.0;
            var contacts = new List<string>();
            var fallen = new List<string>();
            var witnessed = new List<string>();
            var keyframes = new List<FilmFrame>();
            while (reader.Next())
            {
                switch (reader.Tag)
                {
                    case Tags.Varint1:
                        completed = reader.ReadBool();
                        break;
                    case Tags.Varint2:
                        travel = reader.ReadInt32();
                        break;
                    case Tags.Fixed3:
                        measured = reader.ReadDouble();
                        break;
                    case Tags.Bytes4:
                        contacts.Add(reader.ReadString());
                        break;
                    case Tags.Bytes5:
                        fallen.Add(reader.ReadString());
                        break;
                    case Tags.Bytes6:
                        keyframes.Add(reader.ReadMessage().ToFilmFrame());
                        break;
                    case Tags.Bytes7:
                        witnessed.Add(reader.ReadString());
                        break;
                }
            }
            Report verdict = completed
                ? Report.Done(0, travel, keyframes)
                : Report.Blocked(0, travel, contacts, keyframes);
            return verdict.Seen(measured, witnessed, fallen, keyframes);
        }

        public static ProtoWriter ToProto(this BodiesAnswer answer) => Transforms(1, answer.Bodies, new ProtoWriter());

        public static BodiesAnswer ToBodies(this ProtoReader reader)
        {
            var bodies = new List<BodyTransform>();
            while (reader.Next())
            {
                if (reader.Tag == Tags.Bytes1)
                {
                    bodies.Add(reader.ReadMessage().ToBodyTransform());
                }
            }
            return new BodiesAnswer(bodies);
        }

        private static ProtoWriter ToProto(this FilmFrame keyframe) =>
            Transforms(2, keyframe.Bodies, new ProtoWriter().Double(1, keyframe.Time));

        private static FilmFrame ToFilmFrame(this ProtoReader reader)
        {
            double time = 0.0;
            var bodies = new List<BodyTransform>();
            while (reader.Next())
            {
                switch (reader.Tag)
                {
                    case Tags.Fixed1:
                        time = reader.ReadDouble();
                        break;
                    case Tags.Bytes2:
                        bodies.Add(reader.ReadMessage().ToBodyTransform());
                        break;
                }
            }
            return new FilmFrame(time, bodies);
        }

        internal static ProtoWriter Transforms(int field, IEnumerable<BodyTransform> bodies, ProtoWriter writer)
        {
            foreach (BodyTransform body in bodies)
            {
                writer.Message(field, body.ToProto());
            }
            return writer;
        }
    }
}
