using System.Collections.Generic;

namespace Luban.Core
{
    /// <summary>
    /// Executes motions of bodies and says what happened; knows no rules of any puzzle. The integer
    /// lattice decides what may move. Used from one thread.
    /// </summary>
    public interface IWorld
    {
        /// <summary>Engine and version, as written into logs.</summary>
        string Engine { get; }

        /// <summary>Whether there is a scene.</summary>
        bool HasScene { get; }

        /// <summary>The digest of the state; 0 while there is no scene.</summary>
        ulong Digest { get; }

        /// <summary>Forgets everything and builds a scene; a refused one leaves the world as it was.</summary>
        /// <exception cref="LatticeException">
        /// <c>Invalid</c>: bodies overlap, a loose one has no table under it, or one is too far away.
        /// </exception>
        void Reset(Scene scene);

        /// <summary>Does motions one after another; all or none.</summary>
        /// <exception cref="LatticeException">
        /// <c>UnknownBody</c>, <c>NoScene</c>, or <c>Invalid</c>: more than one sweep, a sweep of nothing
        /// or of less than one unit, a body let go without a table under it, or one sent too far away.
        /// </exception>
        Report Execute(IReadOnlyList<BodyMotion> motions);

        /// <summary>Where every body is, in the scene's order.</summary>
        /// <exception cref="LatticeException"><c>NoScene</c>.</exception>
        IReadOnlyList<BodyTransform> Transforms();
    }
}
