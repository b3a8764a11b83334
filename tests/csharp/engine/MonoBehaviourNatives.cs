using UnityEngine;

namespace Luban.Engine
{
    [StandsFor("UnityEngine.MonoBehaviour")]
    internal static class MonoBehaviourNatives
    {
        public static void ConstructorCheck(Object self)
        {
        }
    }
}
