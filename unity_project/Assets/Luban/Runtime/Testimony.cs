using System.Collections.Generic;

namespace Luban.Runtime
{
    /// <summary>What PhysX says of a sweep: evidence beside the lattice's verdict.</summary>
    internal struct Testimony
    {
        public Testimony(double measured, IReadOnlyList<string> witnessed)
        {
            Measured = measured;
            Witnessed = witnessed;
        }

        /// <summary>Units to the first contact; the sweep's distance if there is none.</summary>
        public double Measured { get; }

        /// <summary>Who is met there, in the scene's order; nobody if the way is free.</summary>
        public IReadOnlyList<string> Witnessed { get; }
    }
}
