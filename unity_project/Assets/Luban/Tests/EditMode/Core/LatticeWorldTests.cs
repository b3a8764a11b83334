using System.Collections.Generic;
using System.Linq;
using Luban.Core;
using NUnit.Framework;

namespace Luban.Tests
{
    public sealed class LatticeWorldTests
    {
        private const int Million = 1 << 20;

        /// <summary>A quarter turn about z: x to +y, y to -x.</summary>
        private static readonly Rotation Quarter = QuarterAboutZ();

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
            IReadOnlyList<FilmFrame> film = Execute(Scenes.SweepOf(Direction.PlusX, 5, "red")).Keyframes;
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
                Scenes.CarryOf("blue", false, Scenes.Go(Direction.PlusY, 2), Scenes.Go(Direction.MinusX, 5)));
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
                Scenes.CarryOf("red", false, Scenes.Go(Direction.PlusZ, 9)),
                Scenes.CarryOf("blue", false, Around(Direction.MinusX)),
                Scenes.CarryOf("red", false, Scenes.Go(Direction.PlusX, 5), Scenes.Go(Direction.MinusZ, 9)),
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
                Scenes.CarryOf("blue", true),
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
            Refuses(LatticeError.UnknownBody, Scenes.CarryOf("nobody", false));

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

        [Test]
        public void ACarryStopsAtWhatIsInTheWayThoughItsEndIsFree()
        {
            ulong before = _world.Digest;
            Report report = Execute(Scenes.CarryOf("red", false, Scenes.Go(Direction.PlusX, 12)));
            Assert.That(report.Completed, Is.False);
            Assert.That(report.Travel, Is.EqualTo(0));
            Assert.That(report.Contacts, Is.EqualTo(new[] { "blue" }));
            Assert.That(_world.Digest, Is.EqualTo(before));
            double[] places = report.Keyframes.Select(k => k.Bodies.Single().Transform[0, 3]).ToArray();
            Assert.That(places, Is.EqualTo(new[] { 0.0, 3.0, 0.0 }));
        }

        [Test]
        public void ACarryOverWhatIsInTheWayArrives()
        {
            Report report = Execute(Scenes.CarryOf(
                "red",
                true,
                Scenes.Go(Direction.PlusZ, 1),
                Scenes.Go(Direction.PlusX, 12),
                Scenes.Go(Direction.MinusZ, 1)));
            Assert.That(report.Completed);
            Assert.That(_world.PoseOf("red").Offset, Is.EqualTo(new Cell(12, 0, 0)));
            Assert.That(_world.IsLoose("red"));
            Assert.That(report.Keyframes.Count, Is.EqualTo(4), "one at each corner");
        }

        [Test]
        public void BodiesAreCarriedAsOne()
        {
            var both = new Carry(new[] { "red", "blue" }, new[] { Scenes.Go(Direction.PlusX, 5) }, false);
            Assert.That(Execute(both).Completed);
            Assert.That(_world.PoseOf("red").Offset, Is.EqualTo(new Cell(5, 0, 0)));
            Assert.That(_world.PoseOf("blue").Offset, Is.EqualTo(new Cell(12, 0, 0)));
        }

        [TestCase(2, false)]
        [TestCase(3, true)]
        public void ATurnNeedsTheRoomOfABall(int ahead, bool free)
        {
            _world.Reset(Scenes.Of(
                true,
                Scenes.Named("red", Scenes.Bar(4), Scenes.At(0, 0, 9)),
                Scenes.Named("blue", Scenes.Bar(1), Scenes.At(1, ahead, 9))));
            // The bar then lies along y, from -2 to 1 at x = 1.
            Report report = Execute(Scenes.CarryOf("red", false, new Spin(Quarter, new Cell(1, -2, 0))));
            Assert.That(report.Completed, Is.EqualTo(free));
            Assert.That(report.Contacts, Is.EqualTo(free ? new string[0] : new[] { "blue" }));
        }

