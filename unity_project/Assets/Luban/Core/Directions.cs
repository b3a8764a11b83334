namespace Luban.Core
{
    /// <summary>The unit steps of the directions.</summary>
    public static class Directions
    {
        private static readonly Cell[] Vectors =
        {
            new Cell(1, 0, 0),
            new Cell(-1, 0, 0),
            new Cell(0, 1, 0),
            new Cell(0, -1, 0),
            new Cell(0, 0, 1),
            new Cell(0, 0, -1),
        };

        /// <summary>Whether <paramref name="direction"/> is one of the six.</summary>
        public static bool IsKnown(Direction direction) =>
            direction >= Direction.PlusX && direction <= Direction.MinusZ;

        /// <summary>The step of one unit.</summary>
        /// <exception cref="LatticeException">It is none of the six (<c>Invalid</c>).</exception>
        public static Cell Vector(Direction direction)
        {
            if (!IsKnown(direction))
            {
                throw LatticeException.Invalid("a direction is numbered from 1 to 6, not " + (int)direction);
            }
            return Vectors[(int)direction - 1];
        }
    }
}
