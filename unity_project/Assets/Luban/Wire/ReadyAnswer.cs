namespace Luban.Wire
{
    /// <summary>The scene was built.</summary>
    public sealed class ReadyAnswer : PlayerAnswer
    {
    }
}
