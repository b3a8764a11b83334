using System.Diagnostics;

namespace Luban.Engine
{
    [StandsFor("UnityEngine.Time")]
    internal static class TimeNatives
    {
        private static readonly Stopwatch Clock = Stopwatch.StartNew();
        private static double _last;
        private static double _delta;

        public static float get_deltaTime() => (float)_delta;

        /// <summary>A frame begins.</summary>
        internal static void Tick()
        {
            double now = Clock.Elapsed.TotalSeconds;
            _delta = now - _last;
            _last = now;
        }
    }
}
