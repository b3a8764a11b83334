using UnityEngine;
using UnityEngine.Rendering;

namespace Luban.Engine
{
    [StandsFor("UnityEngine.SystemInfo")]
    internal static class SystemInfoNatives
    {
        /// <summary>As with -nographics.</summary>
        public static GraphicsDeviceType GetGraphicsDeviceType() => GraphicsDeviceType.Null;
    }
}
