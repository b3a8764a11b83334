using UnityEngine;

namespace Luban.Engine
{
    [StandsFor("UnityEngine.Matrix4x4")]
    internal static class MatrixNatives
    {
        /// <summary>Of a matrix whose columns are turned and not stretched.</summary>
        public static Quaternion GetRotation(ref Matrix4x4 self)
        {
            // Of four ways the one whose divisor is the greatest.
            float[] squares =
            {
                1f + self.m00 + self.m11 + self.m22, 1f + self.m00 - self.m11 - self.m22,
                1f - self.m00 + self.m11 - self.m22, 1f - self.m00 - self.m11 + self.m22,
            };
            int best = 0;
            for (int i = 1; i < squares.Length; i++)
            {
                best = squares[i] > squares[best] ? i : best;
            }
            float half = Mathf.Sqrt(squares[best]) / 2f, k = 0.25f / half;
            float a = (self.m21 - self.m12) * k, b = (self.m02 - self.m20) * k, c = (self.m10 - self.m01) * k;
            float d = (self.m21 + self.m12) * k, e = (self.m02 + self.m20) * k, f = (self.m10 + self.m01) * k;
            switch (best)
            {
                case 0: return new Quaternion(a, b, c, half);
                case 1: return new Quaternion(half, f, e, a);
                case 2: return new Quaternion(f, half, d, b);
                default: return new Quaternion(e, d, half, c);
            }
        }

        public static float GetDeterminant(ref Matrix4x4 self)
        {
            Vector3 x = self.GetColumn(0), y = self.GetColumn(1), z = self.GetColumn(2);
            return Vector3.Dot(Vector3.Cross(x, y), z) * self.m33;
        }

        public static Matrix4x4 TRS(Vector3 position, Quaternion rotation, Vector3 scale)
        {
            Matrix4x4 matrix = Matrix4x4.Rotate(rotation) * Matrix4x4.Scale(scale);
            matrix.SetColumn(3, new Vector4(position.x, position.y, position.z, 1f));
            return matrix;
        }
    }
}
