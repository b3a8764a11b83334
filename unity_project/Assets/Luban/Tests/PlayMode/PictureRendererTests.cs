using System;
using System.Linq;
using Luban.Core;
using Luban.Runtime;
using Luban.Wire;
using NUnit.Framework;
using UnityEngine;
using UnityEngine.Rendering;

namespace Luban.Tests
{
    /// <summary>Seen from straight above, 16 by 16 units around the origin in 32 by 32 pixels.</summary>
    [Category("Graphics")]
    public sealed class PictureRendererTests
    {
        private const int Size = 32;

        private UnityWorld _world;
        private PictureRenderer _renderer;

        [SetUp]
        public void BuildABarAndACube()
        {
            if (SystemInfo.graphicsDeviceType == GraphicsDeviceType.Null)
            {
                // Failing, not ignoring: a run that draws nothing must not look like one that passed.
                Assert.Fail("there is no graphics device: start the Editor without -nographics");
            }
            _world = new UnityWorld(null, false);
            _world.Reset(StageScenes.BarAndCube());
            _renderer = new PictureRenderer(
                _world, Load("Luban/Picture"), Load("Luban/Screen"), LayerReadback.ForDevice());
        }

        [TearDown]
        public void Clear()
        {
            _renderer?.Destroy();
            _world?.Destroy();
        }

        [Test]
        public void BodiesAreSeenWhereTheyAre()
        {
            PlayerPicture picture = Draw(PlayerEncoding.Raw);
            Assert.That(IdAt(picture, 0, 0), Is.EqualTo(1));
            Assert.That(IdAt(picture, 3, 0), Is.EqualTo(1));
            Assert.That(IdAt(picture, 5, 0), Is.EqualTo(0));
            Assert.That(IdAt(picture, 7, 0), Is.EqualTo(2));
            Assert.That(IdAt(picture, 0, 3), Is.EqualTo(0));
            Assert.That(IdAt(picture, 0, -3), Is.EqualTo(0));
        }

        [Test]
        public void NothingIsInfinitelyFar()
        {
            PlayerPicture picture = Draw(PlayerEncoding.Raw);
            Assert.That(float.IsPositiveInfinity(BitConverter.ToSingle(picture.Depth, 4 * Pixel(5, 0))));
            Assert.That(BitConverter.ToSingle(picture.Depth, 4 * Pixel(0, 0)), Is.EqualTo(24.5f).Within(1e-3f));
        }

        [Test]
        public void ColoursAreTheBodies()
        {
            byte[] rgb = Draw(PlayerEncoding.Raw).Rgb;
            int red = 3 * Pixel(0, 0), blue = 3 * Pixel(7, 0);
            Assert.That(rgb[red], Is.GreaterThan(100));
            Assert.That(rgb[red + 2], Is.LessThan(30));
            Assert.That(rgb[blue + 2], Is.GreaterThan(100));
            Assert.That(rgb[blue], Is.LessThan(30));
        }

        [Test]
        public void APngIsOne() =>
            Assert.That(Draw(PlayerEncoding.Png).Rgb.Take(4), Is.EqualTo(new byte[] { 0x89, 0x50, 0x4e, 0x47 }));

        [Test]
        public void NormalsLookUp()
        {
            PlayerPicture picture = Draw(PlayerEncoding.Raw, PlayerPass.Normals);
            int at = 12 * Pixel(0, 0);
            Assert.That(picture.Normals.Length, Is.EqualTo(12 * Size * Size));
            Assert.That(BitConverter.ToSingle(picture.Normals, at + 8), Is.EqualTo(1f).Within(1e-4f));
            Assert.That(BitConverter.ToSingle(picture.Normals, 12 * Pixel(5, 0) + 8), Is.EqualTo(0f));
        }

        [Test]
        public void AGalleryShowsOtherScenesAndLeavesThisOne()
        {
            RenderCall own = Call(PlayerEncoding.Raw);
            var alone = new Scene(new[] { StageScenes.BarAndCube().Bodies[1] }, default(Block), null);
            var exhibit = new Exhibit(alone, own.Cameras, new BodyTransform[0]);
            var call = new GalleryCall(new[] { exhibit, exhibit }, Size, PlayerEncoding.Raw, new PlayerPass[0]);
            foreach (PlayerPicture picture in _renderer.Render(call))
            {
                Assert.That(IdAt(picture, 7, 0), Is.EqualTo(1));
                Assert.That(IdAt(picture, 0, 0), Is.EqualTo(0));
            }
            Assert.That(IdAt(Draw(PlayerEncoding.Raw), 7, 0), Is.EqualTo(2));
        }

        [Test]
        public void WhatIsNotWantedIsLeftOut()
        {
            PlayerPicture picture = Draw(PlayerEncoding.Raw, PlayerPass.Depth);
            Assert.That(picture.Rgb, Is.Empty);
            Assert.That(picture.Ids, Is.Empty);
            Assert.That(float.IsPositiveInfinity(BitConverter.ToSingle(picture.Depth, 4 * Pixel(5, 0))));
        }

        private static Material Load(string shader) => new Material(Resources.Load<Shader>(shader));

        /// <summary>The pixel over the middle of a cell; the top row is y = 8.</summary>
        private static int Pixel(int x, int y) => (Size / 2 - 1 - 2 * y) * Size + Size / 2 + 2 * x;

        private static int IdAt(PlayerPicture picture, int x, int y) =>
            BitConverter.ToUInt16(picture.Ids, 2 * Pixel(x, y));

        private PlayerPicture Draw(PlayerEncoding encoding, params PlayerPass[] passes) =>
            _renderer.Render(Call(encoding, passes)).Single();

        private static RenderCall Call(PlayerEncoding encoding, params PlayerPass[] passes)
        {
            double[] fromAbove =
            {
                1.0 / 8.0, 0, 0, 0,
                0, 1.0 / 8.0, 0, 0,
                0, 0, -1.0 / 50.0, 0,
                0, 0, 0, 1,
            };
            double[] fromTwentyFive = { 0, 0, -1, 25 };
            var camera = new PlayerCamera("above", fromAbove, fromTwentyFive);
            return new RenderCall(new[] { camera }, Size, encoding, new BodyTransform[0], passes);
        }
    }
}
