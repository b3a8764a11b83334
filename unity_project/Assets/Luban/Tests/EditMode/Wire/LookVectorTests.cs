using System;
using System.Collections.Generic;
using System.Linq;
using Luban.Core;
using Luban.Wire;
using NUnit.Framework;

namespace Luban.Tests
{
    /// <summary>What is worked out before anything is drawn is as in Python; see tools/gen_look_vectors.py.</summary>
    public sealed class LookVectorTests
    {
        public static IEnumerable<int> Looks() =>
            Enumerable.Range(0, Golden.Read("looks", "looks.json").Items.Count);

        [TestCaseSource("Looks")]
        public void FacesBendAndOpenAsInPython(int number)
        {
            Scene scene = Exhibit(number).Scene;
            int[][][] expected = Look(number)["faces"].Items
                .Select(faces => faces.Items.Select(face => face.Items.Select(n => n.Int).ToArray()).ToArray())
                .ToArray();
            for (int i = 0; i < expected.Length; i++)
            {
                IEnumerable<int[]> faces = Skin.Of(scene.Bodies[i].Shape).Select(Numbers);
                int[][] found = faces.OrderBy(face => face, new ByNumbers()).ToArray();
                Assert.That(found, Is.EqualTo(expected[i]), scene.Bodies[i].Name);
            }
        }

        [TestCaseSource("Looks")]
        public void TheSunStandsAsInPython(int number)
        {
            IReadOnlyList<Body> bodies = Exhibit(number).Scene.Bodies;
            Sunlight light = Sunlight.Around(bodies, bodies.Select(body => RigidTransform.Of(body.Pose)).ToList());
            Same(light.Matrix.Concat(new[] { light.Width }), Look(number)["light"]);
        }

        [TestCaseSource("Looks")]
        public void RaysGroundAndLinesAreAsInPython(int number)
        {
            Exhibit exhibit = Exhibit(number);
            JsonValue[] expected = Look(number)["cameras"].Items.ToArray();
            for (int i = 0; i < expected.Length; i++)
            {
                var rays = new CameraRays(exhibit.Cameras[i]);
                Same(rays.Origins.Concat(rays.Ways).SelectMany(row => row), expected[i]["rays"]);
                Ground ground = Ground.Under(exhibit.Scene, rays.Eye[2]);
                Same(new[] { ground.X, ground.Y, ground.Height, ground.Radius }, expected[i]["ground"]);
                Container box = exhibit.Scene.Container;
                var lines = box == null ? new List<BoxLine>() : BoxLine.Of(box, rays.Eye).ToList();
                Assert.That(lines.Count, Is.EqualTo(expected[i]["lines"].Items.Count));
                // Which of the lines of a side comes first does not matter.
                var ours = lines.Select(line => Key(line.Start.Concat(line.End))).OrderBy(key => key);
                var theirs = expected[i]["lines"].Items.Select(line => Key(line.Items.Select(n => n.Number)));
                Assert.That(ours, Is.EqualTo(theirs.OrderBy(key => key)));
            }
        }

        [Test]
        public void AMatrixOfNoCameraIsRefused() => Assert.Throws<LatticeException>(
            () => new CameraRays(new PlayerCamera("flat", Enumerable.Repeat(1.0, 16).ToArray())));

        private static JsonValue Look(int number) => Golden.Read("looks", "looks.json")[number];

        private static Exhibit Exhibit(int number)
        {
            byte[] request = Convert.FromBase64String(Look(number)["request"].Text);
            return ((GalleryCall)PlayerMessages.ReadRequest(request).Call).Exhibits[0];
        }

        private static int[] Numbers(Skin skin)
        {
            Cell cell = skin.Face.Cell;
            return new[] { cell.X, cell.Y, cell.Z, (int)skin.Face.Direction, skin.Edges, skin.Openness };
        }

        private static void Same(IEnumerable<double> found, JsonValue expected) =>
            Assert.That(found.ToArray(), Is.EqualTo(expected.Items.Select(n => n.Number).ToArray()).Within(1e-6));

        private static string Key(IEnumerable<double> numbers) =>
            string.Join(" ", numbers.Select(n => Math.Round(2.0 * n).ToString()).ToArray());

        private sealed class ByNumbers : IComparer<int[]>
        {
            public int Compare(int[] a, int[] b)
            {
                int at = 0;
                while (at < a.Length - 1 && a[at] == b[at])
                {
                    at++;
                }
                return a[at].CompareTo(b[at]);
            }
        }
    }
}
