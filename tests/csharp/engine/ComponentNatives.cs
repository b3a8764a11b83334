using UnityEngine;

namespace Luban.Engine
{
    [StandsFor("UnityEngine.Component")]
    internal static class ComponentNatives
    {
        public static GameObject get_gameObject(Component self) => Holding.Of(self).Holder;

        public static Transform get_transform(Component self) =>
            (Transform)Holding.Of(self).First(typeof(Transform));

        public static T GetComponent<T>(Component self) => (T)(object)Holding.Of(self).First(typeof(T));
    }
}
