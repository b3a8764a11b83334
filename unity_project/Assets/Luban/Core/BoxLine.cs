using System.Collections.Generic;

namespace Luban.Core
{
    /// <summary>A line that is drawn of a box: an edge, or one of the unit grid inside a closed side.</summary>
    public sealed class BoxLine
    {
        private BoxLine(double[] start, double[] end, bool isEdge)
        {
            Start = start;
            End = end;
            IsEdge = isEdge;
        }

        /// <summary>x, y and z.</summary>
        public IReadOnlyList<double> Start { get; }

        /// <summary>x, y and z.</summary>
        public IReadOnlyList<double> End { get; }

        public bool IsEdge { get; }

        /// <summary>The lines that are seen from a place, in the order in which they are drawn.</summary>
        public static IReadOnlyList<BoxLine> Of(Container box, IReadOnlyList<double> eye)
        {
            Cell from = box.Inside.Low, to = box.Inside.High;
            var low = new[] { from.X - 0.5, from.Y - 0.5, from.Z - 0.5 };
            var high = new[] { to.X + 0.5, to.Y + 0.5, to.Z + 0.5 };
            var lines = new List<BoxLine>();
            AddGrid(box, eye, low, high, lines);
            AddEdges(low, high, lines);
            return lines;
        }

        private static void AddGrid(
            Container box, IReadOnlyList<double> eye, double[] low, double[] high, List<BoxLine> lines)
        {
            for (Direction side = Direction.PlusX; side <= Direction.MinusZ; side++)
            {
                int axis = ((int)side - 1) / 2;
                bool far = ((int)side & 1) == 1;
                double at = far ? high[axis] : low[axis];
                if (box.Open.Contains(side) || (far ? 1.0 : -1.0) * (eye[axis] - at) > 0.0)
                {
                    continue;
                }
                for (int across = 0; across < 3; across++)
                {
                    for (double place = low[across] + 1.0; across != axis && place < high[across]; place += 1.0)
                    {
                        double[] start = (double[])low.Clone(), end = (double[])high.Clone();
                        start[axis] = end[axis] = at;
                        start[across] = end[across] = place;
                        lines.Add(new BoxLine(start, end, false));
                    }
                }
            }
        }

        private static void AddEdges(double[] low, double[] high, List<BoxLine> lines)
        {
            for (int axis = 0; axis < 3; axis++)
            {
                for (int pick = 0; pick < 4; pick++)
                {
                    int first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
                    double[] start = (double[])low.Clone();
                    start[first] = (pick & 2) == 0 ? low[first] : high[first];
                    start[second] = (pick & 1) == 0 ? low[second] : high[second];
                    double[] end = (double[])start.Clone();
                    end[axis] = high[axis];
                    lines.Add(new BoxLine(start, end, true));
                }
            }
        }
    }
}
