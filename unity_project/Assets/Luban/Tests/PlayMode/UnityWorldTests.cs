using System.Linq;
using Luban.Core;
using Luban.Runtime;
using NUnit.Framework;
using UnityEngine;

namespace Luban.Tests
{
    public sealed class UnityWorldTests
    {
        private UnityWorld _world;

        [SetUp]
        public void StepPhysicsByScript()
        {
            Physics.simulationMode = SimulationMode.Script;
            Physics.gravity = new Vector3(0f, -9.81f, 0f);
            _world = new UnityWorld(null, true);
        }

        [TearDown]
        public void Clear() => _world.Destroy();

        [Test]
        public void PhysXMeasuresWhatTheLatticeSays()
        {
            _world.Reset(StageScenes.BarAndCube());
            Report report = Sweep(Direction.PlusX, 5);
            Assert.That(report.Travel, Is.EqualTo(3));
            Assert.That(report.Measured, Is.EqualTo(3.0).Within(0.02));
            Assert.That(report.Contacts, Is.EqualTo(new[] { "blue" }));
            Assert.That(report.Witnessed, Is.EqualTo(new[] { "blue" }));
        }

        [TestCase(Direction.PlusX, 3)]
        [TestCase(Direction.MinusX, 9)]
        [TestCase(Direction.PlusZ, 2)]
        public void AFreeSweepGoesTheWholeWay(Direction direction, int distance)
        {
            _world.Reset(StageScenes.BarAndCube());
            Report report = Sweep(direction, distance);
            Assert.That(report.Completed);
            Assert.That(report.Measured, Is.EqualTo(distance).Within(0.02));
            Assert.That(report.Witnessed, Is.Empty);
        }

        [Test]
        public void PhysXMeetsWhatStandsInItsOwnWayWhateverTheLatticeSays()
        {
            _world.Reset(StageScenes.BarAndCube());
            // Two units nearer than the lattice has it.
            StageBody cube = _world.Stage["blue"];
            cube.Put(cube.Place.Moved(new Cell(-1, 0, 0), 2.0));
            Physics.SyncTransforms();
            Report report = Sweep(Direction.PlusX, 3);
            Assert.That(report.Completed);
            Assert.That(report.Measured, Is.EqualTo(1.0).Within(0.02));
            Assert.That(report.Witnessed, Is.EqualTo(new[] { "blue" }));
        }

        [Test]
        public void AllThatIsMetAtOnceIsNamedInTheScenesOrder()
        {
            Body cube = StageScenes.BarAndCube().Bodies[1];
            var above = new Body("green", cube.Shape, cube.Pose.Moved(new Cell(0, 1, 0)), 0, false);
            Shape both = Shape.Of(new[] { new Cell(0, 0, 0), new Cell(0, 1, 0) });
            var wide = new Body("red", both, default(LatticePose), 0, false);
            var behind = new Body("white", cube.Shape, cube.Pose.Moved(new Cell(1, 0, 0)), 0, false);
            _world.Reset(new Scene(new[] { above, wide, behind, cube }, default(Block), null));
            Report report = Sweep(Direction.PlusX, 9);
            Assert.That(report.Witnessed, Is.EqualTo(new[] { "green", "blue" }));
            Assert.That(report.Witnessed, Is.EqualTo(report.Contacts));
            Assert.That(report.Measured, Is.EqualTo(report.Travel).Within(0.02));
        }

        [Test]
        public void ABlockedSweepLeavesEverythingExactlyWhereItWas()
        {
            _world.Reset(StageScenes.BarAndCube());
            double[] before = Rows();
            Sweep(Direction.PlusX, 5);
            Assert.That(Rows(), Is.EqualTo(before));
        }

        [Test]
        public void TheDigestIsTheLatticesOwn()
        {
            var lattice = new LatticeWorld();
            lattice.Reset(StageScenes.BarAndCube());
            _world.Reset(StageScenes.BarAndCube());
            Assert.That(_world.Digest, Is.EqualTo(lattice.Digest));
            var motions = new BodyMotion[] { StageScenes.CarryBlue(Direction.PlusZ, 4) };
            lattice.Execute(motions);
            _world.Execute(motions);
            Assert.That(_world.Digest, Is.EqualTo(lattice.Digest));
        }

        [Test]
        public void WhatTurnsIsWhereTheLatticeHasIt()
        {
            _world.Reset(StageScenes.BarAndCube());
            var turn = new Turn(new[] { "red" }, LatticeAxis.Z, new Cell(0, 0, 0), 1, true);
            Report report = _world.Execute(new BodyMotion[] { turn });
            Assert.That(report.Completed);
            RigidTransform red = _world.Transforms()[0].Transform;
            Assert.That(red[0, 1], Is.EqualTo(-1.0).Within(1e-6));
            Assert.That(red[1, 0], Is.EqualTo(1.0).Within(1e-6));
        }

        [Test]
        public void ALooseBodyInTheAirFallsAndOneOnTheTableStays()
        {
            _world.Reset(StageScenes.BarAndCube());
            Report stays = _world.Execute(new BodyMotion[] { StageScenes.CarryBlue(Direction.PlusY, 9) });
            Assert.That(stays.Fallen, Is.Empty);
            Report falls = _world.Execute(new BodyMotion[] { StageScenes.CarryBlue(Direction.PlusZ, 4) });
            Assert.That(falls.Fallen, Is.EqualTo(new[] { "blue" }));
            Assert.That(_world.Transforms()[1].Transform[2, 3], Is.EqualTo(0.0).Within(0.1));
            Assert.That(falls.Keyframes.Select(keyframe => keyframe.Time), Is.Ordered);
        }

        [Test]
        public void ARefusedSceneLeavesTheStageAsItWas()
        {
            _world.Reset(StageScenes.BarAndCube());
            Stage before = _world.Stage;
            Body body = StageScenes.BarAndCube().Bodies[0];
            var twice = new Body("green", body.Shape, body.Pose, 0, false);
            Assert.Throws<LatticeException>(() => _world.Reset(new Scene(new[] { body, twice }, default(Block), null)));
            Assert.That(_world.Stage, Is.SameAs(before));
        }

        private Report Sweep(Direction direction, int distance) =>
            _world.Execute(new BodyMotion[] { new Sweep(new[] { "red" }, direction, distance) });

        private double[] Rows() => _world.Transforms().SelectMany(body => body.Transform.Rows).ToArray();
    }
}
