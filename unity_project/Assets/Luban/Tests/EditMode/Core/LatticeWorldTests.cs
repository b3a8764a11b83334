using System.Collections.Generic;
using System.Linq;
using Luban.Core;
using NUnit.Framework;

namespace Luban.Tests
{
    public sealed class LatticeWorldTests
    {
        private const int Million = 1 << 20;

        private LatticeWorld _world;

        [SetUp]
        public void BuildABarAndACube() => _world = Scenes.World(Scenes.BarAndCube());

        [Test]
        public void ABlockedSweepSaysHowFarAndByWhomAndChangesNothing()
        {
            ulong before = _world.Digest;
            Report report = Execute(Scenes.SweepOf(Direction.PlusX, 5, "red"));
            Assert.That(report.Completed, Is.False);
            Assert.That(report.Travel, Is.EqualTo(3));
            Assert.That(report.Measured, Is.EqualTo(3.0));
            Assert.That(report.Contacts, Is.EqualTo(new[] { "blue" }));
            Assert.That(_world.Digest, Is.EqualTo(before));
        }

        [Test]
        public void ABlockedSweepIsShownThereAndBack()
        {
            IReadOnlyList<Keyframe> film = Execute(Scenes.SweepOf(Direction.PlusX, 5, "red")).Keyframes;
            double[] places = film.Select(keyframe => keyframe.Bodies.Single().Transform[0, 3]).ToArray();
            Assert.That(places, Is.EqualTo(new[] { 0.0, 3.0, 0.0 }));
            Assert.That(film.Select(keyframe => keyframe.Time), Is.Ordered);
        }

        [Test]
        public void BodiesThatMoveTogetherDoNotBlockEachOther()
        {
            Report report = Execute(Scenes.SweepOf(Direction.PlusX, 5, "red", "blue"));
            Assert.That(report.Completed);
            Assert.That(_world.PoseOf("red").Offset, Is.EqualTo(new Cell(5, 0, 0)));
            Assert.That(_world.PoseOf("blue").Offset, Is.EqualTo(new Cell(12, 0, 0)));
        }

        [Test]
        public void ACarryIntoAnotherBodyTakesBackWhatWentBefore()
        {
            ulong before = _world.Digest;
            Report report = Execute(
                Scenes.SweepOf(Direction.PlusY, 2, "red"),
                new Carry("blue", Scenes.At(2, 2, 0), false));
            Assert.That(report.Completed, Is.False);
            Assert.That(report.Travel, Is.EqualTo(2));
            Assert.That(report.Contacts, Is.EqualTo(new[] { "red" }));
            Assert.That(_world.Digest, Is.EqualTo(before));
        }

        [Test]
        public void BodiesThatSwappedCellsComeBack()
        {
            Scene cubes = Scenes.Of(
                false,
                Scenes.Named("red", Scenes.Bar(1), Scenes.At(0, 0, 0)),
                Scenes.Named("blue", Scenes.Bar(1), Scenes.At(5, 0, 0)),
                Scenes.Named("wall", Scenes.Bar(1), Scenes.At(1, 0, 0)));
            _world.Reset(cubes);
            ulong before = _world.Digest;
            Report report = Execute(
                new Carry("red", Scenes.At(9, 9, 9), false),
                new Carry("blue", Scenes.At(0, 0, 0), false),
                new Carry("red", Scenes.At(5, 0, 0), false),
                Scenes.SweepOf(Direction.PlusX, 1, "blue"));
            Assert.That(report.Contacts, Is.EqualTo(new[] { "wall" }));
            Assert.That(_world.Digest, Is.EqualTo(before));
            Assert.That(Execute(Scenes.SweepOf(Direction.MinusX, 9, "red")).Completed);
        }

        [Test]
        public void ABodyLetGoWhereItIsIsHeldAgainWhenWhatFollowsIsBlocked()
        {
            ulong before = _world.Digest;
            Report report = Execute(
                new Carry("blue", Scenes.At(7, 0, 0), true),
                Scenes.SweepOf(Direction.PlusX, 5, "red"));
            Assert.That(report.Completed, Is.False);
            Assert.That(_world.IsLoose("blue"), Is.False);
            Assert.That(_world.Digest, Is.EqualTo(before));
        }

        [Test]
        public void NoMotionsAreAStepToo() => Assert.That(Execute().Completed);

        [Test]
        public void AMotionOfAStrangerIsRefused() =>
            Refuses(LatticeError.UnknownBody, Scenes.SweepOf(Direction.PlusX, 0, "red", "nobody"));

        [Test]
        public void ACarryOfAStrangerIsRefused() =>
            Refuses(LatticeError.UnknownBody, new Carry("nobody", default(LatticePose), false));

        [TestCase(0)]
        [TestCase(-1)]
        [TestCase(int.MinValue)]
        public void ASweepOfLessThanOneUnitIsRefused(int distance) =>
            Refuses(LatticeError.Invalid, Scenes.SweepOf(Direction.PlusX, distance, "red"));

