using System;
using System.Collections.Generic;
using System.Reflection;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Luban.Engine
{
    /// <summary>The native halves of the engine's objects: their numbers, their names, and whether they live.</summary>
    internal static class Natives
    {
        private static readonly FieldInfo Pointer = FieldOf(typeof(Object), "m_CachedPtr");
        private static readonly FieldInfo Number = FieldOf(typeof(Object), "m_InstanceID");
        private static readonly Dictionary<int, Object> Alive = new Dictionary<int, Object>();
        private static readonly Dictionary<int, string> Names = new Dictionary<int, string>();
        private static readonly List<Object> Doomed = new List<Object>();
        private static int _last;

        /// <summary>A field of the engine that no code but its own may see.</summary>
        public static FieldInfo FieldOf(Type type, string name) =>
            type.GetField(name, BindingFlags.Instance | BindingFlags.NonPublic)
            ?? throw new MissingFieldException(type.FullName, name);

        /// <summary>Begins the life of an object.</summary>
        public static void Bear(Object born, string name)
        {
            Number.SetValue(born, ++_last);
            Pointer.SetValue(born, new IntPtr(_last));
            Alive.Add(_last, born);
            Names.Add(_last, name);
        }

        public static bool Lives(int number) => Alive.ContainsKey(number);

        public static Object Find(int number) => Alive.TryGetValue(number, out Object found) ? found : null;

        public static string NameOf(Object named) => Names[named.GetInstanceID()];

        public static void Rename(Object named, string name) => Names[named.GetInstanceID()] = name;

        /// <summary>Ends the life of an object at the end of the frame.</summary>
        public static void Doom(Object doomed) => Doomed.Add(doomed);

        /// <summary>Ends the life of an object, and of what belongs to it.</summary>
        public static void End(Object ended)
        {
            if (ended is GameObject holder)
            {
                Holding.Of(holder).End();
            }
            else if (ended is Component component)
            {
                Holding.Of(component).Drop(component);
            }
            Bury(ended);
        }

        /// <summary>Forgets an object of which nothing is left.</summary>
        public static void Bury(Object ended)
        {
            int number = ended.GetHashCode();
            Pointer.SetValue(ended, IntPtr.Zero);
            Alive.Remove(number);
            Names.Remove(number);
        }

        /// <summary>Ends what is doomed.</summary>
        public static void EndTheDoomed()
        {
            foreach (Object doomed in Doomed.ToArray())
            {
                if (doomed != null)
                {
                    End(doomed);
                }
            }
            Doomed.Clear();
        }
    }
}
