using UnityEngine;

namespace Luban.Engine
{
    [StandsFor("UnityEngine.BoxCollider")]
    internal static class BoxColliderNatives
    {
        public static Vector3 get_center(BoxCollider self) => Solids.BoxOf(self)[0];

        public static void set_center(BoxCollider self, Vector3 middle) => Solids.BoxOf(self)[0] = middle;

        public static Vector3 get_size(BoxCollider self) => Solids.BoxOf(self)[1];

        public static void set_size(BoxCollider self, Vector3 edges) => Solids.BoxOf(self)[1] = edges;
    }
}
