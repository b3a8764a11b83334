using System.Collections.Generic;
using System.Linq;
using Luban.Core;
using UnityEngine;

namespace Luban.Runtime
{
    /// <summary>A scene that pictures are made of: its meshes, and where they stand.</summary>
    internal sealed class Sitter
    {
        private readonly bool _ownsMeshes;

        private Sitter(Scene scene, IReadOnlyList<Mesh> meshes, IReadOnlyList<RigidTransform> places, bool ownsMeshes)
        {
            Scene = scene;
            Meshes = meshes;
            Places = places;
            Light = Sunlight.Around(scene.Bodies, places);
            _ownsMeshes = ownsMeshes;
        }

        public Scene Scene { get; }

        /// <summary>In the scene's order.</summary>
        public IReadOnlyList<Mesh> Meshes { get; }

        /// <summary>In the scene's order.</summary>
        public IReadOnlyList<RigidTransform> Places { get; }

        public Sunlight Light { get; }

        /// <summary>What is on a stage, but for bodies that are drawn elsewhere.</summary>
        public static Sitter Of(Stage stage, IEnumerable<BodyTransform> elsewhere) => new Sitter(
            stage.Scene,
            stage.Bodies.Select(body => body.Mesh).ToList(),
            PlacesOf(stage.Scene, stage.Places(), elsewhere),
            false);

        /// <summary>A scene that is on no stage.</summary>
        public static Sitter Of(Scene scene, IEnumerable<BodyTransform> elsewhere) => new Sitter(
            scene,
            scene.Bodies.Select(ShapeMesh.Of).ToList(),
            PlacesOf(
                scene, scene.Bodies.ToDictionary(body => body.Name, body => RigidTransform.Of(body.Pose)), elsewhere),
            true);

        public void Destroy()
        {
            foreach (Mesh mesh in _ownsMeshes ? Meshes : new Mesh[0])
            {
                Object.Destroy(mesh);
            }
        }

        private static List<RigidTransform> PlacesOf(
            Scene scene, Dictionary<string, RigidTransform> places, IEnumerable<BodyTransform> elsewhere)
        {
            foreach (BodyTransform body in elsewhere)
            {
                places[body.Name] = body.Transform;
            }
            return scene.Bodies.Select(body => places[body.Name]).ToList();
        }
    }
}
