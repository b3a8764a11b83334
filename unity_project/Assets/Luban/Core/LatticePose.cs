using System;

namespace Luban.Core
{
    /// <summary>Turns a shape by a rotation about its own origin, then moves it by an offset.</summary>
    public readonly struct LatticePose : IEquatable<LatticePose>
    {
        public LatticePose(Rotation rotation, Cell offset)
        {
            Rotation = rotation;
            Offset = offset;
        }

        public Rotation Rotation { get; }

        public Cell Offset { get; }

        public LatticePose Moved(Cell by) => new LatticePose(Rotation, Offset + by);

        public bool Equals(LatticePose other) =>
            Rotation.Equals(other.Rotation) && Offset.Equals(other.Offset);

        public override bool Equals(object obj) => obj is LatticePose && Equals((LatticePose)obj);

        public override int GetHashCode() => Offset.GetHashCode() * Rotation.Count + Rotation.Index;
    }
}
