using System;
using System.Diagnostics;
using System.Globalization;
using System.Net.Sockets;
using System.Threading;
using Luban.Core;
using Luban.Wire;

namespace Luban.Headless
{
    /// <summary>
    /// A player without Unity: the code of Core and Wire, and the exact world.
    /// <c>LubanHeadless.exe --mlagents-port PORT</c>; other options of a Unity build are passed over.
    /// </summary>
    internal static class Program
    {
        private const string Host = "127.0.0.1";
        private const int DefaultPort = 5004;
        private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

        private static int Main(string[] arguments)
        {
            try
            {
                using (GrpcConnection connection = Connect(PortIn(arguments)))
                {
                    new Player(connection, new PlayerSession(new LatticeWorld(), null)).Play();
                }
                return 0;
            }
            catch (Exception error) when (IsOfTheWire(error))
            {
                Console.Error.WriteLine("luban-headless: " + error.Message);
                return 1;
            }
        }

        private static bool IsOfTheWire(Exception error) =>
            error is RpcException || error is WireFormatException || error is FormatException
            || error is SocketException || error is System.IO.IOException;

        private static int PortIn(string[] arguments)
        {
            int at = Array.IndexOf(arguments, "--mlagents-port");
            return at >= 0 && at + 1 < arguments.Length
                ? int.Parse(arguments[at + 1], CultureInfo.InvariantCulture)
                : DefaultPort;
        }

        /// <summary>Tries until the controller listens.</summary>
        private static GrpcConnection Connect(int port)
        {
            Stopwatch clock = Stopwatch.StartNew();
            while (true)
            {
                try
                {
                    return new GrpcConnection(Host, port);
                }
                catch (SocketException) when (clock.Elapsed < Patience)
                {
                    Thread.Sleep(20);
                }
            }
        }
    }
}
