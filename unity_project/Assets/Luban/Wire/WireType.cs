namespace Luban.Wire
{
    /// <summary>How a protobuf field is stored: the lowest three bits of its tag.</summary>
    public enum WireType
    {
        Varint = 0,
        Fixed64 = 1,
        LengthDelimited = 2,
        Fixed32 = 5,
    }
}
