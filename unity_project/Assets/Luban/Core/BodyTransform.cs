namespace Luban.Core
{
    /// <summary>Where a body is, in the engine.</summary>
    public readonly struct BodyTransform
    {
        public BodyTransform(string name, RigidTransform transform)
        {
            Name = name;
            Transform = transform;
        }

        public string Name { get; }

        public RigidTransform Transform { get; }
    }
}
