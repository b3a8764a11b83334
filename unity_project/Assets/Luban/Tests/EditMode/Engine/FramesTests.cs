using Luban.Core;
using Luban.Runtime;
using NUnit.Framework;
using UnityEngine;

namespace Luban.Tests
{
    public sealed class FramesTests
    {
        [Test]
        public void UpIsUp() =>
            Assert.That(new Cell(1, 2, 3).ToUnity(), Is.EqualTo(new Vector3(1f, 3f, 2f)));

        [Test]
        public void EveryPoseComesBackAndMovesPointsAlike()
        {
            for (int i = 0; i < Rotation.Count; i++)
            {
                var pose = new LatticePose(new Rotation(i), new Cell(4, -5, 6));
                RigidTransform transform = RigidTransform.Of(pose);
                Matrix4x4 matrix = transform.ToUnity();
                Assert.That(matrix.determinant, Is.EqualTo(1f));
                Assert.That(matrix.ToLattice().Rows, Is.EqualTo(transform.Rows));
                Cell image = pose.Rotation.Apply(new Cell(1, 2, 3)) + pose.Offset;
                Assert.That(matrix.MultiplyPoint3x4(new Cell(1, 2, 3).ToUnity()), Is.EqualTo(image.ToUnity()));
            }
        }

        [Test]
        public void APlaceSurvivesPositionAndRotation()
        {
            for (int i = 0; i < Rotation.Count; i++)
            {
                var pose = new LatticePose(new Rotation(i), new Cell(4, -5, 6));
                Matrix4x4 matrix = RigidTransform.Of(pose).ToUnity();
                Matrix4x4 again = Matrix4x4.TRS(matrix.Position(), matrix.rotation, Vector3.one);
                Vector3 way = again.MultiplyPoint3x4(Vector3.one) - matrix.MultiplyPoint3x4(Vector3.one);
                Assert.That(way.magnitude, Is.LessThan(1e-5f), "rotation " + i);
            }
        }

        [Test]
        public void ACameraIsReadRowByRow()
        {
            var numbers = new double[16];
            numbers[3] = 7.0;
            Assert.That(numbers.ToMatrix()[0, 3], Is.EqualTo(7f));
        }

        [Test]
        public void AColourKeepsItsComponents()
        {
            Vector4 colour = Frames.ToColour(0xff8000);
            Assert.That(new[] { colour.x, colour.y, colour.z }, Is.EqualTo(new[] { 1f, 128f / 255f, 0f }));
        }
    }
}
