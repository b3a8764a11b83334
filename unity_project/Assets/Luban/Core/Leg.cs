namespace Luban.Core
{
    /// <summary>A part of the way on which bodies are carried: a <see cref="Shift"/> or a <see cref="Spin"/>.</summary>
    public abstract class Leg
    {
        private protected Leg()
        {
        }

        /// <summary>Where a body gets.</summary>
        public abstract LatticePose Of(LatticePose pose);

        /// <summary>Where a block of cells gets.</summary>
        public abstract Block Of(Block block);
    }
}
