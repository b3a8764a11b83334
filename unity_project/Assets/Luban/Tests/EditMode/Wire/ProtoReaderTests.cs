using System;
using System.Collections.Generic;
using Luban.Wire;
using NUnit.Framework;

namespace Luban.Tests
{
    public sealed class ProtoReaderTests
    {
        [TestCase(new byte[] { 0x00 }, 0UL)]
        [TestCase(new byte[] { 0x96, 0x01 }, 150UL)]
        [TestCase(new byte[] { 0x80, 0x00 }, 0UL)]
        [TestCase(new byte[] { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01 }, ulong.MaxValue)]
        public void AVarintIsRead(byte[] bytes, ulong value) =>
            Assert.That(new ProtoReader(bytes).ReadVarint(), Is.EqualTo(value));

        [TestCase(new byte[] { })]
        [TestCase(new byte[] { 0x80 })]
        [TestCase(new byte[] { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02 })]
        [TestCase(new byte[] { 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01 })]
        public void AVarintThatIsNoneIsRefused(byte[] bytes) =>
            Assert.Throws<WireFormatException>(() => new ProtoReader(bytes).ReadVarint());

        [TestCase(0)]
        [TestCase(-1)]
        [TestCase(1)]
        [TestCase(int.MaxValue)]
        [TestCase(int.MinValue)]
        public void ASignedNumberComesBack(int value)
        {
            var reader = new ProtoReader(new ProtoWriter().PackedSInt32(1, new[] { value, value }).ToArray());
            var numbers = new List<int>();
            reader.Next();
            reader.ReadPackedSInt32(numbers, 2);
            Assert.That(numbers, Is.EqualTo(new[] { value, value }));
        }

        [Test]
        public void UnknownFieldsOfEveryTypeAreSkipped()
        {
            byte[] bytes =
            {
                0xf8, 0x01, 0x05,
                0xf9, 0x01, 1, 2, 3, 4, 5, 6, 7, 8,
                0xfa, 0x01, 2, 9, 9,
                0xfd, 0x01, 1, 2, 3, 4,
                0x08, 0x07,
            };
            Assert.That(PlayerMessages.ReadRequest(bytes).Id, Is.EqualTo(7UL));
        }

        [Test]
        public void AFieldOfAnotherTypeCountsAsUnknown()
        {
            byte[] bytes = { 0x0a, 0x01, 0x05, 0x10, 0x03, 0x08, 0x02 };
            PlayerRequest request = PlayerMessages.ReadRequest(bytes);
            Assert.That(request.Id, Is.EqualTo(2UL));
            Assert.That(request.Call, Is.Null);
        }

        [TestCase(new byte[] { 0x00 })]
        [TestCase(new byte[] { 0x07 })]
        [TestCase(new byte[] { 0x0b })]
        [TestCase(new byte[] { 0x0c })]
        [TestCase(new byte[] { 0x0a, 0x05, 0x01 })]
        [TestCase(new byte[] { 0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f })]
        [TestCase(new byte[] { 0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01 })]
        [TestCase(new byte[] { 0x09, 0x01 })]
        [TestCase(new byte[] { 0x0d, 0x01 })]
        [TestCase(new byte[] { 0xf8, 0xff, 0xff, 0xff, 0xff, 0x01 })]
        public void AMessageThatIsNoneIsRefused(byte[] bytes) =>
            Assert.Throws<WireFormatException>(() => PlayerMessages.ReadRequest(bytes));

        [Test]
        public void ATextThatIsNoUtf8IsRefused()
        {
            var reader = new ProtoReader(new byte[] { 0x0a, 0x02, 0xc3, 0x28 });
            reader.Next();
            Assert.Throws<WireFormatException>(() => reader.ReadString());
        }

        [Test]
        public void AListLongerThanAllowedIsRefused()
        {
            var reader = new ProtoReader(new ProtoWriter().PackedDouble(1, new double[5]).ToArray());
            reader.Next();
            Assert.Throws<WireFormatException>(() => reader.ReadPackedDouble(new List<double>(), 4));
        }

        [Test]
        public void AMessageWithinEndsWhereItSays()
        {
            ProtoWriter inner = new ProtoWriter().UInt64(1, 5);
            var reader = new ProtoReader(new ProtoWriter().Message(1, inner).UInt64(2, 9).ToArray());
            reader.Next();
            ProtoReader within = reader.ReadMessage();
            within.Next();
            Assert.That(within.ReadVarint(), Is.EqualTo(5UL));
            Assert.That(within.Next(), Is.False);
            Assert.Throws<WireFormatException>(() => within.ReadVarint());
        }
    }
}
