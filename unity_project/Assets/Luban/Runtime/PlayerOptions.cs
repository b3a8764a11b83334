using System;
using System.Collections.Generic;

namespace Luban.Runtime
{
    /// <summary>The player's own options on the command line; ML-Agents and Unity read theirs.</summary>
    public sealed class PlayerOptions
    {
        private PlayerOptions(bool show, bool physics)
        {
            Show = show;
            Physics = physics;
        }

        /// <summary>
        /// <c>--luban-show</c>: the window shows the scene, and motions in real time, for which each step waits.
        /// Without it nothing is drawn into the window.
        /// </summary>
        public bool Show { get; }

        /// <summary>Not <c>--luban-no-physics</c>: PhysX measures sweeps and lets loose bodies fall.</summary>
        public bool Physics { get; }

        /// <exception cref="ArgumentException">An option that begins with --luban is not known.</exception>
        public static PlayerOptions Read(IEnumerable<string> arguments)
        {
            bool show = false, physics = true;
            foreach (string argument in arguments)
            {
                switch (argument)
                {
                    case "--luban-show":
                        show = true;
                        break;
                    case "--luban-no-physics":
                        physics = false;
                        break;
                    default:
                        Refuse(argument);
                        break;
                }
            }
            return new PlayerOptions(show, physics);
        }

        private static void Refuse(string argument)
        {
            if (argument.StartsWith("--luban", StringComparison.Ordinal))
            {
                throw new ArgumentException(
                    "unknown option " + argument + "; there are --luban-show and --luban-no-physics");
            }
        }
    }
}
