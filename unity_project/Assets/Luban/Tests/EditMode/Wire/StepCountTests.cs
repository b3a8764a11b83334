using Luban.Wire;
using NUnit.Framework;

namespace Luban.Tests
{
    /// <summary>In the orders in which ML-Agents calls an agent.</summary>
    public sealed class StepCountTests
    {
        [Test]
        public void EachActionAfterALookIsAStep()
        {
            var count = new StepCount();
            count.Begin();
            for (int steps = 0; steps < 3; steps++)
            {
                Assert.That(count.Look(), Is.EqualTo(steps));
                count.Act();
            }
        }

        [Test]
        public void TheActionInTheExchangeOfAResetIsNone()
        {
            var count = new StepCount();
            count.Begin();
            count.Look();
            count.Act();
            count.Look();
            count.Begin();
            count.Act();
            Assert.That(count.Look(), Is.EqualTo(0));
        }
    }
}