        [Test]
        public void WhatTurnsStaysRigidAndKeepsItsMiddle()
        {
            _world.Reset(Scenes.Of(false, Scenes.Named("red", Scenes.Bar(5), Scenes.At(0, 0, 0))));
            for (int index = 1; index < Rotation.Count; index++)
            {
                var rotation = new Rotation(index);
                Cell middle = _world.PoseOf("red").Rotation.Apply(new Cell(2, 0, 0)) + _world.PoseOf("red").Offset;
                Report report = Execute(
                    Scenes.CarryOf("red", false, new Spin(rotation, middle - rotation.Apply(middle))));
                Assert.That(report.Completed);
                foreach (FilmFrame keyframe in report.Keyframes)
                {
                    RigidTransform place = keyframe.Bodies.Single().Transform;
                    for (int row = 0; row < 3; row++)
                    {
                        double square = place[row, 0] * place[row, 0] + place[row, 1] * place[row, 1]
                            + place[row, 2] * place[row, 2];
                        Assert.That(square, Is.EqualTo(1.0).Within(1e-9));
                    }
                    Assert.That(2.0 * place[0, 0] + place[0, 3], Is.EqualTo(middle.X).Within(1e-9));
                    Assert.That(2.0 * place[1, 0] + place[1, 3], Is.EqualTo(middle.Y).Within(1e-9));
                    Assert.That(2.0 * place[2, 0] + place[2, 3], Is.EqualTo(middle.Z).Within(1e-9));
                }
                RigidTransform last = report.Keyframes[report.Keyframes.Count - 1].Bodies.Single().Transform;
                Assert.That(last.Rows, Is.EqualTo(RigidTransform.Of(_world.PoseOf("red")).Rows));
            }
        }

        [TestCase(Million)]
        [TestCase(int.MaxValue)]
        public void ACarryOutOfTheWorldTakesBackWhatWentBefore(int distance) => Refuses(
            LatticeError.Invalid,
            Scenes.SweepOf(Direction.PlusY, 1, "red"),
            Scenes.CarryOf("blue", false, Scenes.Go(Direction.PlusX, distance)));

        [TestCase(Million)]
        [TestCase(int.MinValue)]
        [TestCase(int.MaxValue)]
        public void ATurnOutOfTheWorldIsRefused(int x) =>
            Refuses(LatticeError.Invalid, Scenes.CarryOf("blue", false, new Spin(Quarter, new Cell(x, 0, 9))));

        [Test]
        public void ALegThatGoesNowhereIsRefused()
        {
            Refuses(LatticeError.Invalid, Scenes.CarryOf("blue", false, Scenes.Go(Direction.PlusX, 0)));
            Refuses(LatticeError.Invalid, Scenes.CarryOf("blue", false, Scenes.Go((Direction)7, 1)));
            var none = new Spin(default(Rotation), new Cell(0, 0, 9));
            Refuses(LatticeError.Invalid, Scenes.CarryOf("blue", false, none));
            Refuses(LatticeError.Invalid, new Carry(new string[0], new Leg[0], false));
        }

        [Test]
        public void NothingIsCarriedThroughTheTable()
        {
            Refuses(LatticeError.Invalid, Scenes.CarryOf("blue", false, Scenes.Go(Direction.MinusZ, 1)));
            Refuses(LatticeError.Invalid, Scenes.CarryOf("red", false, new Spin(Quarter, new Cell(0, 0, 1))));
        }

        [Test]
        public void LettingGoWithoutATableIsRefused()
        {
            _world.Reset(Scenes.BarAndCube(table: false));
            Refuses(LatticeError.Invalid, Scenes.CarryOf("blue", true, Scenes.Go(Direction.PlusY, 5)));
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

        private static Rotation QuarterAboutZ() => Enumerable.Range(0, Rotation.Count)
            .Select(index => new Rotation(index))
            .Single(r => r.ImageOfX.Equals(new Cell(0, 1, 0)) && r.ImageOfY.Equals(new Cell(-1, 0, 0)));

        /// <summary>Five units on, by the side.</summary>
        private static Leg[] Around(Direction direction) => new[]
        {
            Scenes.Go(Direction.PlusY, 1), Scenes.Go(direction, 5), Scenes.Go(Direction.MinusY, 1),
        };

        private static Scene Overlapping() => Scenes.Of(
            false,
            Scenes.Named("red", Scenes.Bar(4), Scenes.At(0, 0, 0)),
            Scenes.Named("blue", Scenes.Bar(4), Scenes.At(3, 0, 0)));

        private Report Execute(params BodyMotion[] motions) => _world.Execute(motions);

        private void Refuses(LatticeError error, params BodyMotion[] motions)
        {
            ulong before = _world.Digest;
            LatticeException refusal = Assert.Throws<LatticeException>(() => _world.Execute(motions));
            Assert.That(refusal.Error, Is.EqualTo(error), refusal.Message);
            Assert.That(_world.Digest, Is.EqualTo(before));
        }
    }
}
