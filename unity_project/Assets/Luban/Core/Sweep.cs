using System.Collections.Generic;

namespace Luban.Core
{
    /// <summary>Moves some bodies together in a straight line, the whole way or not at all.</summary>
    public sealed class Sweep : BodyMotion
    {
        public Sweep(IEnumerable<string> bodies, Direction direction, int distance)
        {
            Bodies = new HashSet<string>(bodies);
            Direction = direction;
            Distance = distance;
        }

        /// <summary>Names of the bodies; their order means nothing.</summary>
        public ISet<string> Bodies { get; }

        public Direction Direction { get; }

        /// <summary>Units; a world wants at least 1.</summary>
        public int Distance { get; }
    }
}
