using System.Collections.Generic;

namespace Luban.Core
{
    /// <summary>Bodies at one moment, and the places that matter; never changes.</summary>
    public sealed class Scene
    {
        /// <exception cref="LatticeException">Two bodies share a name (<c>Invalid</c>).</exception>
        public Scene(IReadOnlyList<Body> bodies, Block work, Block? table, Container container = null)
        {
            var names = new HashSet<string>();
            foreach (Body body in bodies)
            {
                if (!names.Add(body.Name))
                {
                    throw LatticeException.Invalid("two bodies share the name " + body.Name);
                }
            }
            Bodies = bodies;
            Work = work;
            Table = table;
            Container = container;
        }

        /// <summary>In a fixed order; the picture id of the first is 1.</summary>
        public IReadOnlyList<Body> Bodies { get; }

        /// <summary>Where the puzzle is worked on.</summary>
        public Block Work { get; }

        /// <summary>
        /// Where loose bodies lie; null if there is no table. Its surface is half a unit below the
        /// low corner, endless in x and y.
        /// </summary>
        public Block? Table { get; }

        /// <summary>The box that is to be filled; null if there is none.</summary>
        public Container Container { get; }
    }
}
