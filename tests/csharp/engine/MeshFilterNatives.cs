using UnityEngine;

namespace Luban.Engine
{
    /// <summary>Nothing is drawn.</summary>
    [StandsFor("UnityEngine.MeshFilter")]
    internal static class MeshFilterNatives
    {
        public static void set_sharedMesh(MeshFilter self, Mesh mesh)
        {
        }
    }
}
