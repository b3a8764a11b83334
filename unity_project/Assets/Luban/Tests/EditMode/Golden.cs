using System.IO;
using NUnit.Framework;

namespace Luban.Tests
{
    /// <summary>The vectors in <c>tests/golden</c>, above the folder in which the tests run.</summary>
    internal static class Golden
    {
        public static string Folder(string name)
        {
            for (var at = new DirectoryInfo(Directory.GetCurrentDirectory()); at != null; at = at.Parent)
            {
                string folder = Path.Combine(at.FullName, "tests", "golden", name);
                if (Directory.Exists(folder))
                {
                    return folder;
                }
            }
            throw new AssertionException("no tests/golden/" + name + " above " + Directory.GetCurrentDirectory());
        }

        public static JsonValue Read(string folder, string name) =>
            JsonValue.Parse(File.ReadAllText(Path.Combine(Folder(folder), name)));
    }
}
