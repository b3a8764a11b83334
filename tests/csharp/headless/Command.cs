namespace Luban.Headless
{
    /// <summary>What the controller wants; numbered as by ML-Agents.</summary>
    internal enum Command
    {
        Step = 0,
        Reset = 1,
        Quit = 2,
    }
}
