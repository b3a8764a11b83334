using System;
using System.Collections.Generic;
using System.Linq;
using Luban.Core;
using Luban.Wire;
using NUnit.Framework;

namespace Luban.Tests
{
    public sealed class PlayerSessionTests
    {
        private static readonly PlayerPass[] Everything = { };

        private LatticeWorld _world;
        private PlayerSession _session;

        [SetUp]
        public void BuildABarAndACube()
        {
            _world = Scenes.World(Scenes.BarAndCube());
            _session = new PlayerSession(_world, new Painter());
            Ask(new ResetCall(Scenes.BarAndCube()));
        }

        [Test]
        public void EveryPrefixOfARequestIsAnsweredAndChangesNothing()
        {
            byte[] request = PlayerMessages.Write(new PlayerRequest(9, new ResetCall(Scenes.BarAndCube(false))));
            ulong before = _world.Digest;
            for (int length = 3; length < request.Length; length++)
            {
                PlayerResponse response = Answer(request.Take(length).ToArray());
                Assert.That(response.Id, Is.EqualTo(9UL));
                Assert.That(ErrorOf(response), Is.EqualTo(PlayerError.Malformed), "of length " + length);
                Assert.That(response.Digest, Is.EqualTo(before));
            }
        }

        [Test]
        public void GarbageIsAnswered()
        {
            var chance = new Random(1);
            for (int i = 0; i < 2000; i++)
            {
                var garbage = new byte[chance.Next(60)];
                chance.NextBytes(garbage);
                Assert.That(Answer(garbage).Answer, Is.InstanceOf<FailedAnswer>());
            }
        }

        [Test]
        public void SpoiltRequestsAreAnswered()
        {
            byte[] request = PlayerMessages.Write(new PlayerRequest(9, new ResetCall(Scenes.BarAndCube())));
            var chance = new Random(2);
            for (int i = 0; i < 5000; i++)
            {
                var spoilt = (byte[])request.Clone();
                spoilt[chance.Next(spoilt.Length)] = (byte)chance.Next(256);
                PlayerAnswer answer = Answer(spoilt).Answer;
                Assert.That(answer is FailedAnswer || answer is ReadyAnswer, "" + answer);
            }
        }

        [Test]
        public void ALengthThatLiesIsRefusedWithoutReadingOn()
        {
            byte[] lie = { 0x08, 0x05, 0x1a, 0xff, 0xff, 0xff, 0xff, 0x07 };
            PlayerResponse response = Answer(lie);
            Assert.That(response.Id, Is.EqualTo(5UL));
            Assert.That(ErrorOf(response), Is.EqualTo(PlayerError.Malformed));
        }

        [Test]
        public void APlayerWithoutGraphicsSaysSo()
        {
            _session = new PlayerSession(_world, null);
            Assert.That(ErrorOf(Ask(Look(4))), Is.EqualTo(PlayerError.NoGraphics));
            var identity = (IdentityAnswer)Ask(new HelloCall(1)).Answer;
            Assert.That(identity.Graphics, Is.EqualTo(""));
        }

        [Test]
        public void APlayerWithGraphicsDraws()
        {
            var identity = (IdentityAnswer)Ask(new HelloCall(1)).Answer;
            Assert.That(identity.Graphics, Is.EqualTo("a brush"));
            PlayerPicture picture = ((PicturesAnswer)Ask(Look(4)).Answer).Pictures.Single();
            Assert.That(picture.Size, Is.EqualTo(4));
            Assert.That(picture.Rgb.Length, Is.EqualTo(48));
        }

        [TestCase(0)]
        [TestCase(-1)]
        [TestCase(4097)]
        public void APictureOfNoSizeIsRefused(int size) =>
            Assert.That(ErrorOf(Ask(Look(size))), Is.EqualTo(PlayerError.Invalid));

        [Test]
        public void MorePicturesThanAMessageHoldsAreRefused()
        {
            PlayerCamera[] cameras = Enumerable.Repeat(Camera(1.0), 8).ToArray();
            var call = new RenderCall(cameras, 1024, PlayerEncoding.Raw, new BodyTransform[0], Everything);
            Assert.That(ErrorOf(Ask(call)), Is.EqualTo(PlayerError.Invalid));
        }

        [Test]
        public void AnUnknownEncodingIsRefused()
        {
            var call = Look(4, Camera(1.0), (PlayerEncoding)7);
            Assert.That(ErrorOf(Ask(call)), Is.EqualTo(PlayerError.Invalid));
        }

