namespace Luban.Engine
{
    [StandsFor("UnityEngine.QualitySettings")]
    internal static class QualitySettingsNatives
    {
        public static void set_vSyncCount(int frames)
        {
        }
    }
}
