using System;

namespace Luban.Wire
{
    /// <summary>What one side channel says.</summary>
    public readonly struct SideChannelMessage
    {
        public SideChannelMessage(Guid channel, byte[] payload)
        {
            Channel = channel;
            Payload = payload;
        }

        public Guid Channel { get; }

        public byte[] Payload { get; }
    }
}
