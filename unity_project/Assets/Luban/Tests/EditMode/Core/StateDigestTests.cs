using Luban.Core;
using NUnit.Framework;

namespace Luban.Tests
{
    public sealed class StateDigestTests
    {
        [Test]
        public void TheDigestOfNothingIsTheOffsetOfFnv() =>
            Assert.That(StateDigest.Start().Value, Is.EqualTo(0xcbf29ce484222325UL));

        [Test]
        public void AWorldWithoutASceneHasNone() =>
            Assert.That(new LatticeWorld().Digest, Is.EqualTo(0UL));

        [Test]
        public void LettingGoChangesIt()
        {
            LatticeWorld world = Scenes.World(Scenes.BarAndCube());
            ulong before = world.Digest;
            world.Execute(Scenes.Motions(Scenes.CarryOf("blue", true)));
            Assert.That(world.Digest, Is.Not.EqualTo(before));
            Assert.That(world.IsLoose("blue"));
            world.Execute(Scenes.Motions(Scenes.CarryOf("blue", false)));
            Assert.That(world.Digest, Is.EqualTo(before));
        }
    }
}
