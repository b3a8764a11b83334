using System.Collections.Generic;

namespace Luban.Core
{
    /// <summary>Where some bodies are at a moment of a step; the others stay as they were.</summary>
    public sealed class FilmFrame
    {
        public FilmFrame(double time, IReadOnlyList<BodyTransform> bodies)
        {
            Time = time;
            Bodies = bodies;
        }

        /// <summary>Seconds from the start of the step.</summary>
        public double Time { get; }

        public IReadOnlyList<BodyTransform> Bodies { get; }
    }
}
