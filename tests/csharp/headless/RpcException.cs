using System;

namespace Luban.Headless
{
    /// <summary>The other end refuses a call, or the connection ends.</summary>
    public sealed class RpcException : Exception
    {
        public RpcException(string message)
            : base(message)
        {
        }
    }
}
