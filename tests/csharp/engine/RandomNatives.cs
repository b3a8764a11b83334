namespace Luban.Engine
{
    [StandsFor("UnityEngine.Random")]
    internal static class RandomNatives
    {
        public static void InitState(int seed)
        {
        }
    }
}