        [TestCase(double.NaN)]
        [TestCase(double.PositiveInfinity)]
        public void ACameraThatIsNotFiniteIsRefused(double number)
        {
            var call = Look(4, Camera(number), PlayerEncoding.Raw);
            Assert.That(ErrorOf(Ask(call)), Is.EqualTo(PlayerError.Invalid));
        }

        [Test]
        public void DrawingAStrangerIsRefused()
        {
            var stranger = new BodyTransform("nobody", RigidTransform.Of(default(LatticePose)));
            var call = new RenderCall(new[] { Camera(1.0) }, 4, PlayerEncoding.Raw, new[] { stranger }, Everything);
            Assert.That(ErrorOf(Ask(call)), Is.EqualTo(PlayerError.UnknownBody));
        }

        [TestCase(1)]
        [TestCase(7)]
        [TestCase(1000)]
        public void ARequestInPartsIsAnsweredAsTheWhole(int size)
        {
            byte[] whole = PlayerMessages.Write(new PlayerRequest(9, new ResetCall(Scenes.BarAndCube(false))));
            ulong before = _world.Digest;
            for (int at = 0; at < whole.Length; at += size)
            {
                Assert.That(_world.Digest, Is.EqualTo(before));
                byte[] data = whole.Skip(at).Take(size).ToArray();
                PlayerResponse response = Ask(new PartCall(data, at + size >= whole.Length));
                Assert.That(response.Answer, Is.InstanceOf<ReadyAnswer>());
            }
            Assert.That(_world.Digest, Is.EqualTo(Scenes.World(Scenes.BarAndCube(false)).Digest));
        }

        [Test]
        public void PartsThatAreInterruptedAreForgotten()
        {
            byte[] whole = PlayerMessages.Write(new PlayerRequest(9, new PosesCall()));
            Ask(new PartCall(new byte[] { 0xff, 0xff }, false));
            Ask(new PosesCall());
            Assert.That(Ask(new PartCall(whole, true)).Answer, Is.InstanceOf<BodiesAnswer>());
        }

        [Test]
        public void APartOfAPartIsMalformed()
        {
            byte[] part = PlayerMessages.Write(new PlayerRequest(9, new PartCall(new byte[0], true)));
            Assert.That(ErrorOf(Ask(new PartCall(part, true))), Is.EqualTo(PlayerError.Malformed));
        }

        [Test]
        public void PartsWithoutEndAreRefused()
        {
            var part = new PartCall(new byte[16 << 20], false);
            for (int i = 0; i < 4; i++)
            {
                Assert.That(Ask(part).Answer, Is.InstanceOf<ReadyAnswer>());
            }
            Assert.That(ErrorOf(Ask(part)), Is.EqualTo(PlayerError.Malformed));
        }

        [Test]
        public void LastWordsAreAResponseToTheRequest()
        {
            byte[] request = PlayerMessages.Write(new PlayerRequest(9, new PosesCall()));
            var fault = new InvalidOperationException("the stage\nis gone");
            PlayerResponse response = PlayerMessages.ReadResponse(PlayerSession.AnswerFault(request, fault));
            Assert.That(response.Id, Is.EqualTo(9UL));
            Assert.That(ErrorOf(response), Is.EqualTo(PlayerError.Internal));
            string words = ((FailedAnswer)response.Answer).Message;
            Assert.That(words, Is.EqualTo("InvalidOperationException: the stage is gone"));
        }

        private static PlayerError ErrorOf(PlayerResponse response) => ((FailedAnswer)response.Answer).Error;

        private static PlayerCamera Camera(double number) =>
            new PlayerCamera("front", Enumerable.Repeat(number, 16).ToArray());

        private static RenderCall Look(int size) => Look(size, Camera(1.0), PlayerEncoding.Raw);

        private static RenderCall Look(int size, PlayerCamera camera, PlayerEncoding encoding) =>
            new RenderCall(new[] { camera }, size, encoding, new BodyTransform[0], Everything);

        private PlayerResponse Ask(PlayerCall call) =>
            Answer(PlayerMessages.Write(new PlayerRequest(1, call)));

        private PlayerResponse Answer(byte[] request) => PlayerMessages.ReadResponse(_session.Answer(request));

        /// <summary>Draws nothing but background, in the right amount.</summary>
        private sealed class Painter : IRenderer
        {
            public string Graphics => "a brush";

            public IReadOnlyList<PlayerPicture> Render(RenderCall call) =>
                call.Cameras.Select(camera => Blank(call.Size)).ToList();

            private static PlayerPicture Blank(int size) => new PlayerPicture(
                size,
                new byte[3 * size * size],
                PlayerEncoding.Raw,
                new byte[2 * size * size],
                new byte[4 * size * size]);
        }
    }
}
