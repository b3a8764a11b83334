namespace Luban.Wire
{
    /// <summary>What can be wrong with a request; numbered as in unity.proto.</summary>
    public enum PlayerError
    {
        Unspecified = 0,

        /// <summary>It can't be read, or nothing is asked.</summary>
        Malformed = 1,

        /// <summary>It names a body that is not in the scene.</summary>
        UnknownBody = 2,

        /// <summary>The scene or the motions make no sense, as the message says.</summary>
        Invalid = 3,

        /// <summary>There is no scene yet.</summary>
        NoScene = 4,

        /// <summary>The player speaks another version of this protocol.</summary>
        Protocol = 5,

        /// <summary>The player can't draw.</summary>
        NoGraphics = 6,

        /// <summary>The player itself failed; the message holds its last words. It ends after this.</summary>
        Internal = 7,
    }
}
