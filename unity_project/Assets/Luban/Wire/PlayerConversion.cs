using System.Collections.Generic;
using System.Linq;
using Luban.Core;

namespace Luban.Wire
{
    /// <summary>The parts of unity.proto's messages, to and from their types.</summary>
    internal static class PlayerConversion
    {
        /// <summary>Passes that a request may name, known or not.</summary>
        private const int MaxPasses = 64;

        public static ProtoWriter ToProto(this HelloCall call) => new ProtoWriter().UInt64(1, call.Protocol);

        public static HelloCall ToHello(this ProtoReader reader)
        {
            uint protocol = 0;
            while (reader.Next())
            {
                if (reader.Tag == Tags.Varint1)
                {
                    protocol = reader.ReadUInt32();
                }
            }
            return new HelloCall(protocol);
        }

        public static ProtoWriter ToProto(this PartCall call) =>
            new ProtoWriter().Bytes(1, call.Data).Bool(2, call.Last);

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

        public static ProtoWriter ToProto(this RenderCall call)
        {
            var writer = new ProtoWriter();
            foreach (PlayerCamera camera in call.Cameras)
            {
                writer.Message(1, new ProtoWriter().String(1, camera.Name).PackedDouble(2, camera.ClipFromWorld));
            }
            writer.Int32(2, call.Size).Int32(3, (int)call.Encoding);
            foreach (BodyTransform body in call.Transforms)
            {
                writer.Message(4, body.ToProto());
            }
            return writer.PackedInt32(5, call.Passes.Select(pass => (int)pass));
        }

        public static RenderCall ToRender(this ProtoReader reader)
        {
            var cameras = new List<PlayerCamera>();
            int size = 0;
            PlayerEncoding encoding = PlayerEncoding.Unspecified;
            var transforms = new List<BodyTransform>();
            var passes = new List<int>();
            while (reader.Next())
            {
                switch (reader.Tag)
                {
                    case Tags.Bytes1:
                        cameras.Add(reader.ReadMessage().ToCamera());
                        break;
                    case Tags.Varint2:
                        size = reader.ReadInt32();
                        break;
                    case Tags.Varint3:
                        encoding = (PlayerEncoding)reader.ReadInt32();
                        break;
                    case Tags.Bytes4:
                        transforms.Add(reader.ReadMessage().ToBodyTransform());
                        break;
                    case Tags.Varint5:
                        passes.Add(reader.ReadInt32());
                        break;
                    case Tags.Bytes5:
                        reader.ReadPackedInt32(passes, MaxPasses);
                        break;
                }
            }
            List<PlayerPass> wanted = passes.Select(pass => (PlayerPass)pass).ToList();
            return new RenderCall(cameras, size, encoding, transforms, wanted);
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
            return writer;
        }

        public static Report ToReport(this ProtoReader reader)
        {
            bool completed = false;
            int travel = 0;
            double measured = 0.0;
            var contacts = new List<string>();
            var fallen = new List<string>();
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
                }
            }
            Report verdict = completed
                ? Report.Done(0, travel, keyframes)
                : Report.Blocked(0, travel, contacts, keyframes);
            return verdict.Seen(measured, fallen, keyframes);
        }

        public static ProtoWriter ToProto(this PicturesAnswer answer)
        {
            var writer = new ProtoWriter();
            foreach (PlayerPicture picture in answer.Pictures)
            {
                writer.Message(1, picture.ToProto());
            }
            return writer;
        }

        public static PicturesAnswer ToPictures(this ProtoReader reader)
        {
            var pictures = new List<PlayerPicture>();
            while (reader.Next())
            {
                if (reader.Tag == Tags.Bytes1)
                {
                    pictures.Add(reader.ReadMessage().ToPicture());
                }
            }
            return new PicturesAnswer(pictures);
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

        private static ProtoWriter ToProto(this PlayerPicture picture) => new ProtoWriter()
            .Int32(1, picture.Size)
            .Bytes(2, picture.Rgb)
            .Int32(3, (int)picture.Encoding)
            .Bytes(4, picture.Ids)
            .Bytes(5, picture.Depth);

        private static PlayerPicture ToPicture(this ProtoReader reader)
        {
            int size = 0;
            byte[] rgb = new byte[0], ids = rgb, depth = rgb;
            PlayerEncoding encoding = PlayerEncoding.Unspecified;
            while (reader.Next())
            {
                switch (reader.Tag)
                {
                    case Tags.Varint1:
                        size = reader.ReadInt32();
                        break;
                    case Tags.Bytes2:
                        rgb = reader.ReadBytes();
                        break;
                    case Tags.Varint3:
                        encoding = (PlayerEncoding)reader.ReadInt32();
                        break;
                    case Tags.Bytes4:
                        ids = reader.ReadBytes();
                        break;
                    case Tags.Bytes5:
                        depth = reader.ReadBytes();
                        break;
                }
            }
            return new PlayerPicture(size, rgb, encoding, ids, depth);
        }

        private static PlayerCamera ToCamera(this ProtoReader reader)
        {
            string name = "";
            var numbers = new List<double>();
            while (reader.Next())
            {
                switch (reader.Tag)
                {
                    case Tags.Bytes1:
                        name = reader.ReadString();
                        break;
                    case Tags.Bytes2:
                        reader.ReadPackedDouble(numbers, PlayerCamera.MatrixLength);
                        break;
                }
            }
            return new PlayerCamera(name, numbers);
        }

        private static ProtoWriter Transforms(int field, IEnumerable<BodyTransform> bodies, ProtoWriter writer)
        {
            foreach (BodyTransform body in bodies)
            {
                writer.Message(field, body.ToProto());
            }
            return writer;
        }
    }
}
