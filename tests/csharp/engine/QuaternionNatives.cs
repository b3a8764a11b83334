using UnityEngine;

namespace Luban.Engine
{
    [StandsFor("UnityEngine.Quaternion")]
    internal static class QuaternionNatives
    {
        /// <summary>Of a rotation: of length one.</summary>
        public static Quaternion Inverse(Quaternion rotation) =>
            new Quaternion(-rotation.x, -rotation.y, -rotation.z, rotation.w);

        public static Quaternion Slerp(Quaternion a, Quaternion b, float t)
        {
            float dot = Quaternion.Dot(a, b), sign = dot < 0f ? -1f : 1f;
            float angle = Mathf.Acos(Mathf.Min(1f, sign * dot));
            float near = angle < 1e-4f ? 1f - t : Mathf.Sin((1f - t) * angle) / Mathf.Sin(angle);
            float far = sign * (angle < 1e-4f ? t : Mathf.Sin(t * angle) / Mathf.Sin(angle));
            return new Quaternion(
                near * a.x + far * b.x, near * a.y + far * b.y, near * a.z + far * b.z, near * a.w + far * b.w);
        }
    }
}
