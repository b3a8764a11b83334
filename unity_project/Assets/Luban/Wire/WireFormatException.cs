using System;

namespace Luban.Wire
{
    /// <summary>Bytes are not what they should be; the message says where they go wrong.</summary>
    public sealed class WireFormatException : Exception
    {
        public WireFormatException(string message)
            : base(message)
        {
        }
    }
}
