using System;
using System.Collections.Generic;

namespace Luban.Editor
{
    /// <summary>What the command line asks of a build; the Editor's own arguments are passed over.</summary>
    internal sealed class BuildArguments
    {
        private const string Ending = ".x86_64";

        private BuildArguments(string output, bool development)
        {
            Output = output.EndsWith(Ending, StringComparison.Ordinal) ? output : output + Ending;
            Development = development;
        }

        /// <summary>
        /// <c>-lubanOutput PATH</c>, or <c>-customBuildPath PATH</c> as GameCI says it: where the
        /// executable goes. It gets the ending .x86_64 where it has none: ML-Agents looks for that.
        /// </summary>
        public string Output { get; }

        /// <summary><c>-lubanDevelopment</c>: with symbols and the profiler.</summary>
        public bool Development { get; }

        /// <exception cref="ArgumentException">A value is missing, or an argument is not known.</exception>
        public static BuildArguments Read(IReadOnlyList<string> arguments, string defaultOutput)
        {
            string output = defaultOutput;
            bool development = false;
            for (int i = 0; i < arguments.Count; i++)
            {
                switch (arguments[i])
                {
                    case "-lubanOutput":
                    case "-customBuildPath":
                        output = ValueAfter(arguments, i++);
                        break;
                    case "-lubanDevelopment":
                        development = true;
                        break;
                    default:
                        Refuse(arguments[i]);
                        break;
                }
            }
            return new BuildArguments(output, development);
        }

        private static string ValueAfter(IReadOnlyList<string> arguments, int at)
        {
            if (at + 1 >= arguments.Count || arguments[at + 1].StartsWith("-", StringComparison.Ordinal))
            {
                throw new ArgumentException(arguments[at] + " needs a path after it");
            }
            return arguments[at + 1];
        }

        private static void Refuse(string argument)
        {
            if (argument.StartsWith("-luban", StringComparison.Ordinal))
            {
                throw new ArgumentException(
                    "unknown argument " + argument + "; there are -lubanOutput PATH and -lubanDevelopment");
            }
        }
    }
}
