using Luban.Core;

namespace Luban.Wire
{
    /// <summary>What came of the motions.</summary>
    public sealed class ReportAnswer : PlayerAnswer
    {
        public ReportAnswer(Report report)
        {
            Report = report;
        }

        public Report Report { get; }
    }
}
