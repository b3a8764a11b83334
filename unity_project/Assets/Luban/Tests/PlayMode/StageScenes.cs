using Luban.Core;

namespace Luban.Tests
{
    /// <summary>Scenes for the engine.</summary>
    internal static class StageScenes
    {
        private static readonly Block Table = new Block(new Cell(-20, -20, 0), new Cell(20, 20, 0));

        /// <summary>A red bar along x, and a blue cube three units ahead of it.</summary>
        public static Scene BarAndCube(bool looseCube = false) => new Scene(
            new[]
            {
                new Body("red", Bar(4), At(0, 0, 0), 0xff0000, false),
                new Body("blue", Bar(1), At(7, 0, 0), 0x0000ff, looseCube),
            },
            Table,
            Table);

        /// <summary>Brings the cube straight on and lets it go there.</summary>
        public static Carry CarryBlue(Direction direction, int distance) =>
            new Carry(new[] { "blue" }, new[] { new Shift(direction, distance) }, true);

        private static LatticePose At(int x, int y, int z) => new LatticePose(default(Rotation), new Cell(x, y, z));

        private static Shape Bar(int length) =>
            Shape.Of(Boxes.CellsOf(new Block(new Cell(0, 0, 0), new Cell(length - 1, 0, 0))));
    }
}
