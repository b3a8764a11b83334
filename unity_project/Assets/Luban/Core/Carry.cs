namespace Luban.Core
{
    /// <summary>Takes a body up and puts it down elsewhere; nothing is said of the way there.</summary>
    public sealed class Carry : Motion
    {
        public Carry(string body, LatticePose pose, bool loose)
        {
            Body = body;
            Pose = pose;
            Loose = loose;
        }

        public string Body { get; }

        public LatticePose Pose { get; }

        /// <summary>Whether it is let go there; else it is held.</summary>
        public bool Loose { get; }
    }
}
