using System.Collections.Generic;

namespace Luban.Engine
{
    /// <summary>In Unity these look into lists by their layout in memory.</summary>
    [StandsFor("UnityEngine.NoAllocHelpers")]
    internal static class NoAllocHelpersNatives
    {
        public static T[] ExtractArrayFromList<T>(List<T> list) => list?.ToArray();
    }
}
