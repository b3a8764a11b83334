using System.Collections.Generic;
using System.Linq;
using Luban.Core;
using UnityEngine;

namespace Luban.Runtime
{
    /// <summary>
    /// How far PhysX lets bodies go together, and what they meet there: their boxes are cast along the way
    /// against the colliders of all others. Nothing is pushed.
    /// </summary>
    internal static class SweepProbe
    {
        /// <summary>Units by which a moving box is smaller on each side, so that it slides along others.</summary>
        private const float Skin = 0.01f;

        /// <summary>
        /// Units beyond the first contact in which everything that is met stands in the way: more than a loose
        /// body may be off its place, less than one.
        /// </summary>
        private const float Together = 0.2f;

        /// <summary>Units short of the whole way at which nothing counts as met.</summary>
        private const float Slack = 0.02f;

        /// <summary>What PhysX says of a sweep from where the bodies are now.</summary>
        public static Testimony Ask(Stage stage, Sweep sweep)
        {
            Vector3 direction = Directions.Vector(sweep.Direction).ToUnity();
            Dictionary<string, float> met = Met(stage, sweep, direction);
            float free = Mathf.Max(0f, met.Values.Concat(new[] { (float)sweep.Distance }).Min());
            if (free > sweep.Distance - Slack)
            {
                return new Testimony(free, new string[0]);
            }
            return new Testimony(
                free,
                stage.Bodies
                    .Where(body => met.ContainsKey(body.Name) && met[body.Name] <= free + Together)
                    .Select(body => body.Name)
                    .ToList());
        }

        /// <summary>Units to each body that is met on the way.</summary>
        private static Dictionary<string, float> Met(Stage stage, Sweep sweep, Vector3 direction)
        {
            var met = new Dictionary<string, float>();
            foreach (BoxCollider box in sweep.Bodies.SelectMany(name => stage[name].Colliders))
            {
                foreach (RaycastHit hit in Cast(box, direction, sweep.Distance))
                {
                    if (StandsInTheWay(hit, sweep.Bodies))
                    {
                        string name = hit.rigidbody.name;
                        float free = hit.distance - Skin - 2f * StageBody.Gap;
                        met[name] = met.ContainsKey(name) ? Mathf.Min(met[name], free) : free;
                    }
                }
            }
            return met;
        }

        private static RaycastHit[] Cast(BoxCollider box, Vector3 direction, float distance)
        {
            Transform frame = box.transform;
            Vector3 half = box.size / 2f - Vector3.one * Skin;
            float reach = distance + Skin + 2f * StageBody.Gap;
            return Physics.BoxCastAll(frame.TransformPoint(box.center), half, direction, frame.rotation, reach);
        }

        /// <summary>Everything that has a rigidbody and does not move along; the table has none.</summary>
        private static bool StandsInTheWay(RaycastHit hit, ISet<string> movers) =>
            hit.rigidbody != null && !movers.Contains(hit.rigidbody.name);
    }
}
