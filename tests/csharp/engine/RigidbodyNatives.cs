using UnityEngine;

namespace Luban.Engine
{
    [StandsFor("UnityEngine.Rigidbody")]
    internal static class RigidbodyNatives
    {
        public static void set_isKinematic(Rigidbody self, bool kinematic)
        {
            Solids.BodyOf(self).IsKinematic = kinematic;
            Solids.BodyOf(self).Velocity = Vector3.zero;
        }

        public static void set_useGravity(Rigidbody self, bool weight) => Solids.BodyOf(self).HasWeight = weight;

        public static void set_mass(Rigidbody self, float mass)
        {
        }

        public static void set_collisionDetectionMode(Rigidbody self, CollisionDetectionMode mode)
        {
        }

        public static Vector3 get_linearVelocity(Rigidbody self) => Solids.BodyOf(self).Velocity;

        public static Vector3 get_angularVelocity(Rigidbody self) => Vector3.zero;
    }
}
