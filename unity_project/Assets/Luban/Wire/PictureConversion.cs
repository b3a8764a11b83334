using System.Collections.Generic;
using System.Linq;
using Luban.Core;

namespace Luban.Wire
{
    /// <summary>What is to be drawn, and pictures, to and from their types.</summary>
    internal static class PictureConversion
    {
        /// <summary>Passes that a request may name, known or not.</summary>
        private const int MaxPasses = 64;

        public static ProtoWriter ToProto(this RenderCall call)
        {
            ProtoWriter writer = Cameras(1, call.Cameras, new ProtoWriter())
                .Int32(2, call.Size)
                .Int32(3, (int)call.Encoding);
            return PlayerConversion.Transforms(4, call.Transforms, writer).PackedInt32(5, Numbers(call.Passes));
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
            return new RenderCall(cameras, size, encoding, transforms, Passes(passes));
        }

        public static ProtoWriter ToProto(this GalleryCall call)
        {
            var writer = new ProtoWriter();
            foreach (Exhibit exhibit in call.Exhibits)
            {
                writer.Message(1, exhibit.ToProto());
            }
            return writer.Int32(2, call.Size).Int32(3, (int)call.Encoding).PackedInt32(4, Numbers(call.Passes));
        }

        public static GalleryCall ToGallery(this ProtoReader reader)
        {
            var exhibits = new List<Exhibit>();
            int size = 0;
            PlayerEncoding encoding = PlayerEncoding.Unspecified;
            var passes = new List<int>();
            while (reader.Next())
            {
                switch (reader.Tag)
                {
                    case Tags.Bytes1:
                        exhibits.Add(reader.ReadMessage().ToExhibit());
                        break;
                    case Tags.Varint2:
                        size = reader.ReadInt32();
                        break;
                    case Tags.Varint3:
                        encoding = (PlayerEncoding)reader.ReadInt32();
                        break;
                    case Tags.Varint4:
                        passes.Add(reader.ReadInt32());
                        break;
                    case Tags.Bytes4:
                        reader.ReadPackedInt32(passes, MaxPasses);
                        break;
                }
            }
            return new GalleryCall(exhibits, size, encoding, Passes(passes));
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

        private static ProtoWriter ToProto(this Exhibit exhibit)
        {
            ProtoWriter writer = new ProtoWriter().Message(1, exhibit.Scene.ToProto());
            return PlayerConversion.Transforms(3, exhibit.Transforms, Cameras(2, exhibit.Cameras, writer));
        }

        private static Exhibit ToExhibit(this ProtoReader reader)
        {
            var scene = new Scene(new Body[0], default(Block), null);
            var cameras = new List<PlayerCamera>();
            var transforms = new List<BodyTransform>();
            while (reader.Next())
            {
                switch (reader.Tag)
                {
                    case Tags.Bytes1:
                        scene = reader.ReadMessage().ToScene();
                        break;
                    case Tags.Bytes2:
                        cameras.Add(reader.ReadMessage().ToCamera());
                        break;
                    case Tags.Bytes3:
                        transforms.Add(reader.ReadMessage().ToBodyTransform());
                        break;
                }
            }
            return new Exhibit(scene, cameras, transforms);
        }

        private static IEnumerable<int> Numbers(IEnumerable<PlayerPass> passes) => passes.Select(pass => (int)pass);

        private static List<PlayerPass> Passes(IEnumerable<int> numbers) =>
            numbers.Select(number => (PlayerPass)number).ToList();

        private static ProtoWriter Cameras(int field, IEnumerable<PlayerCamera> cameras, ProtoWriter writer)
        {
            foreach (PlayerCamera camera in cameras)
            {
                writer.Message(field, camera.ToProto());
            }
            return writer;
        }

        private static ProtoWriter ToProto(this PlayerCamera camera) => new ProtoWriter()
            .String(1, camera.Name)
            .PackedDouble(2, camera.ClipFromWorld)
            .PackedDouble(3, camera.DistanceFromWorld)
            .Bool(4, camera.Unshaded);

        private static PlayerCamera ToCamera(this ProtoReader reader)
        {
            string name = "";
            List<double> matrix = new List<double>(), distance = new List<double>();
            bool unshaded = false;
            while (reader.Next())
            {
                switch (reader.Tag)
                {
                    case Tags.Bytes1:
                        name = reader.ReadString();
                        break;
                    case Tags.Bytes2:
                        reader.ReadPackedDouble(matrix, PlayerCamera.MatrixLength);
                        break;
                    case Tags.Bytes3:
                        reader.ReadPackedDouble(distance, PlayerCamera.DistanceLength);
                        break;
                    case Tags.Varint4:
                        unshaded = reader.ReadBool();
                        break;
                }
            }
            return new PlayerCamera(name, matrix, distance, unshaded);
        }

        private static ProtoWriter ToProto(this PlayerPicture picture) => new ProtoWriter()
            .Int32(1, picture.Size)
            .Bytes(2, picture.Rgb)
            .Int32(3, (int)picture.Encoding)
            .Bytes(4, picture.Ids)
            .Bytes(5, picture.Depth)
            .Bytes(6, picture.Normals);

        private static PlayerPicture ToPicture(this ProtoReader reader)
        {
            int size = 0;
            byte[] rgb = new byte[0], ids = rgb, depth = rgb, normals = rgb;
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
                    case Tags.Bytes6:
                        normals = reader.ReadBytes();
                        break;
                }
            }
            return new PlayerPicture(size, rgb, encoding, ids, depth, normals);
        }
    }
}
