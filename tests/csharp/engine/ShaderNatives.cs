using System.Collections.Generic;

namespace Luban.Engine
{
    [StandsFor("UnityEngine.Shader")]
    internal static class ShaderNatives
    {
        private static readonly List<string> Names = new List<string>();

        public static int PropertyToID(string name)
        {
            if (!Names.Contains(name))
            {
                Names.Add(name);
            }
            return Names.IndexOf(name);
        }
    }
}
