using System;
using System.Collections.Generic;

namespace Luban.Core
{
    /// <summary>
    /// From body to world coordinates, in units of a cell edge: the upper three rows of the 4x4
    /// matrix, row by row. Never changes.
    /// </summary>
    public readonly struct RigidTransform
    {
        /// <summary>Numbers in a matrix.</summary>
        public const int Length = 12;

        private readonly double[] _rows;

        /// <exception cref="LatticeException">There are not 12 numbers (<c>Invalid</c>).</exception>
        public RigidTransform(IReadOnlyList<double> rows)
        {
            if (rows.Count != Length)
            {
                throw LatticeException.Invalid("a transform has " + Length + " numbers, not " + rows.Count);
            }
            _rows = new double[Length];
            for (int i = 0; i < Length; i++)
            {
                _rows[i] = rows[i];
            }
        }

        public IReadOnlyList<double> Rows => _rows;

        /// <summary>The number in a row (0 to 2) and a column (0 to 3; 3 is the translation).</summary>
        public double this[int row, int column] => _rows[4 * row + column];

        /// <summary>The transform of a pose of the lattice; exact.</summary>
        public static RigidTransform Of(LatticePose pose)
        {
            Cell x = pose.Rotation.ImageOfX, y = pose.Rotation.ImageOfY, z = pose.Rotation.ImageOfZ;
            Cell offset = pose.Offset;
            return new RigidTransform(new double[]
            {
                x.X, y.X, z.X, offset.X,
                x.Y, y.Y, z.Y, offset.Y,
                x.Z, y.Z, z.Z, offset.Z,
            });
        }

        /// <summary>Turns the world about the axis of a turn by an angle, in radians, right-handed.</summary>
        public static RigidTransform About(Turn turn, double angle)
        {
            double cosine = Math.Cos(angle), sine = Math.Sin(angle);
            int axis = (int)turn.Axis - 1, u = (axis + 1) % 3, v = (axis + 2) % 3;
            var centre = new double[] { turn.Centre.X, turn.Centre.Y, turn.Centre.Z };
            var rows = new double[Length];
            rows[5 * axis] = 1.0;
            rows[5 * u] = cosine;
            rows[4 * u + v] = -sine;
            rows[4 * v + u] = sine;
            rows[5 * v] = cosine;
            rows[4 * u + 3] = centre[u] - cosine * centre[u] + sine * centre[v];
            rows[4 * v + 3] = centre[v] - sine * centre[u] - cosine * centre[v];
            return new RigidTransform(rows);
        }

        /// <summary>This one, followed by a motion of the world.</summary>
        public RigidTransform Then(RigidTransform motion)
        {
            var rows = new double[Length];
            for (int row = 0; row < 3; row++)
            {
                for (int column = 0; column < 4; column++)
                {
                    double sum = column == 3 ? motion[row, 3] : 0.0;
                    for (int k = 0; k < 3; k++)
                    {
                        sum += motion[row, k] * this[k, column];
                    }
                    rows[4 * row + column] = sum;
                }
            }
            return new RigidTransform(rows);
        }

        /// <summary>The same, moved some units in a direction.</summary>
        public RigidTransform Moved(Cell step, double units)
        {
            var rows = (double[])_rows.Clone();
            rows[3] += step.X * units;
            rows[7] += step.Y * units;
            rows[11] += step.Z * units;
            return new RigidTransform(rows);
        }
    }
}
