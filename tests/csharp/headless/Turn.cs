namespace Luban.Headless
{
    /// <summary>What the controller says in one exchange.</summary>
    internal sealed class Turn
    {
        public Turn(int status, Command command, byte[] sideChannel)
        {
            Status = status;
            Command = command;
            SideChannel = sideChannel;
        }

        /// <summary>200; anything else means: shut down.</summary>
        public int Status { get; }

        public Command Command { get; }

        /// <summary>Framed messages of the side channels.</summary>
        public byte[] SideChannel { get; }
    }
}