        [Test]
        public void ASweepOfNothingIsRefused() =>
            Refuses(LatticeError.Invalid, Scenes.SweepOf(Direction.PlusX, 1));

        [TestCase(0)]
        [TestCase(7)]
        public void ASweepInNoDirectionIsRefused(int direction) =>
            Refuses(LatticeError.Invalid, Scenes.SweepOf((Direction)direction, 1, "red"));

        [Test]
        public void TwoSweepsAreRefused() => Refuses(
            LatticeError.Invalid,
            Scenes.SweepOf(Direction.PlusY, 1, "red"),
            Scenes.SweepOf(Direction.PlusY, 1, "blue"));

        [TestCase(Million)]
        [TestCase(int.MaxValue)]
        public void ASweepOutOfTheWorldIsRefused(int distance) =>
            Refuses(LatticeError.Invalid, Scenes.SweepOf(Direction.PlusX, distance, "red"));

        [TestCase(Million, 0)]
        [TestCase(int.MinValue, 0)]
        [TestCase(int.MaxValue, int.MaxValue)]
        public void ACarryOutOfTheWorldTakesBackWhatWentBefore(int x, int z) => Refuses(
            LatticeError.Invalid,
            Scenes.SweepOf(Direction.PlusY, 1, "red"),
            new Carry("blue", Scenes.At(x, 0, z), false));

        [Test]
        public void LettingGoUnderTheTableIsRefused() =>
            Refuses(LatticeError.Invalid, new Carry("blue", Scenes.At(0, 5, -1), true));

        [Test]
        public void LettingGoWithoutATableIsRefused()
        {
            _world.Reset(Scenes.BarAndCube(table: false));
            Refuses(LatticeError.Invalid, new Carry("blue", Scenes.At(0, 5, 0), true));
        }

        [Test]
        public void ARefusedSceneLeavesTheWorldAsItWas()
        {
            ulong before = _world.Digest;
            var refused = new[]
            {
                Overlapping(),
                Scenes.Of(false, Scenes.Named("red", Scenes.Bar(1), Scenes.At(0, 0, 0), loose: true)),
                Scenes.Of(true, Scenes.Named("red", Scenes.Bar(1), Scenes.At(0, 0, -1), loose: true)),
                Scenes.Of(true, Scenes.Named("red", Scenes.Bar(2), Scenes.At(Million - 1, 0, 0))),
                Scenes.Of(true, Scenes.Named("red", Scenes.Bar(1), Scenes.At(0, -Million, 0))),
            };
            foreach (Scene scene in refused)
            {
                LatticeException refusal = Assert.Throws<LatticeException>(() => _world.Reset(scene));
                Assert.That(refusal.Error, Is.EqualTo(LatticeError.Invalid));
                Assert.That(_world.Digest, Is.EqualTo(before));
            }
        }

        [Test]
        public void TheFarthestPlaceIsAllowed()
        {
            _world.Reset(Scenes.Of(true, Scenes.Named("red", Scenes.Bar(2), Scenes.At(Million - 2, 1 - Million, 0))));
            Refuses(LatticeError.Invalid, Scenes.SweepOf(Direction.PlusX, 1, "red"));
        }

        [Test]
        public void TwoBodiesOfOneNameAreRefused() => Assert.Throws<LatticeException>(() => Scenes.Of(
            false,
            Scenes.Named("red", Scenes.Bar(1), Scenes.At(0, 0, 0)),
            Scenes.Named("red", Scenes.Bar(1), Scenes.At(5, 0, 0))));

        [Test]
        public void AShapeWithoutCellsIsRefused() =>
            Assert.Throws<LatticeException>(() => Shape.Of(new Cell[0]));

        [Test]
        public void WithoutASceneThereIsNothingToMove()
        {
            var empty = new LatticeWorld();
            LatticeException refusal =
                Assert.Throws<LatticeException>(() => empty.Execute(Scenes.Motions()));
            Assert.That(refusal.Error, Is.EqualTo(LatticeError.NoScene));
            Assert.Throws<LatticeException>(() => empty.Transforms());
        }

        private static Scene Overlapping() => Scenes.Of(
            false,
            Scenes.Named("red", Scenes.Bar(4), Scenes.At(0, 0, 0)),
            Scenes.Named("blue", Scenes.Bar(4), Scenes.At(3, 0, 0)));

        private Report Execute(params Motion[] motions) => _world.Execute(motions);

        private void Refuses(LatticeError error, params Motion[] motions)
        {
            ulong before = _world.Digest;
            LatticeException refusal = Assert.Throws<LatticeException>(() => _world.Execute(motions));
            Assert.That(refusal.Error, Is.EqualTo(error), refusal.Message);
            Assert.That(_world.Digest, Is.EqualTo(before));
        }
    }
}
