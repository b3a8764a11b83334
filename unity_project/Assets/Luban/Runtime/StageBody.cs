using System.Collections.Generic;
using Luban.Core;
using UnityEngine;

namespace Luban.Runtime
{
    /// <summary>
    /// A body in the engine: a kinematic rigidbody with a box for each block of cells, and a mesh that
    /// may be shown elsewhere for a while.
    /// </summary>
    internal sealed class StageBody
    {
        /// <summary>Units by which a collider is smaller on each side, so that neighbours don't touch.</summary>
        public const float Gap = 0.005f;

        private readonly GameObject _object;
        private readonly GameObject _shown;

        public StageBody(Body body, Transform parent, Material material)
        {
            Name = body.Name;
            Colour = Frames.ToColour(body.Rgb);
            Mesh = ShapeMesh.Of(body);
            Bounds = body.Shape.Bounds;
            _object = new GameObject(body.Name);
            _object.transform.SetParent(parent, false);
            Rigidbody = _object.AddComponent<Rigidbody>();
            Rigidbody.isKinematic = true;
            Rigidbody.mass = body.Shape.Cells.Count;
            Rigidbody.collisionDetectionMode = CollisionDetectionMode.Discrete;
            Colliders = AddColliders(body.Shape);
            _shown = Show(parent, material);
            Put(RigidTransform.Of(body.Pose));
        }

        public string Name { get; }

        /// <summary>sRGB, from 0 to 1.</summary>
        public Vector4 Colour { get; }

        public Mesh Mesh { get; }

        /// <summary>The block around its cells, in its own coordinates.</summary>
        public Block Bounds { get; }

        public Rigidbody Rigidbody { get; }

        public BoxCollider[] Colliders { get; }

        /// <summary>Where it was put last; exact, where the engine's own numbers are not.</summary>
        public RigidTransform Place { get; private set; }

        /// <summary>Where the engine has it now.</summary>
        public RigidTransform PlaceInEngine => _object.transform.localToWorldMatrix.ToLattice();

        /// <summary>Puts it somewhere; it is shown there too.</summary>
        public void Put(RigidTransform place)
        {
            Place = place;
            Matrix4x4 matrix = place.ToUnity();
            _object.transform.SetPositionAndRotation(matrix.Position(), matrix.rotation);
            ShowAt(matrix);
        }

        /// <summary>Shows it somewhere; it stays where it is.</summary>
        public void ShowAt(Matrix4x4 place) =>
            _shown.transform.SetPositionAndRotation(place.Position(), place.rotation);

        public void Destroy()
        {
            Object.Destroy(_object);
            Object.Destroy(_shown);
            Object.Destroy(Mesh);
        }

        private BoxCollider[] AddColliders(Shape shape)
        {
            var colliders = new List<BoxCollider>();
            foreach (Block block in Boxes.Of(shape))
            {
                BoxCollider collider = _object.AddComponent<BoxCollider>();
                collider.center = block.CentreToUnity();
                collider.size = block.SizeToUnity() - Vector3.one * (2f * Gap);
                colliders.Add(collider);
            }
            return colliders.ToArray();
        }

        private GameObject Show(Transform parent, Material material)
        {
            var shown = new GameObject(Name + " (shown)");
            shown.transform.SetParent(parent, false);
            shown.AddComponent<MeshFilter>().sharedMesh = Mesh;
            MeshRenderer renderer = shown.AddComponent<MeshRenderer>();
            renderer.sharedMaterial = material;
            var properties = new MaterialPropertyBlock();
            properties.SetVector(Stage.ColourProperty, Colour);
            renderer.SetPropertyBlock(properties);
            return shown;
        }
    }
}
