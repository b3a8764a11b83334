using System;
using System.Collections.Generic;
using System.Linq;
using Luban.Wire;
using NUnit.Framework;

namespace Luban.Tests
{
    public sealed class SideChannelFramesTests
    {
        /// <summary>Python: <c>uuid.UUID("5d3c6f0e-...").bytes_le + b"\2\0\0\0" + b"hi"</c>.</summary>
        private static readonly byte[] Hi =
        {
            0x0e, 0x6f, 0x3c, 0x5d, 0x0b, 0x8a, 0x52, 0x4c, 0x9a, 0x3e, 0x1f, 0x6b, 0x2d, 0x7c, 0x9e, 0x41,
            2, 0, 0, 0, (byte)'h', (byte)'i',
        };

        [Test]
        public void AMessageIsFramedAsInPython()
        {
            var message = new SideChannelMessage(SideChannelFrames.Channel, new[] { (byte)'h', (byte)'i' });
            Assert.That(SideChannelFrames.Write(new[] { message }), Is.EqualTo(Hi));
        }

        [Test]
        public void MessagesAreReadOneAfterTheOther()
        {
            IReadOnlyList<SideChannelMessage> found = SideChannelFrames.Read(Hi.Concat(Hi).ToArray());
            Assert.That(found.Count, Is.EqualTo(2));
            Assert.That(found[1].Channel, Is.EqualTo(new Guid("5d3c6f0e-8a0b-4c52-9a3e-1f6b2d7c9e41")));
            Assert.That(found[1].Payload, Is.EqualTo(new[] { (byte)'h', (byte)'i' }));
        }

        [Test]
        public void NothingIsNoMessage() => Assert.That(SideChannelFrames.Read(new byte[0]), Is.Empty);

        [Test]
        public void AMessageThatIsCutOffIsRefused()
        {
            for (int length = 1; length < Hi.Length; length++)
            {
                Assert.Throws<WireFormatException>(() => SideChannelFrames.Read(Hi.Take(length).ToArray()));
            }
        }

        [TestCase(0xff)]
        [TestCase(0x7f)]
        public void ALengthThatLiesIsRefused(int high)
        {
            var lie = (byte[])Hi.Clone();
            lie[19] = (byte)high;
            Assert.Throws<WireFormatException>(() => SideChannelFrames.Read(lie));
        }
    }
}
