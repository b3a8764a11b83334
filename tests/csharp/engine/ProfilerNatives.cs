using System;
using Unity.Profiling.LowLevel;

namespace Luban.Engine
{
    /// <summary>Nothing is profiled.</summary>
    [StandsFor("Unity.Profiling.LowLevel.Unsafe.ProfilerUnsafeUtility")]
    internal static class ProfilerNatives
    {
        public static IntPtr CreateMarker(string name, ushort category, MarkerFlags flags, int metadata) => IntPtr.Zero;
    }
}
