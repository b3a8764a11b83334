// The parts of the Unity Test Framework that the project uses, as declarations: to check types
// against, never to run.
using System;

namespace UnityEngine.TestTools
{
    [AttributeUsage(AttributeTargets.Method)]
    public sealed class UnityTestAttribute : NUnit.Framework.TestAttribute
    {
    }
}
