namespace Luban.Wire
{
    /// <summary>The tags of fields, by number and type, for use in a switch.</summary>
    internal static class Tags
    {
        public const uint Varint1 = 1 << 3;
        public const uint Varint2 = 2 << 3;
        public const uint Varint3 = 3 << 3;
        public const uint Varint4 = 4 << 3;
        public const uint Varint5 = 5 << 3;
        public const uint Varint7 = 7 << 3;

        public const uint Fixed1 = (1 << 3) | 1;
        public const uint Fixed2 = (2 << 3) | 1;
        public const uint Fixed3 = (3 << 3) | 1;
        public const uint Fixed4 = (4 << 3) | 1;

        public const uint Bytes1 = (1 << 3) | 2;
        public const uint Bytes2 = (2 << 3) | 2;
        public const uint Bytes3 = (3 << 3) | 2;
        public const uint Bytes4 = (4 << 3) | 2;
        public const uint Bytes5 = (5 << 3) | 2;
        public const uint Bytes6 = (6 << 3) | 2;
        public const uint Bytes7 = (7 << 3) | 2;
        public const uint Bytes8 = (8 << 3) | 2;
        public const uint Bytes9 = (9 << 3) | 2;
    }
}
