using System;
using System.Collections.Generic;

namespace Luban.Core
{
    /// <summary>
    /// Turns some bodies together, as one, about an axis through the middle of a cell, the whole way or
    /// not at all. Nothing else may reach into the ring that they would sweep in a whole turn, or, if
    /// they are hinged, into what they pass on their way.
    /// </summary>
    public sealed class Turn : BodyMotion
    {
        public Turn(IEnumerable<string> bodies, LatticeAxis axis, Cell centre, int quarters, bool hinged)
        {
            Bodies = new HashSet<string>(bodies);
            Axis = axis;
            Centre = centre;
            Quarters = quarters;
            Hinged = hinged;
        }

        /// <summary>Names of the bodies; their order means nothing.</summary>
        public ISet<string> Bodies { get; }

        public LatticeAxis Axis { get; }

        /// <summary>A cell on the axis.</summary>
        public Cell Centre { get; }

        /// <summary>Right-handed quarter turns; a world wants 1, 2, or 3 for one the other way.</summary>
        public int Quarters { get; }

        /// <summary>Whether they turn as on a hinge: beside what they pass, the ring may be full.</summary>
        public bool Hinged { get; }

        /// <summary>The angle by which they turn, in radians: 3 quarters are one the other way.</summary>
        public double Angle => (Quarters < 3 ? Quarters : -1) * Math.PI / 2.0;

        /// <summary>Refuses an axis, or a number of quarters, that there is not.</summary>
        /// <exception cref="LatticeException">It is none (<c>Invalid</c>).</exception>
        public void Check()
        {
            if (Axis < LatticeAxis.X || Axis > LatticeAxis.Z)
            {
                throw LatticeException.Invalid("an axis is numbered from 1 to 3, not " + (int)Axis);
            }
            if (Quarters < 1 || Quarters > 3)
            {
                throw LatticeException.Invalid("a turn goes by 1, 2 or 3 quarters, not " + Quarters);
            }
        }

        /// <summary>Where a body gets.</summary>
        /// <exception cref="LatticeException">That is far out of the world (<c>Invalid</c>).</exception>
        public LatticePose Of(LatticePose pose)
        {
            Cell centre = CentreAcross();
            Reach.CheckOffset(centre);
            Rotation rotation = Rotation.About(Axis, Quarters);
            return new LatticePose(
                rotation.After(pose.Rotation), rotation.Apply(pose.Offset - centre) + centre);
        }

        /// <summary>The point of the axis in the plane through the origin.</summary>
        private Cell CentreAcross() => new Cell(
            Axis == LatticeAxis.X ? 0 : Centre.X,
            Axis == LatticeAxis.Y ? 0 : Centre.Y,
            Axis == LatticeAxis.Z ? 0 : Centre.Z);
    }
}
