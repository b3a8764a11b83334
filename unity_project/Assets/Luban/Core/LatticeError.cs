namespace Luban.Core
{
    /// <summary>Why a world refuses what it is asked, before anything moves.</summary>
    public enum LatticeError
    {
        /// <summary>A motion names a body that is not in the scene.</summary>
        UnknownBody,

        /// <summary>The scene or the motions make no sense, as the message says.</summary>
        Invalid,

        /// <summary>There is no scene yet.</summary>
        NoScene,
    }
}
