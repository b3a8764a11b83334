using System.Collections.Generic;
using System.IO;
using System.Linq;
using Luban.Core;
using NUnit.Framework;

namespace Luban.Tests
{
    /// <summary>The core answers as Python's exact world does; see tools/gen_vectors.py.</summary>
    public sealed class LatticeVectorTests
    {
        private const string Stranger = "nobody";

        public static IEnumerable<string> Scenes() =>
            Directory.GetFiles(Golden.Folder("lattice"), "*.json").Select(Path.GetFileName).OrderBy(name => name);

        [TestCaseSource("Scenes")]
        public void AnswersAsPythonDoes(string scene)
        {
            JsonValue vectors = Golden.Read("lattice", scene);
            Scene built = ReadScene(vectors["scene"]);
            var world = new LatticeWorld();
            world.Reset(built);
            Assert.That(world.Digest.ToString("x16"), Is.EqualTo(vectors["digest"].Text));
            int line = 0;
            foreach (JsonValue step in vectors["steps"].Items)
            {
                line++;
                string expected = Line(step[1].Text, step[2].Int, step[3].Items.Select(i => built.Bodies[i.Int].Name));
                Assert.That(Perform(world, built, step), Is.EqualTo(expected), "step " + line);
                Assert.That(world.Digest.ToString("x16"), Is.EqualTo(step[4].Text), "step " + line);
            }
        }

        [Test]
        public void ThereAreTenThousandMotionsInThirtyScenes()
        {
            List<JsonValue> all = Scenes().Select(scene => Golden.Read("lattice", scene)).ToList();
            Assert.That(all.Count, Is.GreaterThanOrEqualTo(30));
            int motions = all.Sum(vectors => vectors["steps"].Items.Sum(step => step[0].Items.Count));
            Assert.That(motions, Is.GreaterThanOrEqualTo(10000));
        }

        [Test]
        public void ThereAreTenThousandTurnsOfBothKinds()
        {
            List<JsonValue> turns = Scenes()
                .SelectMany(scene => Golden.Read("lattice", scene)["steps"].Items)
                .SelectMany(step => step[0].Items)
                .Where(motion => motion[0].Int == 2)
                .ToList();
            Assert.That(turns.Count, Is.GreaterThanOrEqualTo(10000));
            Assert.That(turns.Count(turn => turn[5].Bool), Is.GreaterThanOrEqualTo(2000));
        }

        private static string Perform(LatticeWorld world, Scene scene, JsonValue step)
        {
            if (step[1].Text == "reset")
            {
                world.Reset(scene);
                return Line("reset", 0, new string[0]);
            }
            try
            {
                Report report = world.Execute(step[0].Items.Select(line => ReadMotion(scene, line)).ToList());
                return Line(report.Completed ? "free" : "blocked", report.Travel, report.Contacts);
            }
            catch (LatticeException refusal)
            {
                string verdict = refusal.Error == LatticeError.UnknownBody ? "unknown" : "invalid";
                return Line(verdict, 0, new string[0]);
            }
        }

        private static string Line(string verdict, int travel, IEnumerable<string> contacts) =>
            verdict + " " + travel + " " + string.Join(",", contacts.ToArray());

        private static Scene ReadScene(JsonValue scene)
        {
            Block? table = null;
            if (!scene["table"].IsNull)
            {
                var corner = new Cell(0, 0, scene["table"].Int);
                table = new Block(corner, corner);
            }
            return new Scene(scene["bodies"].Items.Select(ReadBody).ToList(), default(Block), table);
        }

        private static Body ReadBody(JsonValue body)
        {
            var cells = new List<Cell>();
            IReadOnlyList<JsonValue> numbers = body["cells"].Items;
            for (int i = 0; i < numbers.Count; i += 3)
            {
                cells.Add(new Cell(numbers[i].Int, numbers[i + 1].Int, numbers[i + 2].Int));
            }
            return new Body(body["name"].Text, Shape.Of(cells), ReadPose(body["pose"], 0), 0, body["loose"].Bool);
        }

        private static LatticePose ReadPose(JsonValue line, int at) => new LatticePose(
            new Rotation(line[at].Int), new Cell(line[at + 1].Int, line[at + 2].Int, line[at + 3].Int));

        private static BodyMotion ReadMotion(Scene scene, JsonValue line)
        {
            IEnumerable<string> names = line[1].Items.Select(index => NameOf(scene, index.Int));
            if (line[0].Int == 1)
            {
                return new Carry(names, line[2].Items.Select(ReadLeg), line[3].Bool);
            }
            if (line[0].Int == 2)
            {
                JsonValue at = line[3];
                var centre = new Cell(at[0].Int, at[1].Int, at[2].Int);
                return new Turn(names, (LatticeAxis)line[2].Int, centre, line[4].Int, line[5].Bool);
            }
            return new Sweep(names, (Direction)line[2].Int, line[3].Int);
        }

        private static Leg ReadLeg(JsonValue line)
        {
            if (line.Items.Count == 2)
            {
                return new Shift((Direction)line[0].Int, line[1].Int);
            }
            LatticePose turn = ReadPose(line, 0);
            return new Spin(turn.Rotation, turn.Offset);
        }

        private static string NameOf(Scene scene, int index) => index < 0 ? Stranger : scene.Bodies[index].Name;
    }
}
