using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace Luban.Tests
{
    /// <summary>Just enough JSON to read the vectors: no escapes but \" \\ and \uXXXX.</summary>
    internal sealed class JsonValue
    {
        private readonly object _value;

        private JsonValue(object value)
        {
            _value = value;
        }

        public bool IsNull => _value == null;

        public bool Bool => (bool)_value;

        public double Number => _value is long ? (long)_value : (double)_value;

        public int Int => checked((int)(long)_value);

        public string Text => (string)_value;

        public IReadOnlyList<JsonValue> Items => (List<JsonValue>)_value;

        public IReadOnlyDictionary<string, JsonValue> Members => (Dictionary<string, JsonValue>)_value;

        public JsonValue this[string name] => Members[name];

        public JsonValue this[int index] => Items[index];

        public static JsonValue Parse(string text)
        {
            int at = 0;
            JsonValue value = Read(text, ref at);
            Skip(text, ref at);
            return at == text.Length ? value : throw new FormatException("more than one value");
        }

        private static JsonValue Read(string text, ref int at)
        {
            Skip(text, ref at);
            switch (text[at])
            {
                case '{':
                    return new JsonValue(ReadObject(text, ref at));
                case '[':
                    return new JsonValue(ReadArray(text, ref at));
                case '"':
                    return new JsonValue(ReadText(text, ref at));
                default:
                    return new JsonValue(ReadWord(text, ref at));
            }
        }

        private static object ReadWord(string text, ref int at)
        {
            int start = at;
            while (at < text.Length && (char.IsLetterOrDigit(text[at]) || "+-.".IndexOf(text[at]) >= 0))
            {
                at++;
            }
            string word = text.Substring(start, at - start);
            switch (word)
            {
                case "null":
                    return null;
                case "true":
                    return true;
                case "false":
                    return false;
                default:
                    return word.IndexOfAny(new[] { '.', 'e' }) >= 0
                        ? (object)double.Parse(word, CultureInfo.InvariantCulture)
                        : long.Parse(word, CultureInfo.InvariantCulture);
            }
        }

        private static List<JsonValue> ReadArray(string text, ref int at)
        {
            var items = new List<JsonValue>();
            at++;
            while (!Ends(text, ref at, ']'))
            {
                items.Add(Read(text, ref at));
            }
            return items;
        }

        private static Dictionary<string, JsonValue> ReadObject(string text, ref int at)
        {
            var members = new Dictionary<string, JsonValue>();
            at++;
            while (!Ends(text, ref at, '}'))
            {
                string name = ReadText(text, ref at);
                Skip(text, ref at);
                Expect(text, ref at, ':');
                members.Add(name, Read(text, ref at));
            }
            return members;
        }

        /// <summary>Whether a list ends here; else steps over the comma between two members.</summary>
        private static bool Ends(string text, ref int at, char end)
        {
            Skip(text, ref at);
            if (text[at] == end)
            {
                at++;
                return true;
            }
            if (text[at] == ',')
            {
                at++;
                Skip(text, ref at);
            }
            return false;
        }

        private static string ReadText(string text, ref int at)
        {
            var result = new StringBuilder();
            Expect(text, ref at, '"');
            while (text[at] != '"')
            {
                result.Append(text[at] == '\\' ? ReadEscape(text, ref at) : text[at]);
                at++;
            }
            at++;
            return result.ToString();
        }

        private static char ReadEscape(string text, ref int at)
        {
            at++;
            if (text[at] != 'u')
            {
                return text[at];
            }
            at += 4;
            return (char)int.Parse(text.Substring(at - 3, 4), NumberStyles.HexNumber, CultureInfo.InvariantCulture);
        }

        private static void Expect(string text, ref int at, char character)
        {
            if (text[at] != character)
            {
                throw new FormatException("expected " + character + " at " + at);
            }
            at++;
        }

        private static void Skip(string text, ref int at)
        {
            while (at < text.Length && char.IsWhiteSpace(text[at]))
            {
                at++;
            }
        }
    }
}
