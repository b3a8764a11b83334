namespace Luban.Wire
{
    /// <summary>Send the next part of an answer.</summary>
    public sealed class MoreCall : PlayerCall
    {
    }
}
