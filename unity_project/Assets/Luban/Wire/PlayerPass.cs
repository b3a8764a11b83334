namespace Luban.Wire
{
    /// <summary>What a picture can tell of each pixel; numbered as in unity.proto.</summary>
    public enum PlayerPass
    {
        /// <summary>Nothing.</summary>
        Unspecified = 0,

        /// <summary>Its colour.</summary>
        Rgb = 1,

        /// <summary>Which body is seen.</summary>
        Ids = 2,

        /// <summary>How far away it is.</summary>
        Depth = 3,

        /// <summary>Which way its surface looks.</summary>
        Normals = 4,
    }
}
