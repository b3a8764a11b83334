using System.Collections.Generic;

namespace Luban.Core
{
    /// <summary>
    /// For each layer of cells across an axis, the rings around the axis that some cells sweep in a
    /// whole turn. Exact, in whole numbers.
    /// </summary>
    internal sealed class Rings : Passage
    {
        public Rings(Turn turn, IEnumerable<Cell> cells)
            : base(turn, cells)
        {
        }

        protected override bool Enters(Spot spot, Spot other) => spot.SharesCircles(other);
    }
}
