using System;

namespace Luban.Core
{
    /// <summary>
    /// How a <see cref="Spin"/> is shown: about the middle of a block, which goes straight on, the
    /// shorter way round.
    /// </summary>
    internal sealed class Turning
    {
        private readonly Spin _spin;
        private readonly double[] _axis;
        private readonly double[] _here;
        private readonly double[] _there;

        public Turning(Spin spin, Block block)
        {
            _spin = spin;
            Block end = spin.Of(block);
            _here = Middle(block);
            _there = Middle(end);
            RigidTransform turn = RigidTransform.Of(new LatticePose(spin.Rotation, default(Cell)));
            Angle = Math.Acos((turn[0, 0] + turn[1, 1] + turn[2, 2] - 1.0) / 2.0);
            _axis = Axis(turn, Angle);
            Cell size = block.High - block.Low + new Cell(1, 1, 1);
            double reach = Norm(new double[] { size.X, size.Y, size.Z }) / 2.0;
            var way = new double[] { _there[0] - _here[0], _there[1] - _here[1], _there[2] - _here[2] };
            Length = reach * Angle + Norm(way);
        }

        /// <summary>Radians, at most half a turn.</summary>
        public double Angle { get; }

        /// <summary>Units that the farthest corner goes, at most.</summary>
        public double Length { get; }

        /// <summary>The motion of the world that a share of it makes up; exact at 1.</summary>
        public RigidTransform At(double share)
        {
            if (share >= 1.0)
            {
                return RigidTransform.Of(new LatticePose(_spin.Rotation, _spin.Offset));
            }
            double[] turn = TurnBy(share * Angle);
            var rows = new double[RigidTransform.Length];
            for (int row = 0; row < 3; row++)
            {
                double middle = _here[row] + share * (_there[row] - _here[row]);
                for (int column = 0; column < 3; column++)
                {
                    rows[4 * row + column] = turn[3 * row + column];
                    middle -= turn[3 * row + column] * _here[column];
                }
                rows[4 * row + 3] = middle;
            }
            return new RigidTransform(rows);
        }

        private static double[] Middle(Block block)
        {
            Cell doubled = block.Low + block.High;
            return new[] { doubled.X / 2.0, doubled.Y / 2.0, doubled.Z / 2.0 };
        }

        private static double Norm(double[] vector) =>
            Math.Sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]);

        /// <summary>The axis of a rotation that is not none, of length 1.</summary>
        private static double[] Axis(RigidTransform turn, double angle)
        {
            var axis = new[] { turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1] };
            if (angle > 3.0)
            {
                // Half a turn: its matrix and the identity add up to twice the axis times itself.
                int k = turn[0, 0] > -0.5 ? 0 : turn[1, 1] > -0.5 ? 1 : 2;
                axis = new[] { turn[0, k], turn[1, k], turn[2, k] };
                axis[k] += 1.0;
            }
            double norm = Norm(axis);
            return new[] { axis[0] / norm, axis[1] / norm, axis[2] / norm };
        }

        /// <summary>Rodrigues' formula: the nine numbers of the matrix, row by row.</summary>
        private double[] TurnBy(double angle)
        {
            double c = Math.Cos(angle), s = Math.Sin(angle), d = 1.0 - c;
            double x = _axis[0], y = _axis[1], z = _axis[2];
            return new[]
            {
                c + d * x * x, d * x * y - s * z, d * x * z + s * y,
                d * x * y + s * z, c + d * y * y, d * y * z - s * x,
                d * x * z - s * y, d * y * z + s * x, c + d * z * z,
            };
        }
    }
}
