using System.Collections.Generic;
using UnityEngine;

namespace Luban.Engine
{
    [StandsFor("UnityEngine.Behaviour")]
    internal static class BehaviourNatives
    {
        private static readonly Dictionary<Behaviour, bool> Others = new Dictionary<Behaviour, bool>();

        public static bool get_enabled(Behaviour self) => self is MonoBehaviour behaviour
            ? Life.Of(behaviour).Enabled
            : !Others.TryGetValue(self, out bool enabled) || enabled;

        public static void set_enabled(Behaviour self, bool enabled)
        {
            if (self is MonoBehaviour behaviour)
            {
                Life.Of(behaviour).Enabled = enabled;
            }
            else
            {
                Others[self] = enabled;
            }
        }

        public static bool get_isActiveAndEnabled(Behaviour self) =>
            get_enabled(self) && Holding.Of(self).ActiveInHierarchy;
    }
}
