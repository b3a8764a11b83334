using System.Collections.Generic;
using Luban.Core;

namespace Luban.Tests
{
    /// <summary>Scenes to test with.</summary>
    internal static class Scenes
    {
        public static readonly Block Table = new Block(new Cell(20, -10, 0), new Cell(40, 10, 0));

        public static Shape Bar(int length) =>
            Shape.Of(Boxes.CellsOf(new Block(new Cell(0, 0, 0), new Cell(length - 1, 0, 0))));

        public static LatticePose At(int x, int y, int z) =>
            new LatticePose(default(Rotation), new Cell(x, y, z));

        public static Body Named(string name, Shape shape, LatticePose pose, bool loose = false) =>
            new Body(name, shape, pose, 0xffffff, loose);

        public static Scene Of(bool table, params Body[] bodies) =>
            new Scene(bodies, default(Block), table ? Table : (Block?)null);

        /// <summary>A red bar of four cells, and a blue cube three units ahead of it along x.</summary>
        public static Scene BarAndCube(bool table = true) => Of(
            table,
            Named("red", Bar(4), At(0, 0, 0)),
            Named("blue", Bar(1), At(7, 0, 0)));

        public static LatticeWorld World(Scene scene)
        {
            var world = new LatticeWorld();
            world.Reset(scene);
            return world;
        }

        public static IReadOnlyList<BodyMotion> Motions(params BodyMotion[] motions) => motions;

        public static Carry CarryOf(string name, bool loose, params Leg[] way) =>
            new Carry(new[] { name }, way, loose);

        public static Leg Go(Direction direction, int distance) => new Shift(direction, distance);

        public static Sweep SweepOf(Direction direction, int distance, params string[] names) =>
            new Sweep(names, direction, distance);
    }
}
