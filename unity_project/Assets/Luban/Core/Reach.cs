namespace Luban.Core
{
    /// <summary>How far from the origin anything may be, so that no sum overflows.</summary>
    internal static class Reach
    {
        /// <summary>Coordinates in the world stay below this in size.</summary>
        private const long Limit = 1 << 20;

        /// <summary>Coordinates of a shape stay below this in size: wider than any place for it.</summary>
        private const int ShapeLimit = 1 << 29;

        /// <exception cref="LatticeException">A cell is too far out (<c>Invalid</c>).</exception>
        public static void CheckShape(Block bounds)
        {
            if (!Within(bounds.Low, bounds.High, ShapeLimit))
            {
                throw LatticeException.Invalid("a shape's cells lie within " + ShapeLimit + " units of its origin");
            }
        }

        /// <summary>Refuses to have a turned shape at an offset, and then moved some units.</summary>
        /// <exception cref="LatticeException">It would leave the world (<c>Invalid</c>).</exception>
        public static void CheckPlace(Block turned, Cell offset, Cell step, int distance)
        {
            CheckAxis(turned.Low.X, turned.High.X, offset.X + (long)step.X * distance);
            CheckAxis(turned.Low.Y, turned.High.Y, offset.Y + (long)step.Y * distance);
            CheckAxis(turned.Low.Z, turned.High.Z, offset.Z + (long)step.Z * distance);
        }

        /// <summary>Refuses a turn that would bring anything in the world out of it, however it lies.</summary>
        /// <exception cref="LatticeException">It is too far (<c>Invalid</c>).</exception>
        public static void CheckOffset(Cell offset)
        {
            if (!Within(offset, offset, 4 * (int)Limit))
            {
                throw LatticeException.Invalid("a body stays within " + Limit + " units of the origin");
            }
        }

        private static void CheckAxis(long low, long high, long offset)
        {
            if (offset + low <= -Limit || offset + high >= Limit)
            {
                throw LatticeException.Invalid("a body stays within " + Limit + " units of the origin");
            }
        }

        private static bool Within(Cell low, Cell high, int limit) =>
            low.X > -limit && low.Y > -limit && low.Z > -limit
            && high.X < limit && high.Y < limit && high.Z < limit;
    }
}
