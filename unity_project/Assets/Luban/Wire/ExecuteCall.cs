using System.Collections.Generic;
using Luban.Core;

namespace Luban.Wire
{
    /// <summary>Carry motions out, one after another; all or none.</summary>
    public sealed class ExecuteCall : PlayerCall
    {
        public ExecuteCall(IReadOnlyList<BodyMotion> motions)
        {
            Motions = motions;
        }

        public IReadOnlyList<BodyMotion> Motions { get; }
    }
}
