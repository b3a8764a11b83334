namespace Luban.Wire
{
    /// <summary>Requests and responses as bytes: unity.proto, version 1.</summary>
    public static class PlayerMessages
    {
        /// <summary>The version of the protocol that this code speaks.</summary>
        public const uint Protocol = 1;

        /// <summary>The id of a request that perhaps can't be read any further; 0 if it has none.</summary>
        public static ulong ReadId(byte[] bytes)
        {
            ulong id = 0;
            try
            {
                var reader = new ProtoReader(bytes);
                while (reader.Next())
                {
                    if (reader.Tag == Tags.Varint1)
                    {
                        id = reader.ReadVarint();
                    }
                }
            }
            catch (WireFormatException)
            {
                // What was read so far has to do.
            }
            return id;
        }

        /// <exception cref="WireFormatException">It can't be read.</exception>
        /// <exception cref="Core.LatticeException">It can, but makes no sense (<c>Invalid</c>).</exception>
        public static PlayerRequest ReadRequest(byte[] bytes)
        {
            var reader = new ProtoReader(bytes);
            ulong id = 0;
            PlayerCall call = null;
            while (reader.Next())
            {
                if (reader.Tag == Tags.Varint1)
                {
                    id = reader.ReadVarint();
                }
                else
                {
                    call = ReadCall(reader) ?? call;
                }
            }
            return new PlayerRequest(id, call);
        }

        public static byte[] Write(PlayerRequest request)
        {
            ProtoWriter writer = new ProtoWriter().UInt64(1, request.Id);
            if (request.Call is HelloCall hello)
            {
                return writer.Message(2, hello.ToProto()).ToArray();
            }
            if (request.Call is ResetCall reset)
            {
                return writer.Message(3, reset.ToProto()).ToArray();
            }
            if (request.Call is ExecuteCall execute)
            {
                return writer.Message(4, execute.ToProto()).ToArray();
            }
            if (request.Call is RenderCall render)
            {
                return writer.Message(5, render.ToProto()).ToArray();
            }
            if (request.Call is PosesCall)
            {
                return writer.Message(6, new ProtoWriter()).ToArray();
            }
            if (request.Call is PartCall part)
            {
                return writer.Message(7, part.ToProto()).ToArray();
            }
            return writer.ToArray();
        }

        /// <exception cref="WireFormatException">It can't be read.</exception>
        public static PlayerResponse ReadResponse(byte[] bytes)
        {
            var reader = new ProtoReader(bytes);
            ulong id = 0, digest = 0;
            PlayerAnswer answer = null;
            while (reader.Next())
            {
                switch (reader.Tag)
                {
                    case Tags.Varint1:
                        id = reader.ReadVarint();
                        break;
                    case Tags.Fixed2:
                        digest = reader.ReadFixed64();
                        break;
                    default:
                        answer = ReadAnswer(reader) ?? answer;
                        break;
                }
            }
            return new PlayerResponse(id, digest, answer);
        }

        public static byte[] Write(PlayerResponse response)
        {
            ProtoWriter writer = new ProtoWriter().UInt64(1, response.Id).Fixed64(2, response.Digest);
            if (response.Answer is FailedAnswer failed)
            {
                return writer.Message(3, failed.ToProto()).ToArray();
            }
            if (response.Answer is IdentityAnswer identity)
            {
                return writer.Message(4, identity.ToProto()).ToArray();
            }
            if (response.Answer is ReadyAnswer)
            {
                return writer.Message(5, new ProtoWriter()).ToArray();
            }
            if (response.Answer is ReportAnswer report)
            {
                return writer.Message(6, report.Report.ToProto()).ToArray();
            }
            if (response.Answer is PicturesAnswer pictures)
            {
                return writer.Message(7, pictures.ToProto()).ToArray();
            }
            if (response.Answer is BodiesAnswer bodies)
            {
                return writer.Message(8, bodies.ToProto()).ToArray();
            }
            return writer.ToArray();
        }

        private static PlayerCall ReadCall(ProtoReader reader)
        {
            switch (reader.Tag)
            {
                case Tags.Bytes2:
                    return reader.ReadMessage().ToHello();
                case Tags.Bytes3:
                    return reader.ReadMessage().ToReset();
                case Tags.Bytes4:
                    return reader.ReadMessage().ToExecute();
                case Tags.Bytes5:
                    return reader.ReadMessage().ToRender();
                case Tags.Bytes6:
                    return new PosesCall();
                case Tags.Bytes7:
                    return reader.ReadMessage().ToPart();
                default:
                    return null;
            }
        }

        private static PlayerAnswer ReadAnswer(ProtoReader reader)
        {
            switch (reader.Tag)
            {
                case Tags.Bytes3:
                    return reader.ReadMessage().ToFailed();
                case Tags.Bytes4:
                    return reader.ReadMessage().ToIdentity();
                case Tags.Bytes5:
                    return new ReadyAnswer();
                case Tags.Bytes6:
                    return new ReportAnswer(reader.ReadMessage().ToReport());
                case Tags.Bytes7:
                    return reader.ReadMessage().ToPictures();
                case Tags.Bytes8:
                    return reader.ReadMessage().ToBodies();
                default:
                    return null;
            }
        }
    }
}
