using System.Collections.Generic;
using Luban.Core;
using UnityEngine;
using UnityEngine.Rendering;

namespace Luban.Runtime
{
    /// <summary>Meshes of shapes: a square for each side of a cell that can be seen.</summary>
    internal static class ShapeMesh
    {
        /// <summary>The mesh of a shape about the body's origin, in Unity's frame.</summary>
        public static Mesh Of(Shape shape)
        {
            var corners = new List<Vector3>();
            var normals = new List<Vector3>();
            var places = new List<Vector2>();
            var triangles = new List<int>();
            foreach (Face face in Surface.Of(shape))
            {
                int first = corners.Count;
                AddSquare(face, corners, normals, places);
                triangles.AddRange(new[] { first, first + 1, first + 2, first, first + 2, first + 3 });
            }
            var mesh = new Mesh { indexFormat = IndexFormat.UInt32 };
            mesh.SetVertices(corners);
            mesh.SetNormals(normals);
            mesh.SetUVs(0, places);
            mesh.SetTriangles(triangles, 0);
            mesh.RecalculateBounds();
            return mesh;
        }

        private static void AddSquare(Face face, List<Vector3> corners, List<Vector3> normals, List<Vector2> places)
        {
            Vector3 normal = Directions.Vector(face.Direction).ToUnity();
            Vector3 right = new Vector3(normal.y, normal.z, normal.x);
            // Clockwise, seen from outside: Unity's front.
            Vector3 up = Vector3.Cross(right, normal);
            Vector3 middle = face.Cell.ToUnity() + normal / 2f;
            corners.Add(middle - (right + up) / 2f);
            corners.Add(middle - (right - up) / 2f);
            corners.Add(middle + (right + up) / 2f);
            corners.Add(middle + (right - up) / 2f);
            normals.AddRange(new[] { normal, normal, normal, normal });
            places.AddRange(new[] { new Vector2(0, 0), new Vector2(0, 1), new Vector2(1, 1), new Vector2(1, 0) });
        }
    }
}
