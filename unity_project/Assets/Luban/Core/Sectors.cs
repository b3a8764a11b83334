using System.Collections.Generic;

namespace Luban.Core
{
    /// <summary>
    /// For each layer of cells across an axis, what some cells pass that turn about it by less than a
    /// whole turn.
    /// </summary>
    internal sealed class Sectors : Passage
    {
        private readonly int _quarters;
        private readonly Encounters _encounters;

        public Sectors(Turn turn, IEnumerable<Cell> cells, Encounters encounters)
            : base(turn, cells)
        {
            _quarters = turn.Quarters;
            _encounters = encounters;
        }

        protected override bool Enters(Spot spot, Spot other) => _encounters.Meet(spot, other, _quarters);
    }
}
