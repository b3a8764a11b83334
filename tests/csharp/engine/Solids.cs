using System.Collections.Generic;
using System.Linq;
using UnityEngine;

namespace Luban.Engine
{
    /// <summary>
    /// In place of PhysX: boxes that are cast are measured exactly, and what is free falls straight down until it
    /// meets something. It neither tips nor slides.
    /// </summary>
    internal static class Solids
    {
        private static readonly Dictionary<BoxCollider, Vector3[]> Boxes = new Dictionary<BoxCollider, Vector3[]>();
        private static readonly Dictionary<Rigidbody, Falling> Bodies = new Dictionary<Rigidbody, Falling>();

        public static Vector3 Gravity { get; set; } = new Vector3(0f, -9.81f, 0f);

        /// <summary>Its middle and its edges.</summary>
        public static Vector3[] BoxOf(BoxCollider collider)
        {
            if (!Boxes.TryGetValue(collider, out Vector3[] box))
            {
                Boxes[collider] = box = new[] { Vector3.zero, Vector3.one };
            }
            return box;
        }

        public static Falling BodyOf(Rigidbody rigidbody)
        {
            if (!Bodies.TryGetValue(rigidbody, out Falling body))
            {
                Bodies[rigidbody] = body = new Falling();
            }
            return body;
        }

        /// <summary>The nearest rigidbody above; null if there is none.</summary>
        public static Rigidbody Above(Component component)
        {
            for (Holding at = Holding.Of(component); at != null; at = at.Parent)
            {
                Component found = at.First(typeof(Rigidbody));
                if (found != null)
                {
                    return (Rigidbody)found;
                }
            }
            return null;
        }

        /// <summary>All that a box meets on its way, and how far it is to each.</summary>
        public static IEnumerable<KeyValuePair<BoxCollider, float>> Met(SweptBox box, Vector3 way, float reach)
        {
            Forget();
            foreach (BoxCollider collider in Boxes.Keys)
            {
                float? distance = Holding.Of(collider).ActiveInHierarchy
                    ? box.FirstContact(Solid(collider), way, reach)
                    : null;
                if (distance.HasValue)
                {
                    yield return new KeyValuePair<BoxCollider, float>(collider, distance.Value);
                }
            }
        }

        public static void Simulate(float seconds)
        {
            Forget();
            foreach (KeyValuePair<Rigidbody, Falling> body in Bodies.Where(body => body.Value.IsFree).ToList())
            {
                Fall(body.Key, body.Value, seconds);
            }
        }

        private static void Fall(Rigidbody rigidbody, Falling body, float seconds)
        {
            body.Velocity += Gravity * seconds;
            Vector3 way = body.Velocity.normalized;
            float most = body.Velocity.magnitude * seconds, free = most;
            foreach (BoxCollider own in Boxes.Keys.Where(each => Above(each) == rigidbody).ToList())
            {
                free = Met(Solid(own), way, most)
                    .Where(hit => Above(hit.Key) != rigidbody)
                    .Select(hit => hit.Value)
                    .Concat(new[] { free })
                    .Min();
            }
            Holding.Of(rigidbody).Position += way * free;
            body.Velocity = free < most ? Vector3.zero : body.Velocity;
        }

        private static SweptBox Solid(BoxCollider collider)
        {
            Vector3[] box = BoxOf(collider);
            Holding at = Holding.Of(collider);
            return new SweptBox(at.ToWorld(box[0]), box[1] / 2f, at.Rotation);
        }

        /// <summary>Forgets what lives no longer.</summary>
        private static void Forget()
        {
            Boxes.Keys.Where(each => each == null).ToList().ForEach(each => Boxes.Remove(each));
            Bodies.Keys.Where(each => each == null).ToList().ForEach(each => Bodies.Remove(each));
        }
    }
}
