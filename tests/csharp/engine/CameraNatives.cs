using UnityEngine;

namespace Luban.Engine
{
    [StandsFor("UnityEngine.Camera")]
    internal static class CameraNatives
    {
        /// <summary>The window's, as in the bootstrap scene.</summary>
        public static int GetAllCamerasCount() => 1;

        public static int GetAllCamerasImpl(Camera[] found)
        {
            found[0] = Host.Window;
            return 1;
        }
    }
}
