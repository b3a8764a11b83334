namespace Luban.Core
{
    /// <summary>
    /// A cell as one number, so that moving a body is adding a number. Sums of codes are codes of
    /// sums; no two cells of the world (see <see cref="Reach"/>) share one.
    /// </summary>
    internal static class CellCode
    {
        private const long Stride = 1 << 21;

        public static long Of(Cell cell) => cell.X + Stride * (cell.Y + Stride * cell.Z);

        public static long[] Shifted(long[] codes, long shift)
        {
            var shifted = new long[codes.Length];
            for (int i = 0; i < codes.Length; i++)
            {
                shifted[i] = codes[i] + shift;
            }
            return shifted;
        }
    }
}
