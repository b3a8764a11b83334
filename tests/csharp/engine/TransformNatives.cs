using UnityEngine;

namespace Luban.Engine
{
    /// <summary>Nothing is scaled.</summary>
    [StandsFor("UnityEngine.Transform")]
    internal static class TransformNatives
    {
        public static Vector3 get_position(Transform self) => Holding.Of(self).Position;

        public static void set_position(Transform self, Vector3 position) => Holding.Of(self).Position = position;

        public static Quaternion get_rotation(Transform self) => Holding.Of(self).Rotation;

        public static void set_rotation(Transform self, Quaternion rotation) => Holding.Of(self).Rotation = rotation;

        public static void SetPositionAndRotation(Transform self, Vector3 position, Quaternion rotation)
        {
            Holding.Of(self).Rotation = rotation;
            Holding.Of(self).Position = position;
        }

        public static Vector3 TransformPoint(Transform self, Vector3 point) => Holding.Of(self).ToWorld(point);

        public static Matrix4x4 get_localToWorldMatrix(Transform self) =>
            Matrix4x4.TRS(Holding.Of(self).Position, Holding.Of(self).Rotation, Vector3.one);

        public static void SetParent(Transform self, Transform parent, bool stays)
        {
            Holding moved = Holding.Of(self);
            Vector3 position = moved.Position;
            Quaternion rotation = moved.Rotation;
            moved.Parent = parent == null ? null : Holding.Of(parent);
            if (stays)
            {
                SetPositionAndRotation(self, position, rotation);
            }
        }
    }
}
