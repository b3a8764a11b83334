using System.IO;
using System.Text;

namespace Luban.Headless
{
    /// <summary>The headers of a gRPC call, packed without Huffman codes or tables (RFC 7541).</summary>
    internal static class HeaderBlock
    {
        private const byte MethodPost = 0x83;
        private const byte SchemeHttp = 0x86;
        private const byte NameOfPath = 4;
        private const byte NameOfAuthority = 1;
        private const byte NewName = 0;

        public static byte[] Of(string path, string authority)
        {
            var block = new MemoryStream();
            block.WriteByte(MethodPost);
            block.WriteByte(SchemeHttp);
            block.WriteByte(NameOfPath);
            WriteText(block, path);
            block.WriteByte(NameOfAuthority);
            WriteText(block, authority);
            WriteHeader(block, "content-type", "application/grpc");
            WriteHeader(block, "te", "trailers");
            return block.ToArray();
        }

        private static void WriteHeader(Stream block, string name, string value)
        {
            block.WriteByte(NewName);
            WriteText(block, name);
            WriteText(block, value);
        }

        /// <summary>A length of 7 bits, longer ones in parts, and the text.</summary>
        private static void WriteText(Stream block, string text)
        {
            byte[] bytes = Encoding.ASCII.GetBytes(text);
            int rest = bytes.Length - 127;
            block.WriteByte((byte)(rest < 0 ? bytes.Length : 127));
            if (rest >= 0)
            {
                for (; rest >= 128; rest /= 128)
                {
                    block.WriteByte((byte)(rest % 128 + 128));
                }
                block.WriteByte((byte)rest);
            }
            block.Write(bytes, 0, bytes.Length);
        }
    }
}
