using System.Collections.Generic;
using Luban.Core;
using UnityEngine;

namespace Luban.Runtime
{
    /// <summary>
    /// Between the lattice's frame (right-handed, z up) and Unity's (left-handed, y up): y and z are
    /// swapped, which is its own inverse. Units are the same.
    /// </summary>
    internal static class Frames
    {
        /// <summary>From Unity's world to the lattice's, or back.</summary>
        public static readonly Matrix4x4 Swap = new Matrix4x4(
            new Vector4(1, 0, 0, 0), new Vector4(0, 0, 1, 0), new Vector4(0, 1, 0, 0), new Vector4(0, 0, 0, 1));

        /// <summary>From coordinates between 0 and 1 to clip coordinates.</summary>
        public static readonly Matrix4x4 ToClip = new Matrix4x4(
            new Vector4(2, 0, 0, 0), new Vector4(0, 2, 0, 0), new Vector4(0, 0, 2, 0), new Vector4(-1, -1, -1, 1));

        public static Vector3 ToUnity(this Cell cell) => new Vector3(cell.X, cell.Z, cell.Y);

        /// <summary>The middle of a block.</summary>
        public static Vector3 CentreToUnity(this Block block) => (block.Low.ToUnity() + block.High.ToUnity()) / 2f;

        /// <summary>The edges of a block.</summary>
        public static Vector3 SizeToUnity(this Block block) => (block.High - block.Low).ToUnity() + Vector3.one;

        public static Matrix4x4 ToUnity(this RigidTransform transform)
        {
            Matrix4x4 matrix = Matrix4x4.identity;
            for (int row = 0; row < 3; row++)
            {
                for (int column = 0; column < 4; column++)
                {
                    matrix[row, column] = (float)transform[row, column];
                }
            }
            return Swap * matrix * Swap;
        }

        public static RigidTransform ToLattice(this Matrix4x4 matrix)
        {
            Matrix4x4 swapped = Swap * matrix * Swap;
            var rows = new List<double>(RigidTransform.Length);
            for (int row = 0; row < 3; row++)
            {
                for (int column = 0; column < 4; column++)
                {
                    rows.Add(swapped[row, column]);
                }
            }
            return new RigidTransform(rows);
        }

        public static Vector3 Position(this Matrix4x4 matrix) => new Vector3(matrix.m03, matrix.m13, matrix.m23);

        /// <summary>The matrix of a camera on the wire: 16 numbers, row by row.</summary>
        public static Matrix4x4 ToMatrix(this IReadOnlyList<double> numbers)
        {
            Matrix4x4 matrix = Matrix4x4.zero;
            for (int i = 0; i < numbers.Count; i++)
            {
                matrix[i / 4, i % 4] = (float)numbers[i];
            }
            return matrix;
        }

        /// <summary>0xRRGGBB as a colour whose components are the sRGB ones, from 0 to 1.</summary>
        public static Vector4 ToColour(int rgb) =>
            new Vector4((rgb >> 16 & 255) / 255f, (rgb >> 8 & 255) / 255f, (rgb & 255) / 255f, 1f);
    }
}
