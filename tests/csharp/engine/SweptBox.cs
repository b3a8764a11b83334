using UnityEngine;

namespace Luban.Engine
{
    /// <summary>A box that lies anyhow, and how far it goes straight ahead before it meets another.</summary>
    internal struct SweptBox
    {
        private const float Parallel = 1e-6f;

        private readonly Vector3 _middle;
        private readonly Vector3 _half;
        private readonly Vector3[] _axes;

        public SweptBox(Vector3 middle, Vector3 half, Quaternion rotation)
        {
            _middle = middle;
            _half = half;
            _axes = new[] { rotation * Vector3.right, rotation * Vector3.up, rotation * Vector3.forward };
        }

        /// <summary>
        /// Units to the first contact within reach, 0 if they overlap already; null if there is none. Two boxes
        /// overlap when their shadows do on each of the 15 axes that can part them.
        /// </summary>
        public float? FirstContact(SweptBox other, Vector3 way, float reach)
        {
            float enter = 0f, leave = reach;
            foreach (Vector3 mine in _axes)
            {
                Narrow(other, way, mine, ref enter, ref leave);
                foreach (Vector3 theirs in other._axes)
                {
                    Narrow(other, way, Vector3.Cross(mine, theirs), ref enter, ref leave);
                }
            }
            foreach (Vector3 theirs in other._axes)
            {
                Narrow(other, way, theirs, ref enter, ref leave);
            }
            return enter < leave ? enter : (float?)null;
        }

        /// <summary>Keeps the part of the way in which the shadows on an axis overlap.</summary>
        private void Narrow(SweptBox other, Vector3 way, Vector3 axis, ref float enter, ref float leave)
        {
            if (axis.sqrMagnitude < Parallel)
            {
                return;
            }
            float apart = Vector3.Dot(other._middle - _middle, axis), sum = Shadow(axis) + other.Shadow(axis);
            float pace = Vector3.Dot(way, axis);
            if (Mathf.Abs(pace) < Parallel)
            {
                leave = Mathf.Abs(apart) < sum ? leave : enter;
                return;
            }
            float one = (apart - sum) / pace, two = (apart + sum) / pace;
            enter = Mathf.Max(enter, Mathf.Min(one, two));
            leave = Mathf.Min(leave, Mathf.Max(one, two));
        }

        private float Shadow(Vector3 axis) =>
            _half.x * Mathf.Abs(Vector3.Dot(_axes[0], axis))
            + _half.y * Mathf.Abs(Vector3.Dot(_axes[1], axis))
            + _half.z * Mathf.Abs(Vector3.Dot(_axes[2], axis));
    }
}
