using System;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Luban.Engine
{
    /// <summary>The log, which goes to standard output, as Unity's does with -logFile -.</summary>
    [StandsFor("UnityEngine.DebugLogHandler")]
    internal static class DebugNatives
    {
        public static void Internal_Log(LogType level, LogOption option, string message, Object about) =>
            Console.WriteLine(message);

        public static void Internal_LogException(Exception fault, Object about) => Console.WriteLine(fault);
    }
}
