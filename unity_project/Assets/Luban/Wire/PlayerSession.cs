using System;
using System.Collections.Generic;
using System.IO;
using Luban.Core;

namespace Luban.Wire
{
    /// <summary>
    /// Answers the bridge's requests over a world: one response for each request, whatever its bytes.
    /// A request that can't be met changes nothing. Faults of the world or of the renderer itself are
    /// passed on to the caller.
    /// </summary>
    public sealed class PlayerSession
    {
        /// <summary>Edge of a picture in pixels, at most.</summary>
        public const int MaxSize = 4096;

        /// <summary>Bytes of pixels in a response, at most: it must fit into a message of 64 MiB.</summary>
        private const long MaxPixelBytes = 60L << 20;

        /// <summary>Bytes of a request that comes in parts, at most.</summary>
        private const long MaxRequestBytes = 64L << 20;

        /// <summary>Colour, id and depth of a pixel.</summary>
        private const long BytesOfPixel = 3 + 2 + 4;

        private readonly IWorld _world;
        private readonly IRenderer _renderer;
        private readonly HashSet<string> _names = new HashSet<string>();
        private readonly MemoryStream _parts = new MemoryStream();

        /// <param name="world">What moves the bodies.</param>
        /// <param name="renderer">What draws them; null if the player can't.</param>
        public PlayerSession(IWorld world, IRenderer renderer)
        {
            _world = world;
            _renderer = renderer;
        }

        /// <summary>The response to a request, both as bytes.</summary>
        public byte[] Answer(byte[] request)
        {
            ulong id = PlayerMessages.ReadId(request);
            PlayerAnswer answer = AnswerOrFailure(request);
            return PlayerMessages.Write(new PlayerResponse(id, _world.Digest, answer));
        }

        /// <summary>The response to a request on which the player itself failed: its last words.</summary>
        public static byte[] AnswerFault(byte[] request, Exception fault)
        {
            string words = fault.GetType().Name + ": " + fault.Message.Replace("\r", "").Replace('\n', ' ');
            var answer = new FailedAnswer(PlayerError.Internal, words);
            return PlayerMessages.Write(new PlayerResponse(PlayerMessages.ReadId(request), 0, answer));
        }

        private static PlayerError ErrorOf(LatticeError error)
        {
            switch (error)
            {
                case LatticeError.UnknownBody:
                    return PlayerError.UnknownBody;
                case LatticeError.NoScene:
                    return PlayerError.NoScene;
                default:
                    return PlayerError.Invalid;
            }
        }

        private static bool IsFinite(double number) => !double.IsNaN(number) && !double.IsInfinity(number);

        private PlayerAnswer AnswerOrFailure(byte[] request)
        {
            try
            {
                PlayerCall call = PlayerMessages.ReadRequest(request).Call;
                return call is PartCall part ? Gather(part) : Meet(Whole(call));
            }
            catch (WireFormatException error)
            {
                return new FailedAnswer(PlayerError.Malformed, "the request can't be read: " + error.Message);
            }
            catch (LatticeException error)
            {
                return new FailedAnswer(ErrorOf(error.Error), error.Message);
            }
        }

        /// <summary>Keeps a part; the last one is answered as the whole that they make up.</summary>
        private PlayerAnswer Gather(PartCall part)
        {
            if (_parts.Length + part.Data.Length > MaxRequestBytes)
            {
                _parts.SetLength(0);
                return new FailedAnswer(PlayerError.Malformed, "the parts make up more than 64 MiB");
            }
            _parts.Write(part.Data, 0, part.Data.Length);
            return part.Last ? Meet(Whole(PlayerMessages.ReadRequest(TakeParts()).Call)) : new ReadyAnswer();
        }

        private byte[] TakeParts()
        {
            byte[] whole = _parts.ToArray();
            _parts.SetLength(0);
            return whole;
        }

        /// <summary>A call that is no part; parts of another one that are still here are forgotten.</summary>
        private PlayerCall Whole(PlayerCall call)
        {
            _parts.SetLength(0);
            return call is PartCall ? null : call;
        }

        private PlayerAnswer Meet(PlayerCall call)
        {
            if (call is HelloCall hello)
            {
                return Greet(hello);
            }
            if (call is ResetCall reset)
            {
                return Build(reset.Scene);
            }
            if (call is ExecuteCall execute)
            {
                return new ReportAnswer(_world.Execute(execute.Motions));
            }
            if (call is RenderCall render)
            {
                return Draw(render);
            }
            if (call is PosesCall)
            {
                return new BodiesAnswer(_world.Transforms());
            }
            return new FailedAnswer(PlayerError.Malformed, "the request asks nothing that is known");
        }

        private PlayerAnswer Greet(HelloCall hello)
        {
            if (hello.Protocol != PlayerMessages.Protocol)
            {
                return new FailedAnswer(
                    PlayerError.Protocol,
                    "this player speaks version " + PlayerMessages.Protocol + ", not " + hello.Protocol);
            }
            string graphics = _renderer == null ? "" : _renderer.Graphics;
            return new IdentityAnswer(PlayerMessages.Protocol, _world.Engine, graphics);
        }

        private PlayerAnswer Build(Scene scene)
        {
            _world.Reset(scene);
            _names.Clear();
            foreach (Body body in scene.Bodies)
            {
                _names.Add(body.Name);
            }
            return new ReadyAnswer();
        }

        private PlayerAnswer Draw(RenderCall call)
        {
            if (!_world.HasScene)
            {
                throw LatticeException.NoScene();
            }
            if (_renderer == null)
            {
                return new FailedAnswer(PlayerError.NoGraphics, "this player has no graphics device");
            }
            CheckPictures(call);
            CheckNumbers(call);
            return new PicturesAnswer(_renderer.Render(call));
        }

        private static void CheckPictures(RenderCall call)
        {
            if (call.Size < 1 || call.Size > MaxSize)
            {
                throw LatticeException.Invalid(
                    "a picture has from 1 to " + MaxSize + " pixels a side, not " + call.Size);
            }
            if (!Enum.IsDefined(typeof(PlayerEncoding), call.Encoding))
            {
                throw LatticeException.Invalid("no encoding of pictures has the number " + (int)call.Encoding);
            }
            if (BytesOfPixel * call.Size * call.Size * call.Cameras.Count > MaxPixelBytes)
            {
                throw LatticeException.Invalid(
                    call.Cameras.Count + " pictures of " + call.Size + " pixels a side are too much for one message");
            }
        }

        private void CheckNumbers(RenderCall call)
        {
            foreach (PlayerCamera camera in call.Cameras)
            {
                CheckFinite(camera.ClipFromWorld, "the camera " + camera.Name);
            }
            foreach (BodyTransform body in call.Transforms)
            {
                if (!_names.Contains(body.Name))
                {
                    throw LatticeException.UnknownBody(body.Name);
                }
                CheckFinite(body.Transform.Rows, "the transform of " + body.Name);
            }
        }

        private static void CheckFinite(IEnumerable<double> numbers, string what)
        {
            foreach (double number in numbers)
            {
                if (!IsFinite(number))
                {
                    throw LatticeException.Invalid(what + " has a number that is not finite");
                }
            }
        }
    }
}
