using System.Collections.Generic;
using Luban.Core;
using UnityEngine;

namespace Luban.Runtime
{
    /// <summary>How far PhysX lets bodies go together: evidence beside the lattice's verdict, no more.</summary>
    internal static class SweepProbe
    {
        /// <summary>Units by which a moving box is smaller on each side, so that it slides along others.</summary>
        private const float Skin = 0.01f;

        /// <summary>Units to the first contact; the sweep's distance if there is none.</summary>
        public static double Measure(Stage stage, Sweep sweep)
        {
            Vector3 direction = Directions.Vector(sweep.Direction).ToUnity();
            float free = sweep.Distance;
            foreach (string name in sweep.Bodies)
            {
                foreach (BoxCollider box in stage[name].Colliders)
                {
                    free = Mathf.Min(free, FreeWay(box, direction, sweep));
                }
            }
            return free;
        }

        private static float FreeWay(BoxCollider box, Vector3 direction, Sweep sweep)
        {
            Transform frame = box.transform;
            Vector3 half = box.size / 2f - Vector3.one * Skin;
            Vector3 centre = frame.TransformPoint(box.center);
            float reach = sweep.Distance + Skin + 2f * StageBody.Gap;
            float free = sweep.Distance;
            foreach (RaycastHit hit in Physics.BoxCastAll(centre, half, direction, frame.rotation, reach))
            {
                if (StandsInTheWay(hit, sweep.Bodies))
                {
                    free = Mathf.Min(free, hit.distance - Skin - 2f * StageBody.Gap);
                }
            }
            return Mathf.Max(0f, free);
        }

        /// <summary>Everything that has a rigidbody and does not move along; the table has none.</summary>
        private static bool StandsInTheWay(RaycastHit hit, ISet<string> movers) =>
            hit.rigidbody != null && !movers.Contains(hit.rigidbody.name);
    }
}
