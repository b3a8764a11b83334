namespace Luban.Headless
{
    /// <summary>The types of HTTP/2 frames that matter here (RFC 9113, section 6).</summary>
    internal enum FrameType : byte
    {
        Data = 0,
        Headers = 1,
        Reset = 3,
        Settings = 4,
        Ping = 6,
        GoAway = 7,
        WindowUpdate = 8,
    }
}
