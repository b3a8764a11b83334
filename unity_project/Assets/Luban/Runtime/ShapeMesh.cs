using System.Collections.Generic;
using Luban.Core;
using UnityEngine;
using UnityEngine.Rendering;

namespace Luban.Runtime
{
    /// <summary>
    /// Meshes of shapes: a square for each side of a cell that can be seen, with all that the shaders want to
    /// know of it.
    /// </summary>
    internal sealed class ShapeMesh
    {
        private const int InkBits = 16;
        private static readonly int[,] CornerSigns = { { -1, -1 }, { 1, -1 }, { 1, 1 }, { -1, 1 } };

        private readonly List<Vector3> _corners = new List<Vector3>();
        private readonly List<Vector3> _normals = new List<Vector3>();
        private readonly List<Vector4> _faces = new List<Vector4>();
        private readonly List<Vector4> _openness = new List<Vector4>();
        private readonly List<Vector4> _paint = new List<Vector4>();
        private readonly List<Vector4> _ink = new List<Vector4>();
        private readonly List<int> _triangles = new List<int>();

        private ShapeMesh()
        {
        }

        /// <summary>The mesh of a shape about the body's origin, in Unity's frame.</summary>
        public static Mesh Of(Shape shape) => Of(shape, new Sticker[0]);

        /// <summary>The mesh of a body, stickers and all, about its origin, in Unity's frame.</summary>
        public static Mesh Of(Body body) => Of(body.Shape, body.Stickers);

        private static Mesh Of(Shape shape, IEnumerable<Sticker> stickers)
        {
            var stuck = new Dictionary<Face, Sticker>();
            foreach (Sticker sticker in stickers)
            {
                stuck[sticker.Face] = sticker;
            }
            var built = new ShapeMesh();
            foreach (Skin skin in Skin.Of(shape))
            {
                Sticker sticker;
                built.Add(skin, stuck.TryGetValue(skin.Face, out sticker) ? sticker : (Sticker?)null);
            }
            return built.Build();
        }

        private void Add(Skin skin, Sticker? sticker)
        {
            Direction side = skin.Face.Direction;
            Cell u, v;
            Skin.Span(side, out u, out v);
            Vector3 normal = Directions.Vector(side).ToUnity();
            Vector3 middle = skin.Face.Cell.ToUnity() + normal / 2f;
            int first = _corners.Count;
            for (int corner = 0; corner < 4; corner++)
            {
                int a = CornerSigns[corner, 0], b = CornerSigns[corner, 1];
                _corners.Add(middle + (u * a + v * b).ToUnity() / 2f);
                _normals.Add(normal);
                _faces.Add(new Vector4((a + 1) / 2f, (b + 1) / 2f, skin.Edges, sticker?.Lie ?? 0));
                _openness.Add(Openness(skin.Openness));
                _paint.Add(sticker.HasValue ? Frames.ToColour(sticker.Value.Rgb) : new Vector4(0f, 0f, 0f, 0f));
                _ink.Add(Ink(sticker?.Ink ?? 0UL));
            }
            // Clockwise, seen from outside: Unity's front.
            bool plus = ((int)side & 1) == 1;
            int second = first + (plus ? 3 : 1), last = first + (plus ? 1 : 3);
            _triangles.AddRange(new[] { first, second, first + 2, first, first + 2, last });
        }

        private static Vector4 Openness(int bits) => new Vector4(
            (bits & 3) / 3f, (bits >> 2 & 3) / 3f, (bits >> 4 & 3) / 3f, (bits >> 6 & 3) / 3f);

        /// <summary>16 bits in each number, which floats hold exactly.</summary>
        private static Vector4 Ink(ulong bits) => new Vector4(
            bits & 0xffff, bits >> InkBits & 0xffff, bits >> (2 * InkBits) & 0xffff, bits >> (3 * InkBits) & 0xffff);

        private Mesh Build()
        {
            var mesh = new Mesh { indexFormat = IndexFormat.UInt32 };
            mesh.SetVertices(_corners);
            mesh.SetNormals(_normals);
            mesh.SetUVs(0, _faces);
            mesh.SetUVs(1, _openness);
            mesh.SetUVs(2, _paint);
            mesh.SetUVs(3, _ink);
            mesh.SetTriangles(_triangles, 0);
            mesh.RecalculateBounds();
            return mesh;
        }
    }
}
