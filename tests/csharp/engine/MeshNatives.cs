using System;
using System.Collections.Generic;
using UnityEngine;
using UnityEngine.Rendering;

namespace Luban.Engine
{
    /// <summary>Meshes that nobody draws: they keep what they are given.</summary>
    [StandsFor("UnityEngine.Mesh")]
    internal static class MeshNatives
    {
        private static readonly Dictionary<string, Array> Kept = new Dictionary<string, Array>();

        public static void Internal_Create(Mesh self) => Natives.Bear(self, "");

        public static bool get_canAccess(Mesh self) => true;

        public static int get_vertexCount(Mesh self) => Of(self, VertexAttribute.Position).Length;

        public static int get_subMeshCount(Mesh self) => 1;

        public static void set_indexFormat(Mesh self, IndexFormat format)
        {
        }

        public static void RecalculateBoundsImpl(Mesh self, MeshUpdateFlags flags)
        {
        }

        public static bool HasVertexAttribute(Mesh self, VertexAttribute channel) =>
            Kept.ContainsKey(Key(self, channel));

        public static void SetArrayForChannelImpl(
            Mesh self, VertexAttribute channel, VertexAttributeFormat format, int dimension, Array values, int length,
            int start, int count, MeshUpdateFlags flags) =>
            Kept[Key(self, channel)] = Part(values, start, count);

        public static Array GetAllocArrayFromChannelImpl(
            Mesh self, VertexAttribute channel, VertexAttributeFormat format, int dimension) =>
            (Array)Of(self, channel).Clone();

        public static void SetIndicesImpl(
            Mesh self, int part, MeshTopology topology, IndexFormat format, Array indices, int start, int count,
            bool bounds, int first) =>
            Kept[Key(self, 0)] = Part(indices, start, count);

        /// <summary>Of the only part, also where all are asked for.</summary>
        public static int[] GetTrianglesImpl(Mesh self, int part, bool moved) => (int[])Kept[Key(self, 0)].Clone();

        private static Array Of(Mesh mesh, VertexAttribute channel) => Kept[Key(mesh, channel)];

        private static string Key(Mesh mesh, object what) => mesh.GetInstanceID() + " " + what;

        private static Array Part(Array values, int start, int count)
        {
            Array part = Array.CreateInstance(values.GetType().GetElementType(), count);
            Array.Copy(values, start, part, 0, count);
            return part;
        }
    }
}
