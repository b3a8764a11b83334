using UnityEngine;

namespace Luban.Engine
{
    [StandsFor("UnityEngine.Collider")]
    internal static class ColliderNatives
    {
        public static Rigidbody get_attachedRigidbody(Collider self) => Solids.Above(self);
    }
}
