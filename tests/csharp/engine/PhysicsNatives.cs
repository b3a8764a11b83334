using System.Linq;
using System.Reflection;
using UnityEngine;

namespace Luban.Engine
{
    [StandsFor("UnityEngine.Physics")]
    internal static class PhysicsNatives
    {
        private static readonly FieldInfo Met = Natives.FieldOf(typeof(RaycastHit), "m_Collider");
        private static SimulationMode _mode;

        public static SimulationMode get_simulationMode() => _mode;

        public static void set_simulationMode(SimulationMode mode) => _mode = mode;

        public static Vector3 get_gravity() => Solids.Gravity;

        public static void set_gravity(Vector3 gravity) => Solids.Gravity = gravity;

        public static void SyncTransforms()
        {
        }

        public static void Simulate_Internal(
            PhysicsScene scene, float seconds, SimulationStage stages, SimulationOption options) =>
            Solids.Simulate(seconds);

        public static RaycastHit[] Internal_BoxCastAll(
            PhysicsScene scene, Vector3 middle, Vector3 half, Vector3 way, Quaternion rotation, float reach, int layers,
            QueryTriggerInteraction triggers) =>
            Solids.Met(new SweptBox(middle, half, rotation), way, reach)
                .Select(met => HitOf(met.Key, met.Value))
                .ToArray();

        private static RaycastHit HitOf(BoxCollider collider, float distance)
        {
            object hit = new RaycastHit { distance = distance };
            Met.SetValue(hit, collider.GetInstanceID());
            return (RaycastHit)hit;
        }
    }
}
