using System.Collections.Generic;
using Luban.Core;
using Luban.Wire;
using UnityEngine;
using UnityEngine.Rendering;

namespace Luban.Runtime
{
    /// <summary>The lines of a box as one camera sees them: a strip in the picture for each.</summary>
    internal sealed class BoxMesh
    {
        /// <summary>Lines that come nearer to the camera's plane are left out.</summary>
        private const double Near = 1e-3;

        /// <summary>Pixels by which strips are wider than lines, for soft borders.</summary>
        private const float Fringe = 1f;

        /// <summary>Pixels by which lines are wider on each side than they say, as our own renderer's are.</summary>
        private const float Blur = 0.25f;

        private static readonly Color EdgeColour = new Color(84f / 255f, 88f / 255f, 98f / 255f, 1f);
        private static readonly Color GridColour = new Color(196f / 255f, 199f / 255f, 205f / 255f, 1f);

        private readonly List<Vector3> _places = new List<Vector3>();
        private readonly List<Vector4> _marks = new List<Vector4>();
        private readonly List<Color> _colours = new List<Color>();
        private readonly List<int> _triangles = new List<int>();
        private readonly PlayerCamera _camera;
        private readonly CameraRays _rays;
        private readonly int _size;

        private BoxMesh(PlayerCamera camera, CameraRays rays, int size)
        {
            _camera = camera;
            _rays = rays;
            _size = size;
        }

        /// <summary>The strips in clip coordinates, x and y divided by w.</summary>
        public static Mesh Of(Container box, PlayerCamera camera, CameraRays rays, int size)
        {
            var built = new BoxMesh(camera, rays, size);
            foreach (BoxLine line in BoxLine.Of(box, rays.Eye))
            {
                built.Add(line);
            }
            return built.Build();
        }

        private void Add(BoxLine line)
        {
            // x and y divided by w, w, distance.
            Vector4 start = Project(line.Start), end = Project(line.End);
            if (start.w < Near || end.w < Near)
            {
                return;
            }
            float width = line.IsEdge ? Mathf.Max(1f, Mathf.Round(_size / 320f)) : 1f;
            float x = end.x - start.x, y = end.y - start.y, length = Mathf.Sqrt(x * x + y * y);
            // From one pixel to the next is 2 / size.
            float pixel = 2f / _size, reach = width / 2f + Fringe;
            float acrossX = length > 0f ? -y / length * pixel : pixel, acrossY = length > 0f ? x / length * pixel : 0f;
            int first = _places.Count;
            for (int corner = 0; corner < 4; corner++)
            {
                Vector4 at = corner < 2 ? start : end;
                float off = (corner & 1) == 0 ? -reach : reach;
                _places.Add(new Vector3(at.x + off * acrossX, at.y + off * acrossY, 0f));
                _marks.Add(new Vector4(at.z, at.w, off, width / 2f + Blur));
                _colours.Add(line.IsEdge ? EdgeColour : GridColour);
            }
            _triangles.AddRange(new[] { first, first + 1, first + 3, first, first + 3, first + 2 });
        }

        private Vector4 Project(IReadOnlyList<double> point)
        {
            IReadOnlyList<double> m = _camera.ClipFromWorld;
            double x = Row(m, 0, point), y = Row(m, 4, point), w = Row(m, 12, point);
            double distance = Row(_rays.Distance, 0, point);
            return distance < Near
                ? new Vector4(0f, 0f, 0f, 0f)
                : new Vector4((float)(x / w), (float)(y / w), (float)w, (float)distance);
        }

        private static double Row(IReadOnlyList<double> numbers, int start, IReadOnlyList<double> point) =>
            numbers[start] * point[0] + numbers[start + 1] * point[1] + numbers[start + 2] * point[2]
            + numbers[start + 3];

        private Mesh Build()
        {
            var mesh = new Mesh { indexFormat = IndexFormat.UInt32 };
            mesh.SetVertices(_places);
            mesh.SetUVs(0, _marks);
            mesh.SetColors(_colours);
            mesh.SetTriangles(_triangles, 0);
            return mesh;
        }
    }
}
