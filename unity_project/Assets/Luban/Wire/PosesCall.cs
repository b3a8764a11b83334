namespace Luban.Wire
{
    /// <summary>Say where every body is.</summary>
    public sealed class PosesCall : PlayerCall
    {
    }
}
