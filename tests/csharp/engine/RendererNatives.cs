using UnityEngine;

namespace Luban.Engine
{
    /// <summary>Nothing is drawn.</summary>
    [StandsFor("UnityEngine.Renderer")]
    internal static class RendererNatives
    {
        public static void SetMaterial(Renderer self, Material material)
        {
        }

        public static void Internal_SetPropertyBlock(Renderer self, MaterialPropertyBlock properties)
        {
        }
    }
}
