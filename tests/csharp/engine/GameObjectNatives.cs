using System;
using System.Collections.Generic;
using System.Linq;
using UnityEngine;

namespace Luban.Engine
{
    [StandsFor("UnityEngine.GameObject")]
    internal static class GameObjectNatives
    {
        public static void Internal_CreateGameObject(GameObject self, string name) => Holding.Create(self, name);

        public static Component Internal_AddComponentWithType(GameObject self, Type type) => Holding.Of(self).Add(type);

        public static Transform get_transform(GameObject self) => (Transform)Holding.Of(self).First(typeof(Transform));

        public static bool get_activeSelf(GameObject self) => Holding.Of(self).Active;

        public static bool get_activeInHierarchy(GameObject self) => Holding.Of(self).ActiveInHierarchy;

        public static void SetActive(GameObject self, bool active) => Holding.Of(self).SetActive(active);

        public static Component GetComponent(GameObject self, Type type) => Holding.Of(self).First(type);

        public static T GetComponent<T>(GameObject self) => (T)(object)Holding.Of(self).First(typeof(T));

        public static bool TryGetComponent<T>(GameObject self, out T found)
        {
            found = GetComponent<T>(self);
            return found != null;
        }

        public static Array GetComponentsInternal(
            GameObject self, Type type, bool typed, bool deep, bool inactive, bool reverse, object list)
        {
            List<Component> found = Under(Holding.Of(self), type, deep, inactive).ToList();
            if (list != null)
            {
                var wanted = (System.Collections.IList)list;
                wanted.Clear();
                found.ForEach(each => wanted.Add(each));
                return null;
            }
            Array all = Array.CreateInstance(typed ? type : typeof(Component), found.Count);
            found.ToArray().CopyTo(all, 0);
            return all;
        }

        private static IEnumerable<Component> Under(Holding holding, Type type, bool deep, bool inactive) =>
            holding.Components.Where(type.IsInstanceOfType).Concat(
                holding.Children
                    .Where(child => deep && (inactive || child.ActiveInHierarchy))
                    .SelectMany(child => Under(child, type, deep, inactive)));
    }
}
