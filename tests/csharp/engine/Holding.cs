using System;
using System.Collections.Generic;
using System.Linq;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Luban.Engine
{
    /// <summary>The native half of a game object: its components, and its place among others.</summary>
    internal sealed class Holding
    {
        private static readonly Dictionary<int, Holding> ByNumber = new Dictionary<int, Holding>();

        private readonly List<Component> _components = new List<Component>();
        private Holding _parent;

        private Holding(GameObject holder)
        {
            Holder = holder;
        }

        public GameObject Holder { get; }

        /// <summary>What it says of itself.</summary>
        public bool Active { get; private set; } = true;

        public bool ActiveInHierarchy => Active && (_parent == null || _parent.ActiveInHierarchy);

        public IReadOnlyList<Component> Components => _components;

        public List<Holding> Children { get; } = new List<Holding>();

        public Holding Parent
        {
            get => _parent;
            set
            {
                _parent?.Children.Remove(this);
                _parent = value;
                _parent?.Children.Add(this);
            }
        }

        public Vector3 LocalPosition { get; set; }

        public Quaternion LocalRotation { get; set; } = Quaternion.identity;

        public Quaternion Rotation
        {
            get => _parent == null ? LocalRotation : _parent.Rotation * LocalRotation;
            set => LocalRotation = _parent == null ? value : Quaternion.Inverse(_parent.Rotation) * value;
        }

        public Vector3 Position
        {
            get => _parent == null ? LocalPosition : _parent.ToWorld(LocalPosition);
            set => LocalPosition = _parent == null
                ? value
                : Quaternion.Inverse(_parent.Rotation) * (value - _parent.Position);
        }

        public static Holding Of(GameObject holder) => ByNumber[holder.GetInstanceID()];

        public static Holding Of(Component component) => ByNumber[component.GetInstanceID()];

        public static void Create(GameObject holder, string name)
        {
            Natives.Bear(holder, name);
            var holding = new Holding(holder);
            ByNumber.Add(holder.GetInstanceID(), holding);
            holding.Add(typeof(Transform));
        }

        public Vector3 ToWorld(Vector3 point) => Position + Rotation * point;

        public Component Add(Type type)
        {
            foreach (Type needed in Needs(type).Where(needed => First(needed) == null))
            {
                Add(needed);
            }
            var component = (Component)Activator.CreateInstance(type, true);
            Natives.Bear(component, null);
            ByNumber.Add(component.GetInstanceID(), this);
            _components.Add(component);
            if (component is MonoBehaviour behaviour)
            {
                Life.Of(behaviour).Look();
            }
            return component;
        }

        public Component First(Type type) => _components.FirstOrDefault(type.IsInstanceOfType);

        public void SetActive(bool active)
        {
            Active = active;
            Look();
        }

        public void Drop(Component component)
        {
            if (component is MonoBehaviour behaviour)
            {
                Life.Of(behaviour).End();
            }
            _components.Remove(component);
            ByNumber.Remove(component.GetHashCode());
        }

        /// <summary>Ends its children, and its components.</summary>
        public void End()
        {
            foreach (Holding child in Children.ToArray())
            {
                Natives.End(child.Holder);
            }
            Parent = null;
            foreach (Component component in _components.ToArray())
            {
                Drop(component);
                Natives.Bury(component);
            }
            ByNumber.Remove(Holder.GetHashCode());
        }

        private static IEnumerable<Type> Needs(Type type) =>
            type.GetCustomAttributes(typeof(RequireComponent), true).Cast<RequireComponent>()
                .SelectMany(need => new[] { need.m_Type0, need.m_Type1, need.m_Type2 })
                .Where(needed => needed != null);

        private void Look()
        {
            foreach (MonoBehaviour behaviour in _components.OfType<MonoBehaviour>().ToArray())
            {
                Life.Of(behaviour).Look();
            }
            Children.ToList().ForEach(child => child.Look());
        }
    }
}
