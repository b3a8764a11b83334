// The parts of UnityEditor that the project uses, as declarations: to check types against, never to
// run. Written after the documented API of Unity 6000.0.
using System;

namespace UnityEditor
{
    public enum BuildTarget
    {
        StandaloneLinux64 = 24,
    }

    public enum ScriptingImplementation
    {
        Mono2x = 0,
    }

    public enum ManagedStrippingLevel
    {
        Disabled = 0,
        Low = 1,
        Medium = 2,
        High = 3,
        Minimal = 4,
    }

    public static class PlayerSettings
    {
        public static string companyName { get; set; }
        public static string productName { get; set; }
        public static int defaultScreenWidth { get; set; }
        public static int defaultScreenHeight { get; set; }
        public static bool runInBackground { get; set; }
        public static UnityEngine.FullScreenMode fullScreenMode { get; set; }
        public static UnityEngine.ColorSpace colorSpace { get; set; }
        public static bool GetUseDefaultGraphicsAPIs(BuildTarget platform) => throw new NotImplementedException();
        public static UnityEngine.Rendering.GraphicsDeviceType[] GetGraphicsAPIs(BuildTarget platform) => throw new NotImplementedException();
        public static void SetManagedStrippingLevel(Build.NamedBuildTarget target, ManagedStrippingLevel level) => throw new NotImplementedException();
        public static ScriptingImplementation GetScriptingBackend(Build.NamedBuildTarget target) => throw new NotImplementedException();

        public static class SplashScreen
        {
            public static bool show { get; set; }
        }
    }

    [Flags]
    public enum BuildOptions
    {
        None = 0,
        Development = 1,
    }

    public enum StandaloneBuildSubtarget
    {
        Default = 0,
        Player = 2,
        Server = 1,
    }

    public enum BuildTargetGroup
    {
        Standalone = 1,
    }

    public struct BuildPlayerOptions
    {
        public string[] scenes { get; set; }
        public string locationPathName { get; set; }
        public BuildTarget target { get; set; }
        public BuildTargetGroup targetGroup { get; set; }
        public int subtarget { get; set; }
        public BuildOptions options { get; set; }
    }

    public class BuildPipeline
    {
        public static Build.Reporting.BuildReport BuildPlayer(BuildPlayerOptions options) => throw new NotImplementedException();
    }

    public static class EditorApplication
    {
        public static void Exit(int returnValue) => throw new NotImplementedException();
    }
}

namespace UnityEditor.Build.Reporting
{
    public enum BuildResult
    {
        Unknown,
        Succeeded,
        Failed,
        Cancelled,
    }

    public struct BuildSummary
    {
        public BuildResult result { get; }
        public string outputPath { get; }
        public ulong totalSize { get; }
        public int totalErrors { get; }
    }

    public struct BuildStepMessage
    {
        public UnityEngine.LogType type { get; }
        public string content { get; }
    }

    public struct BuildStep
    {
        public string name { get; }
        public BuildStepMessage[] messages { get; }
    }

    public sealed class BuildReport : UnityEngine.Object
    {
        public BuildSummary summary => throw new NotImplementedException();
        public BuildStep[] steps => throw new NotImplementedException();
    }
}

namespace UnityEngine
{
    public enum LogType
    {
        Error,
        Assert,
        Warning,
        Log,
        Exception,
    }
}

namespace UnityEditor.Build
{
    public struct NamedBuildTarget
    {
        public static readonly NamedBuildTarget Standalone;
        public static readonly NamedBuildTarget Server;
    }
}
