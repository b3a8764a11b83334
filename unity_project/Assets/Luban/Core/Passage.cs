using System.Collections.Generic;

namespace Luban.Core
{
    /// <summary>What cells that turn about an axis pass: <see cref="Rings"/> or <see cref="Sectors"/>.</summary>
    internal abstract class Passage
    {
        private readonly LatticeAxis _axis;
        private readonly Cell _centre;
        private readonly Dictionary<int, HashSet<Spot>> _layers = new Dictionary<int, HashSet<Spot>>();

        private protected Passage(Turn turn, IEnumerable<Cell> cells)
        {
            _axis = turn.Axis;
            _centre = turn.Centre;
            foreach (Cell cell in cells)
            {
                HashSet<Spot> layer;
                if (!_layers.TryGetValue(LayerOf(cell), out layer))
                {
                    layer = new HashSet<Spot>();
                    _layers.Add(LayerOf(cell), layer);
                }
                layer.Add(Spot.Of(_axis, _centre, cell));
            }
        }

        /// <summary>Whether what turns gets into a cell; touching its border does not count.</summary>
        public bool Touches(Cell cell)
        {
            HashSet<Spot> layer;
            if (!_layers.TryGetValue(LayerOf(cell), out layer))
            {
                return false;
            }
            Spot there = Spot.Of(_axis, _centre, cell);
            foreach (Spot spot in layer)
            {
                if (Enters(spot, there))
                {
                    return true;
                }
            }
            return false;
        }

        /// <summary>Whether a cell that turns gets into another one of its layer.</summary>
        protected abstract bool Enters(Spot spot, Spot other);

        /// <summary>In which layer across the axis a cell is.</summary>
        private int LayerOf(Cell cell) =>
            _axis == LatticeAxis.X ? cell.X : _axis == LatticeAxis.Y ? cell.Y : cell.Z;
    }
}
