namespace Luban.Core
{
    /// <summary>A side of a cell.</summary>
    public readonly struct Face
    {
        public Face(Cell cell, Direction direction)
        {
            Cell = cell;
            Direction = direction;
        }

        public Cell Cell { get; }

        /// <summary>Where it looks.</summary>
        public Direction Direction { get; }
    }
}
