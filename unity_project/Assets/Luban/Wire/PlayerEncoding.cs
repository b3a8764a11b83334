namespace Luban.Wire
{
    /// <summary>How the colours of a picture are encoded; numbered as in unity.proto.</summary>
    public enum PlayerEncoding
    {
        /// <summary>Not said; raw is meant.</summary>
        Unspecified = 0,

        /// <summary>Three bytes a pixel.</summary>
        Raw = 1,

        /// <summary>A PNG file.</summary>
        Png = 2,
    }
}
