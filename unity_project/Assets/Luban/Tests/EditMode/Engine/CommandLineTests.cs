using System;
using Luban.Editor;
using Luban.Runtime;
using NUnit.Framework;

namespace Luban.Tests
{
    public sealed class CommandLineTests
    {
        [Test]
        public void ABuildWithoutArgumentsGoesToItsUsualPlace()
        {
            BuildArguments arguments = BuildArguments.Read(new[] { "Unity", "-batchmode", "-quit" }, "usual.x86_64");
            Assert.That(arguments.Output, Is.EqualTo("usual.x86_64"));
            Assert.That(arguments.Development, Is.False);
        }

        [TestCase("-lubanOutput")]
        [TestCase("-customBuildPath")]
        public void ABuildGoesWhereItIsTold(string name)
        {
            string[] line = { "Unity", name, "here", "-lubanDevelopment" };
            BuildArguments arguments = BuildArguments.Read(line, "usual");
            Assert.That(arguments.Output, Is.EqualTo("here.x86_64"));
            Assert.That(arguments.Development);
        }

        [TestCase("-lubanOutput")]
        [TestCase("-lubanOutput", "-quit")]
        [TestCase("-lubanOutptu", "here")]
        public void ABuildRefusesWrongArguments(params string[] arguments) =>
            Assert.Throws<ArgumentException>(() => BuildArguments.Read(arguments, "usual"));

        [Test]
        public void APlayerHasPhysicsAndHurriesUnlessToldOtherwise()
        {
            PlayerOptions options = PlayerOptions.Read(new[] { "luban.x86_64", "--mlagents-port", "5005" });
            Assert.That(options.Physics);
            Assert.That(options.Show, Is.False);
            options = PlayerOptions.Read(new[] { "--luban-show", "--luban-no-physics" });
            Assert.That(options.Physics, Is.False);
            Assert.That(options.Show);
        }

        [Test]
        public void APlayerRefusesAnUnknownOption() =>
            Assert.Throws<ArgumentException>(() => PlayerOptions.Read(new[] { "--luban-shwo" }));
    }
}
