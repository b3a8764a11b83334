using System.Collections.Generic;

namespace Luban.Core
{
    /// <summary>
    /// What a face of a cell needs to be drawn. With a the axis of its normal it spans u = axis a+1 and
    /// v = axis a+2 (cyclic), and its corners are counted (u, v) = (0, 0), (1, 0), (1, 1), (0, 1).
    /// </summary>
    public readonly struct Skin
    {
        private static readonly int[,] CornerSigns = { { -1, -1 }, { 1, -1 }, { 1, 1 }, { -1, 1 } };
        private static readonly int[,] EdgeSigns = { { -1, 0 }, { 1, 0 }, { 0, -1 }, { 0, 1 } };

        private Skin(Face face, int edges, int openness)
        {
            Face = face;
            Edges = edges;
            Openness = openness;
        }

        public Face Face { get; }

        /// <summary>
        /// Bits 0 to 3 for the sides u=0, u=1, v=0, v=1: set where the surface bends there, clear where it
        /// goes on flat.
        /// </summary>
        public int Edges { get; }

        /// <summary>Two bits for each corner, corner 0 lowest; 3 is free, 0 wholly enclosed.</summary>
        public int Openness { get; }

        /// <summary>The faces of a shape that can be seen, cell by cell.</summary>
        public static IReadOnlyList<Skin> Of(Shape shape)
        {
            var cells = new HashSet<Cell>(shape.Cells);
            var skins = new List<Skin>();
            foreach (Face face in Surface.Of(shape))
            {
                skins.Add(new Skin(face, EdgesOf(face, cells), OpennessOf(face, cells)));
            }
            return skins;
        }

        /// <summary>The unit steps along u and v of faces that look along a direction.</summary>
        public static void Span(Direction side, out Cell u, out Cell v)
        {
            int axis = ((int)side - 1) / 2;
            u = Directions.Vector((Direction)(2 * ((axis + 1) % 3) + 1));
            v = Directions.Vector((Direction)(2 * ((axis + 2) % 3) + 1));
        }

        private static int EdgesOf(Face face, HashSet<Cell> cells)
        {
            Cell u, v;
            Span(face.Direction, out u, out v);
            Cell normal = Directions.Vector(face.Direction);
            int bits = 0;
            for (int bit = 0; bit < 4; bit++)
            {
                Cell beside = face.Cell + u * EdgeSigns[bit, 0] + v * EdgeSigns[bit, 1];
                bool flat = cells.Contains(beside) && !cells.Contains(beside + normal);
                bits |= flat ? 0 : 1 << bit;
            }
            return bits;
        }

        private static int OpennessOf(Face face, HashSet<Cell> cells)
        {
            Cell u, v;
            Span(face.Direction, out u, out v);
            Cell front = face.Cell + Directions.Vector(face.Direction);
            int bits = 0;
            for (int corner = 0; corner < 4; corner++)
            {
                Cell across = u * CornerSigns[corner, 0], along = v * CornerSigns[corner, 1];
                int side = cells.Contains(front + across) ? 1 : 0, other = cells.Contains(front + along) ? 1 : 0;
                int diagonal = cells.Contains(front + across + along) ? 1 : 0;
                int filled = side + other == 2 ? 3 : side + other + diagonal;
                bits |= (3 - filled) << (2 * corner);
            }
            return bits;
        }
    }
}
