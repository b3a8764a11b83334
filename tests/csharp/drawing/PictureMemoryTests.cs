using System;
using System.Collections.Generic;
using System.Linq;
using Luban.Core;
using Luban.Runtime;
using Luban.Wire;
using NUnit.Framework;
using UnityEngine;

namespace Luban.Tests
{
    /// <summary>
    /// Objects that drawing leaves in the engine, counted by the stubs: what C# drops lives on until it is destroyed.
    /// </summary>
    public sealed class PictureMemoryTests
    {
        private static readonly int[] Sizes = { 16, 24, 16, 32, 400, 16 };

        private PictureRenderer _renderer;
        private int _before;

        [TearDown]
        public void RepairTheDevice()
        {
            AsyncReadbacks.Supported = true;
            AsyncReadbacks.Fail = false;
        }

        [SetUp]
        public void MakeARenderer()
        {
            _before = Living();
            _renderer = new PictureRenderer(
                new UnityWorld(null, false), new Material(null), new Material(null), LayerReadback.ForDevice());
        }

        [TestCase(true, PlayerEncoding.Raw)]
        [TestCase(true, PlayerEncoding.Png)]
        [TestCase(false, PlayerEncoding.Raw)]
        [TestCase(false, PlayerEncoding.Png)]
        public void NoObjectIsLeftOfFormerSizes(bool asynchronous, PlayerEncoding encoding)
        {
            AsyncReadbacks.Fail = !asynchronous;
            _renderer.Render(Call(Sizes[0], 1, encoding));
            int first = Living();
            foreach (int size in Sizes)
            {
                Assert.That(_renderer.Render(Call(size, 1, encoding)).Count, Is.EqualTo(1));
                Assert.That(Living(), Is.EqualTo(first));
            }
        }

        [Test]
        public void NoObjectIsLeftOfFormerNumbersOfPictures()
        {
            _renderer.Render(Call(16, 1, PlayerEncoding.Raw));
            int first = Living();
            foreach (int pictures in new[] { 3, 1, 7 })
            {
                Assert.That(_renderer.Render(Call(16, pictures, PlayerEncoding.Raw)).Count, Is.EqualTo(pictures));
                Assert.That(Living(), Is.EqualTo(first));
            }
        }

        [Test]
        public void ADestroyedRendererLeavesNothing()
        {
            _renderer.Render(Call(16, 2, PlayerEncoding.Png));
            Assert.That(Living(), Is.GreaterThan(_before + 2));
            _renderer.Destroy();
            Assert.That(Living(), Is.EqualTo(_before));
        }

        [Test]
        public void AFailedReadbackLeavesNoMesh()
        {
            _renderer.Destroy();
            _renderer = new PictureRenderer(
                new UnityWorld(null, false), new Material(null), new Material(null), new LayerReadback());
            Assert.Throws<InvalidOperationException>(() => _renderer.Render(Call(16, 1, PlayerEncoding.Raw)));
            Assert.That(Resources.FindObjectsOfTypeAll<Mesh>(), Is.Empty);
            _renderer.Destroy();
            Assert.That(Living(), Is.EqualTo(_before));
        }

        [Test]
        public void EachLayerIsReadInItsPlace([Values(true, false)] bool supported)
        {
            AsyncReadbacks.Supported = supported;
            _renderer.Destroy();
            _renderer = new PictureRenderer(
                new UnityWorld(null, false), new Material(null), new Material(null), LayerReadback.ForDevice());
            IReadOnlyList<PlayerPicture> pictures = _renderer.Render(Call(16, 2, PlayerEncoding.Raw));
            // Colours, ids and distances of the first picture, then of the second.
            Assert.That(pictures.Select(picture => (int)picture.Rgb[0]), Is.EqualTo(new[] { 1, 4 }));
            Assert.That(pictures.Select(picture => (int)picture.Ids[0]), Is.EqualTo(new[] { 2, 5 }));
            Assert.That(pictures.Select(picture => (int)picture.Depth[0]), Is.EqualTo(new[] { 3, 6 }));
        }

        private static int Living() => Resources.FindObjectsOfTypeAll<UnityEngine.Object>().Length;

        private static GalleryCall Call(int size, int pictures, PlayerEncoding encoding)
        {
            double[] fromAbove = { 1.0 / 8.0, 0, 0, 0, 0, 1.0 / 8.0, 0, 0, 0, 0, -1.0 / 50.0, 0, 0, 0, 0, 1 };
            var camera = new PlayerCamera("above", fromAbove, new double[] { 0, 0, -1, 25 });
            var exhibit = new Exhibit(StageScenes.BarAndCube(), new[] { camera }, new BodyTransform[0]);
            return new GalleryCall(
                Enumerable.Repeat(exhibit, pictures).ToList(), size, encoding, new PlayerPass[0]);
        }
    }
}
