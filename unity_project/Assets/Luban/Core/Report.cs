using System.Collections.Generic;

namespace Luban.Core
{
    /// <summary>What came of motions.</summary>
    public sealed class Report
    {
        private static readonly string[] Nobody = new string[0];

        private Report(
            bool completed,
            int reached,
            int travel,
            double measured,
            IReadOnlyList<string> contacts,
            IReadOnlyList<string> fallen,
            IReadOnlyList<FilmFrame> keyframes)
        {
            Completed = completed;
            Reached = reached;
            Travel = travel;
            Measured = measured;
            Contacts = contacts;
            Fallen = fallen;
            Keyframes = keyframes;
        }

        /// <summary>Whether all went the whole way; else every body is back where it was.</summary>
        public bool Completed { get; }

        /// <summary>How many motions went the whole way before one did not; not on the wire.</summary>
        public int Reached { get; }

        /// <summary>
        /// Whole units that the sweep went before something stood in the way: its distance if nothing
        /// did, 0 if there was none or it was not reached.
        /// </summary>
        public int Travel { get; }

        /// <summary>The same as the engine's collision detection measured it, in units.</summary>
        public double Measured { get; }

        /// <summary>Names of the bodies that stood in the way, in the scene's order.</summary>
        public IReadOnlyList<string> Contacts { get; }

        /// <summary>Names of the bodies that did not stay where they were let go, in the scene's order.</summary>
        public IReadOnlyList<string> Fallen { get; }

        /// <summary>How the bodies moved, in order of time.</summary>
        public IReadOnlyList<FilmFrame> Keyframes { get; }

        /// <summary>Everything went the whole way.</summary>
        public static Report Done(int reached, int travel, IReadOnlyList<FilmFrame> keyframes) =>
            new Report(true, reached, travel, travel, Nobody, Nobody, keyframes);

        /// <summary>Something stood in the way.</summary>
        public static Report Blocked(
            int reached, int travel, IReadOnlyList<string> contacts, IReadOnlyList<FilmFrame> keyframes) =>
            new Report(false, reached, travel, travel, contacts, Nobody, keyframes);

        /// <summary>The same verdict, with what an engine saw besides.</summary>
        public Report Seen(double measured, IReadOnlyList<string> fallen, IReadOnlyList<FilmFrame> keyframes) =>
            new Report(Completed, Reached, Travel, measured, Contacts, fallen, keyframes);
    }
}
