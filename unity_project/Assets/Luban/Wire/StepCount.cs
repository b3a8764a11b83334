namespace Luban.Wire
{
    /// <summary>
    /// How many steps an agent has made since it was last reset. ML-Agents lets it act once more in the
    /// exchange that resets it; that is no step, as it has not been looked at since.
    /// </summary>
    public sealed class StepCount
    {
        private int _steps;
        private bool _seen;

        /// <summary>An episode begins.</summary>
        public void Begin()
        {
            _steps = 0;
            _seen = false;
        }

        /// <summary>What the agent sees before it acts.</summary>
        public int Look()
        {
            _seen = true;
            return _steps;
        }

        /// <summary>The agent acts.</summary>
        public void Act()
        {
            _steps += _seen ? 1 : 0;
            _seen = false;
        }
    }
}
