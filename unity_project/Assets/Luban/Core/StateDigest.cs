using System.Text;

namespace Luban.Core
{
    /// <summary>
    /// FNV-1a, 64 bits, over the state of a scene. For each body in the scene's order: the UTF-8 bytes
    /// of its name, a 0 byte, then rotation, x, y and z as little-endian 32-bit integers, then a byte
    /// that is 1 if the body is loose and else 0.
    /// </summary>
    public struct StateDigest
    {
        private const ulong Offset = 14695981039346656037UL;
        private const ulong Prime = 1099511628211UL;

        private ulong _hash;

        private StateDigest(ulong hash)
        {
            _hash = hash;
        }

        public ulong Value => _hash;

        /// <summary>The digest of no bodies at all.</summary>
        public static StateDigest Start() => new StateDigest(Offset);

        /// <summary>Goes on with the next body.</summary>
        public void Add(string name, LatticePose pose, bool loose)
        {
            foreach (byte value in Encoding.UTF8.GetBytes(name))
            {
                Add(value);
            }
            Add(0);
            AddInt32(pose.Rotation.Index);
            AddInt32(pose.Offset.X);
            AddInt32(pose.Offset.Y);
            AddInt32(pose.Offset.Z);
            Add(loose ? (byte)1 : (byte)0);
        }

        private void AddInt32(int number)
        {
            for (int shift = 0; shift < 32; shift += 8)
            {
                Add((byte)(number >> shift));
            }
        }

        private void Add(byte value)
        {
            _hash = unchecked((_hash ^ value) * Prime);
        }
    }
}
