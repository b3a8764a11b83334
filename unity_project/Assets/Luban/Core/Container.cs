using System.Collections.Generic;

namespace Luban.Core
{
    /// <summary>A box with thin walls; it is there to be seen only.</summary>
    public sealed class Container
    {
        /// <exception cref="LatticeException">There is no such side (<c>Invalid</c>).</exception>
        public Container(Block inside, IEnumerable<Direction> open)
        {
            Inside = inside;
            Open = new SortedSet<Direction>(open);
            foreach (Direction side in Open)
            {
                // Asked for what it refuses.
                Directions.Vector(side);
            }
        }

        /// <summary>The cells inside.</summary>
        public Block Inside { get; }

        /// <summary>The sides without a wall.</summary>
        public ISet<Direction> Open { get; }
    }
}
