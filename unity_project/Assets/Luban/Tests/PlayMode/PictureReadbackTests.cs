using System;
using System.Collections.Generic;
using System.Linq;
using Luban.Core;
using Luban.Runtime;
using Luban.Wire;
using NUnit.Framework;
using UnityEngine;
using UnityEngine.Rendering;

namespace Luban.Tests
{
    /// <summary>Both ways to bring pictures from the graphics device, and the change from one to the other.</summary>
    [Category("Graphics")]
    public sealed class PictureReadbackTests
    {
        private const int Size = 16;

        private readonly List<string> _log = new List<string>();

        [SetUp]
        public void ListenToTheLog()
        {
            if (SystemInfo.graphicsDeviceType == GraphicsDeviceType.Null)
            {
                // Failing, not ignoring: a run that draws nothing must not look like one that passed.
                Assert.Fail("there is no graphics device: start the Editor without -nographics");
            }
            _log.Clear();
            Application.logMessageReceived += Hear;
        }

        [TearDown]
        public void StopListening() => Application.logMessageReceived -= Hear;

        [Test]
        public void ReadPixelsBringsWhatAnAsynchronousRequestBrings()
        {
            if (!SystemInfo.supportsAsyncGPUReadback)
            {
                Assert.Ignore("this device only has ReadPixels");
            }
            List<PlayerPicture> requested = Render(new LayerReadback(new AsyncLayerReader()));
            List<PlayerPicture> read = Render(new LayerReadback(new PixelLayerReader()));
            Assert.That(read.Count, Is.EqualTo(2));
            for (int i = 0; i < read.Count; i++)
            {
                Assert.That(read[i].Rgb, Is.EqualTo(requested[i].Rgb));
                Assert.That(read[i].Ids, Is.EqualTo(requested[i].Ids));
                Assert.That(read[i].Depth, Is.EqualTo(requested[i].Depth));
                Assert.That(read[i].Normals, Is.EqualTo(requested[i].Normals));
            }
        }

        [Test]
        public void TheDevicesOwnWayIsLoggedOnce()
        {
            string name = SystemInfo.supportsAsyncGPUReadback ? "AsyncGPUReadback" : "ReadPixels";
            Render(LayerReadback.ForDevice());
            Assert.That(_log.Count, Is.EqualTo(1));
            Assert.That(_log[0].StartsWith("Luban pictures: read back by " + name, StringComparison.Ordinal), _log[0]);
        }

        [Test]
        public void AReaderThatFailsIsReplacedForGood()
        {
            var broken = new BrokenReader();
            Render(new LayerReadback(broken, new PixelLayerReader()));
            Assert.That(broken.Calls, Is.EqualTo(1));
            Assert.That(_log.Count, Is.EqualTo(2));
            Assert.That(_log[0], Is.EqualTo("Luban pictures: Broken failed"));
        }

        [Test]
        public void WithoutAReaderThatWorksRenderingThrows() =>
            Assert.Throws<InvalidOperationException>(() => Render(new LayerReadback(new BrokenReader())));

        /// <summary>Two pictures in each of two calls, the pictures of the last.</summary>
        private static List<PlayerPicture> Render(LayerReadback readback)
        {
            var world = new UnityWorld(null, false);
            var renderer = new PictureRenderer(world, Load("Luban/Picture"), Load("Luban/Screen"), readback);
            try
            {
                renderer.Render(Call());
                return renderer.Render(Call()).ToList();
            }
            finally
            {
                renderer.Destroy();
            }
        }

        private static GalleryCall Call()
        {
            double[] fromAbove = { 1.0 / 8.0, 0, 0, 0, 0, 1.0 / 8.0, 0, 0, 0, 0, -1.0 / 50.0, 0, 0, 0, 0, 1 };
            var camera = new PlayerCamera("above", fromAbove, new double[] { 0, 0, -1, 25 });
            var exhibit = new Exhibit(StageScenes.BarAndCube(), new[] { camera }, new BodyTransform[0]);
            PlayerPass[] passes = { PlayerPass.Rgb, PlayerPass.Ids, PlayerPass.Depth, PlayerPass.Normals };
            return new GalleryCall(new[] { exhibit, exhibit }, Size, PlayerEncoding.Raw, passes);
        }

        private static Material Load(string shader) => new Material(Resources.Load<Shader>(shader));

        private void Hear(string message, string trace, LogType type)
        {
            if (message.StartsWith("Luban pictures", StringComparison.Ordinal))
            {
                _log.Add(message);
            }
        }

        /// <summary>A graphics device that answers every request with an error.</summary>
        private sealed class BrokenReader : ILayerReader
        {
            public string Name => "Broken";

            public int Calls { get; private set; }

            public IReadOnlyList<byte[]> Read(RenderTexture texture, int layers)
            {
                Calls++;
                return null;
            }
        }
    }
}
