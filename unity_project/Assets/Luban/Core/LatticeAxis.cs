namespace Luban.Core
{
    /// <summary>One of the three axes of the lattice; numbered as in scene.proto.</summary>
    public enum LatticeAxis
    {
        X = 1,
        Y = 2,
        Z = 3,
    }
}
