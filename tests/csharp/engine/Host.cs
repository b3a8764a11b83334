using System;
using System.Reflection;
using Luban.Runtime;
using UnityEngine;

namespace Luban.Engine
{
    /// <summary>
    /// A player on an engine whose native parts are ours: the genuine C# of the engine and of ML-Agents, and what is
    /// built into a player. It draws nothing.
    /// </summary>
    internal static class Host
    {
        public static Camera Window { get; private set; }

        private static int Main()
        {
            Console.WriteLine("Luban's own native parts under the engine's C#: no Unity, no PhysX, no pictures");
            Window = new GameObject("Window").AddComponent<Camera>();
            new GameObject("Bootstrap").AddComponent<Bootstrap>();
            while (!ApplicationNatives.ExitStatus.HasValue)
            {
                Life.Frame();
            }
            Leave();
            return ApplicationNatives.ExitStatus.Value;
        }

        private static void Leave()
        {
            typeof(Application)
                .GetMethod("Internal_ApplicationQuit", BindingFlags.Static | BindingFlags.NonPublic)
                .Invoke(null, null);
            Life.EndAll();
        }
    }
}
