using System.Threading;
using UnityEngine;

namespace Luban.Engine
{
    [StandsFor("UnityEngine.Object")]
    internal static class ObjectNatives
    {
        private static readonly Thread Main = Thread.CurrentThread;

        public static bool CurrentThreadIsMainThread() => Thread.CurrentThread == Main;

        public static string GetName(Object self) => self is Component part
            ? Natives.NameOf(Holding.Of(part).Holder)
            : Natives.NameOf(self);

        public static void SetName(Object self, string name) =>
            Natives.Rename(self is Component part ? Holding.Of(part).Holder : self, name);

        public static string ToString(Object self) => GetName(self) + " (" + self.GetType().FullName + ")";

        public static bool DoesObjectWithInstanceIDExist(int number) => Natives.Lives(number);

        public static Object FindObjectFromInstanceID(int number) => Natives.Find(number);

        public static void Destroy(Object self, float seconds) => Natives.Doom(self);

        public static void DestroyImmediate(Object self, bool assetsToo) => Natives.End(self);

        public static void DontDestroyOnLoad(Object self)
        {
        }

        public static void set_hideFlags(Object self, HideFlags flags)
        {
        }
    }
}
