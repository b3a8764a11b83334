using System.IO;
using UnityEngine;

namespace Luban.Engine
{
    [StandsFor("UnityEngine.Application")]
    internal static class ApplicationNatives
    {
        /// <summary>What the application ends with; null while it runs.</summary>
        internal static int? ExitStatus { get; private set; }

        public static void Quit(int status) => ExitStatus = ExitStatus ?? status;

        public static string get_unityVersion() => "none (engine and PhysX are shimmed)";

        public static bool get_isPlaying() => true;

        public static bool get_isEditor() => false;

        public static string get_dataPath() => Path.GetTempPath();

        public static void set_targetFrameRate(int rate)
        {
        }

        public static void set_runInBackground(bool runs)
        {
        }
    }
}
