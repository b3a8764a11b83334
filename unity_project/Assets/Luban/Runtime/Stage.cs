using System.Collections.Generic;
using Luban.Core;
using UnityEngine;

namespace Luban.Runtime
{
    /// <summary>The bodies of a scene in the engine, and the table under them.</summary>
    internal sealed class Stage
    {
        public static readonly int ColourProperty = Shader.PropertyToID("_Colour");

        private const float TableEdge = 4000f;
        private const float TableThickness = 10f;

        private readonly Dictionary<string, StageBody> _byName = new Dictionary<string, StageBody>();
        private readonly List<StageBody> _bodies = new List<StageBody>();
        private readonly GameObject _root;

        public Stage(Scene scene, Material material)
        {
            Scene = scene;
            _root = new GameObject("Scene");
            foreach (Body body in scene.Bodies)
            {
                var staged = new StageBody(body, _root.transform, material);
                _bodies.Add(staged);
                _byName.Add(body.Name, staged);
            }
            if (scene.Table.HasValue)
            {
                AddTable(scene.Table.Value);
            }
            Physics.SyncTransforms();
        }

        /// <summary>What it was built of.</summary>
        public Scene Scene { get; }

        /// <summary>In the scene's order.</summary>
        public IReadOnlyList<StageBody> Bodies => _bodies;

        public StageBody this[string name] => _byName[name];

        /// <summary>Where every body is.</summary>
        public Dictionary<string, RigidTransform> Places()
        {
            var places = new Dictionary<string, RigidTransform>();
            foreach (StageBody body in _bodies)
            {
                places.Add(body.Name, body.Place);
            }
            return places;
        }

        /// <summary>Puts bodies where they were.</summary>
        public void Restore(Dictionary<string, RigidTransform> places)
        {
            foreach (KeyValuePair<string, RigidTransform> place in places)
            {
                this[place.Key].Put(place.Value);
            }
            Physics.SyncTransforms();
        }

        public void Destroy()
        {
            // Unity destroys at the end of the frame; nothing may run into it until then.
            // When a player quits, Unity may have destroyed it first.
            if (_root != null)
            {
                _root.SetActive(false);
            }
            foreach (StageBody body in _bodies)
            {
                body.Destroy();
            }
            Object.Destroy(_root);
        }

        private void AddTable(Block table)
        {
            var slab = new GameObject("Table");
            slab.transform.SetParent(_root.transform, false);
            BoxCollider collider = slab.AddComponent<BoxCollider>();
            collider.size = new Vector3(TableEdge, TableThickness, TableEdge);
            Vector3 middle = table.CentreToUnity();
            float surface = table.Low.Z - 0.5f;
            slab.transform.position = new Vector3(middle.x, surface - TableThickness / 2f, middle.z);
        }
    }
}
