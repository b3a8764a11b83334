using UnityEngine;

namespace Luban.Engine
{
    /// <summary>The native half of a rigidbody.</summary>
    internal sealed class Falling
    {
        public bool IsKinematic { get; set; }

        public bool HasWeight { get; set; } = true;

        public Vector3 Velocity { get; set; }

        public bool IsFree => HasWeight && !IsKinematic;
    }
}
