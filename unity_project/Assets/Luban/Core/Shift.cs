namespace Luban.Core
{
    /// <summary>Goes straight on.</summary>
    public sealed class Shift : Leg
    {
        public Shift(Direction direction, int distance)
        {
            Direction = direction;
            Distance = distance;
        }

        public Direction Direction { get; }

        /// <summary>Units; a world wants at least 1.</summary>
        public int Distance { get; }

        /// <exception cref="LatticeException">The direction is none of the six (<c>Invalid</c>).</exception>
        public override LatticePose Of(LatticePose pose) => pose.Moved(Way);

        /// <exception cref="LatticeException">The direction is none of the six (<c>Invalid</c>).</exception>
        public override Block Of(Block block) => block.Moved(Way);

        private Cell Way => Directions.Vector(Direction) * Distance;
    }
}
