using Luban.Core;
using Luban.Runtime;
using NUnit.Framework;
using UnityEngine;

namespace Luban.Tests
{
    public sealed class ShapeMeshTests
    {
        [Test]
        public void TrianglesLookWhereTheirNormalsSay()
        {
            Mesh mesh = ShapeMesh.Of(Scenes.Bar(2));
            int[] triangles = mesh.triangles;
            Assert.That(triangles.Length, Is.EqualTo(10 * 2 * 3));
            for (int i = 0; i < triangles.Length; i += 3)
            {
                Vector3 a = mesh.vertices[triangles[i]];
                Vector3 b = mesh.vertices[triangles[i + 1]];
                Vector3 c = mesh.vertices[triangles[i + 2]];
                Vector3 front = Vector3.Cross(b - a, c - a);
                Assert.That(Vector3.Dot(front, mesh.normals[triangles[i]]), Is.EqualTo(1f).Within(1e-5f));
            }
        }

        [Test]
        public void ABodyLiesAroundItsCells()
        {
            Mesh mesh = ShapeMesh.Of(Shape.Of(new[] { new Cell(1, 2, 3) }));
            foreach (Vector3 corner in mesh.vertices)
            {
                Vector3 way = corner - new Vector3(1f, 3f, 2f);
                Assert.That(way.magnitude, Is.EqualTo(0.8660254f).Within(1e-5f));
            }
        }
    }
}
