using NUnit.Framework;
using UnityEditor;
using UnityEditor.Build;
using UnityEngine;
using UnityEngine.Rendering;

namespace Luban.Tests
{
    /// <summary>The Editor reads ProjectSettings.asset, which was written by hand, as it is meant.</summary>
    [Category("Editor")]
    public sealed class ProjectSettingsTests
    {
        [Test]
        public void PlayersAreCalledLuban()
        {
            Assert.That(PlayerSettings.productName, Is.EqualTo("Luban"));
            Assert.That(PlayerSettings.companyName, Is.EqualTo("Luban"));
        }

        [Test]
        public void LinuxPlayersPreferOpenGLAndAllowVulkan()
        {
            Assert.That(PlayerSettings.GetUseDefaultGraphicsAPIs(BuildTarget.StandaloneLinux64), Is.False);
            GraphicsDeviceType[] devices = PlayerSettings.GetGraphicsAPIs(BuildTarget.StandaloneLinux64);
            GraphicsDeviceType[] expected = { GraphicsDeviceType.OpenGLCore, GraphicsDeviceType.Vulkan };
            Assert.That(devices, Is.EqualTo(expected));
        }

        [Test]
        public void PlayersRunOnMono()
        {
            ScriptingImplementation player = PlayerSettings.GetScriptingBackend(NamedBuildTarget.Standalone);
            ScriptingImplementation server = PlayerSettings.GetScriptingBackend(NamedBuildTarget.Server);
            Assert.That(player, Is.EqualTo(ScriptingImplementation.Mono2x));
            Assert.That(server, Is.EqualTo(ScriptingImplementation.Mono2x));
        }

        [Test]
        public void AWindowIsSmallAndNothingIsShownBeforeIt()
        {
            Assert.That(PlayerSettings.SplashScreen.show, Is.False);
            Assert.That(PlayerSettings.defaultScreenWidth, Is.EqualTo(960));
            Assert.That(PlayerSettings.defaultScreenHeight, Is.EqualTo(720));
            Assert.That(PlayerSettings.fullScreenMode, Is.EqualTo(FullScreenMode.Windowed));
            Assert.That(PlayerSettings.runInBackground, Is.True);
            Assert.That(PlayerSettings.colorSpace, Is.EqualTo(ColorSpace.Gamma));
        }
    }
}
