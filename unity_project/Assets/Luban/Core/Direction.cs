namespace Luban.Core
{
    /// <summary>One of the six directions of the lattice, numbered as on the wire.</summary>
    public enum Direction
    {
        PlusX = 1,
        MinusX = 2,
        PlusY = 3,
        MinusY = 4,
        PlusZ = 5,
        MinusZ = 6,
    }
}
