using System;
using System.Linq;
using UnityEditor;
using UnityEditor.Build;
using UnityEditor.Build.Reporting;
using UnityEngine;

namespace Luban.Editor
{
    /// <summary>
    /// Builds players from the command line: <c>Unity -batchmode -quit -projectPath unity_project
    /// -executeMethod Luban.Editor.BuildScript.BuildPlayer -lubanOutput build/linux/luban.x86_64</c>.
    /// The Editor exits with 0 if the build succeeded, 1 if it failed, 2 if the arguments are wrong.
    /// </summary>
    public static class BuildScript
    {
        private const int Failed = 1;
        private const int WrongArguments = 2;
        private const string BootstrapScene = "Assets/Luban/Scenes/Bootstrap.unity";

        /// <summary>A Linux player that draws: it needs a display, a virtual one will do.</summary>
        public static void BuildPlayer() =>
            Build(StandaloneBuildSubtarget.Player, "build/linux/luban.x86_64");

        /// <summary>A dedicated server for Linux: no graphics at all.</summary>
        public static void BuildServer() =>
            Build(StandaloneBuildSubtarget.Server, "build/server/luban-server.x86_64");

        private static void Build(StandaloneBuildSubtarget subtarget, string defaultOutput)
        {
            try
            {
                BuildArguments arguments = BuildArguments.Read(Environment.GetCommandLineArgs(), defaultOutput);
                KeepAllCode();
                BuildReport report = BuildPipeline.BuildPlayer(OptionsOf(subtarget, arguments));
                EditorApplication.Exit(Judge(report));
            }
            catch (ArgumentException error)
            {
                Debug.LogError("Luban build: " + error.Message);
                EditorApplication.Exit(WrongArguments);
            }
        }

        private static BuildPlayerOptions OptionsOf(StandaloneBuildSubtarget subtarget, BuildArguments arguments) =>
            new BuildPlayerOptions
            {
                scenes = new[] { BootstrapScene },
                locationPathName = arguments.Output,
                target = BuildTarget.StandaloneLinux64,
                targetGroup = BuildTargetGroup.Standalone,
                subtarget = (int)subtarget,
                // Not BuildOptions.StrictMode, which fails a build for any error that is logged, until an Editor
                // has once built the project.
                options = arguments.Development ? BuildOptions.Development : BuildOptions.None,
            };

        /// <summary>Pin the default of Mono: ML-Agents and protobuf find some of their code by reflection.</summary>
        private static void KeepAllCode()
        {
            PlayerSettings.SetManagedStrippingLevel(NamedBuildTarget.Standalone, ManagedStrippingLevel.Disabled);
            PlayerSettings.SetManagedStrippingLevel(NamedBuildTarget.Server, ManagedStrippingLevel.Disabled);
        }

        /// <summary>The exit status; every error of the build goes to the log again, at its end.</summary>
        private static int Judge(BuildReport report)
        {
            BuildSummary summary = report.summary;
            if (summary.result == BuildResult.Succeeded)
            {
                Debug.Log("Luban build: " + summary.outputPath + ", " + summary.totalSize + " bytes");
                return 0;
            }
            foreach (BuildStep step in report.steps)
            {
                foreach (BuildStepMessage message in step.messages.Where(IsError))
                {
                    Debug.LogError("Luban build: " + step.name + ": " + message.content);
                }
            }
            Debug.LogError("Luban build: " + summary.result + ", " + summary.totalErrors + " errors");
            return Failed;
        }

        private static bool IsError(BuildStepMessage message) =>
            message.type == LogType.Error || message.type == LogType.Exception;
    }
}
