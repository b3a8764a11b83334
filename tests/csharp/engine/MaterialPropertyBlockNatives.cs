using System;
using UnityEngine;

namespace Luban.Engine
{
    /// <summary>Nothing is drawn.</summary>
    [StandsFor("UnityEngine.MaterialPropertyBlock")]
    internal static class MaterialPropertyBlockNatives
    {
        public static IntPtr CreateImpl() => IntPtr.Zero;

        public static void DestroyImpl(IntPtr block)
        {
        }

        public static void SetVectorImpl(MaterialPropertyBlock self, int name, Vector4 value)
        {
        }
    }
}
