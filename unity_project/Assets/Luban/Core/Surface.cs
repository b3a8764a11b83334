using System.Collections.Generic;

namespace Luban.Core
{
    /// <summary>What can be seen of a shape.</summary>
    public static class Surface
    {
        /// <summary>The sides of cells that no other cell of the shape touches, cell by cell.</summary>
        public static IReadOnlyList<Face> Of(Shape shape)
        {
            var cells = new HashSet<Cell>(shape.Cells);
            var faces = new List<Face>();
            foreach (Cell cell in shape.Cells)
            {
                for (Direction side = Direction.PlusX; side <= Direction.MinusZ; side++)
                {
                    if (!cells.Contains(cell + Directions.Vector(side)))
                    {
                        faces.Add(new Face(cell, side));
                    }
                }
            }
            return faces;
        }
    }
}
