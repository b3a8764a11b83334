using System.Collections.Generic;
using Luban.Core;
using NUnit.Framework;

namespace Luban.Tests
{
    public sealed class RotationTests
    {
        [TestCase(0, "(1, 0, 0)(0, 1, 0)(0, 0, 1)")]
        [TestCase(1, "(1, 0, 0)(0, 0, 1)(0, -1, 0)")]
        [TestCase(4, "(0, 1, 0)(1, 0, 0)(0, 0, -1)")]
        [TestCase(23, "(0, 0, -1)(0, -1, 0)(-1, 0, 0)")]
        public void TheOrderIsByTheImagesOfXAndY(int index, string images)
        {
            var rotation = new Rotation(index);
            string found = "" + rotation.ImageOfX + rotation.ImageOfY + rotation.ImageOfZ;
            Assert.That(found, Is.EqualTo(images));
        }

        [Test]
        public void TheTwentyFourAreDifferentAndKeepHandedness()
        {
            var images = new HashSet<string>();
            for (int i = 0; i < Rotation.Count; i++)
            {
                var rotation = new Rotation(i);
                Assert.That(rotation.ImageOfX.Cross(rotation.ImageOfY), Is.EqualTo(rotation.ImageOfZ));
                images.Add(rotation.Apply(new Cell(1, 2, 3)).ToString());
            }
            Assert.That(images.Count, Is.EqualTo(24));
        }

        [TestCase(-1)]
        [TestCase(24)]
        public void OthersAreRefused(int index) =>
            Assert.Throws<LatticeException>(() => new Rotation(index));
    }
}
