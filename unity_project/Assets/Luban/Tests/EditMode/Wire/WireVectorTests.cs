using System;
using System.Collections.Generic;
using System.Linq;
using Luban.Core;
using Luban.Wire;
using NUnit.Framework;

namespace Luban.Tests
{
    /// <summary>The codec and the session do as Python does; see tools/gen_wire_vectors.py.</summary>
    public sealed class WireVectorTests
    {
        private static readonly FilmFrame[] NoFilm = new FilmFrame[0];

        public static IEnumerable<string> Requests() => Lines("requests.json");

        public static IEnumerable<string> Responses() => Lines("responses.json");

        public static IEnumerable<string> Talks() =>
            Golden.Read("wire", "talks.json").Members.Keys.OrderBy(name => name);

        [TestCaseSource("Requests")]
        public void ARequestIsReadAndWrittenByteForByte(string line)
        {
            PlayerRequest request = PlayerMessages.ReadRequest(Convert.FromBase64String(line));
            Assert.That(Convert.ToBase64String(PlayerMessages.Write(request)), Is.EqualTo(line));
        }

        [TestCaseSource("Responses")]
        public void AResponseIsReadAndWrittenByteForByte(string line)
        {
            PlayerResponse response = PlayerMessages.ReadResponse(Convert.FromBase64String(line));
            Assert.That(Convert.ToBase64String(PlayerMessages.Write(response)), Is.EqualTo(line));
        }

        [TestCaseSource("Talks")]
        public void AConversationGoesAsWithPython(string name)
        {
            var session = new PlayerSession(new LatticeWorld(), null);
            foreach (JsonValue pair in Golden.Read("wire", "talks.json")[name].Items)
            {
                byte[] answer = session.Answer(Convert.FromBase64String(pair[0].Text));
                PlayerResponse response = PlayerMessages.ReadResponse(answer);
                var bare = new PlayerResponse(response.Id, response.Digest, Bare(response.Answer));
                string line = Convert.ToBase64String(PlayerMessages.Write(bare));
                Assert.That(line, Is.EqualTo(pair[1].Text), "request " + response.Id);
            }
        }

        private static IEnumerable<string> Lines(string file) =>
            Golden.Read("wire", file).Items.Select(item => item.Text);

        /// <summary>What two players must agree on: neither films nor words.</summary>
        private static PlayerAnswer Bare(PlayerAnswer answer)
        {
            if (answer is ReportAnswer report)
            {
                return new ReportAnswer(report.Report.Seen(report.Report.Measured, report.Report.Fallen, NoFilm));
            }
            if (answer is FailedAnswer failed)
            {
                return new FailedAnswer(failed.Error, "");
            }
            return answer is IdentityAnswer identity
                ? new IdentityAnswer(identity.Protocol, "", identity.Graphics)
                : answer;
        }
    }
}
