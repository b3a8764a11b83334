using System;
using Luban.Wire;

namespace Luban.Headless
{
    /// <summary>
    /// The player's messages in the ML-Agents protocol, communicator API 1.5.0: one agent, which sees
    /// the number of its steps and asks for a decision each step.
    /// </summary>
    internal static class Communicator
    {
        public const string Method = "/communicator_objects.UnityToExternalProto/Exchange";
        public const int StatusOk = 200;

        private const string Version = "1.5.0";
        private const string PackageVersion = "4.0.0";
        private const string Brain = "Luban?team=0";
        private const int Capabilities = 7;
        private const uint MessageInput = (3 << 3) | 2;
        private const uint MessageHeader = (1 << 3) | 2;
        private const uint HeaderStatus = 1 << 3;
        private const uint InputTurn = (1 << 3) | 2;
        private const uint TurnCommand = 4 << 3;
        private const uint TurnSideChannel = (5 << 3) | 2;

        /// <summary>The first message: who the player is.</summary>
        public static byte[] Greeting()
        {
            var capabilities = new ProtoWriter();
            for (int field = 1; field <= Capabilities; field++)
            {
                capabilities.Bool(field, true);
            }
            ProtoWriter greeting = new ProtoWriter()
                .String(1, "Luban headless")
                .String(2, Version)
                .String(7, PackageVersion)
                .Message(8, capabilities);
            return Message(new ProtoWriter().Message(2, greeting));
        }

        /// <summary>The second message: ready for the first turn.</summary>
        public static byte[] Ready() => Message(new ProtoWriter());

        /// <summary>What the agent sees; with the first one after a reset, what it can do.</summary>
        public static byte[] Look(int steps, bool introduce, byte[] sideChannel)
        {
            ProtoWriter observation = new ProtoWriter()
                .Bytes(1, new byte[] { 1 })
                .Message(4, new ProtoWriter().Bytes(1, BitConverter.GetBytes((float)steps)))
                .Bytes(6, new byte[] { 1 })
                .String(8, "steps");
            ProtoWriter agent = new ProtoWriter().Int32(10, 1).Message(13, observation);
            ProtoWriter entry = new ProtoWriter()
                .String(1, Brain)
                .Message(2, new ProtoWriter().Message(1, agent));
            ProtoWriter output = new ProtoWriter()
                .Message(1, new ProtoWriter().Message(2, entry).Bytes(3, sideChannel));
            return Message(introduce ? output.Message(2, Introduction()) : output);
        }

        /// <exception cref="WireFormatException">It can't be read.</exception>
        public static Turn Read(byte[] message)
        {
            int status = 0;
            var turn = new Turn(0, Command.Step, new byte[0]);
            var reader = new ProtoReader(message);
            while (reader.Next())
            {
                switch (reader.Tag)
                {
                    case MessageHeader:
                        status = ReadStatus(reader.ReadMessage());
                        break;
                    case MessageInput:
                        turn = ReadInput(reader.ReadMessage()) ?? turn;
                        break;
                }
            }
            return new Turn(status, turn.Command, turn.SideChannel);
        }

        private static ProtoWriter Introduction()
        {
            ProtoWriter actions = new ProtoWriter().Int32(2, 1).Bytes(3, new byte[] { 1 });
            return new ProtoWriter().Message(
                5, new ProtoWriter().String(7, Brain).Bool(8, true).Message(9, actions));
        }

        private static byte[] Message(ProtoWriter output) => new ProtoWriter()
            .Message(1, new ProtoWriter().Int32(1, StatusOk))
            .Message(2, output)
            .ToArray();

        private static int ReadStatus(ProtoReader header)
        {
            int status = 0;
            while (header.Next())
            {
                if (header.Tag == HeaderStatus)
                {
                    status = header.ReadInt32();
                }
            }
            return status;
        }

        private static Turn ReadInput(ProtoReader input)
        {
            Turn turn = null;
            while (input.Next())
            {
                if (input.Tag == InputTurn)
                {
                    turn = ReadTurn(input.ReadMessage());
                }
            }
            return turn;
        }

        private static Turn ReadTurn(ProtoReader reader)
        {
            Command command = Command.Step;
            var sideChannel = new byte[0];
            while (reader.Next())
            {
                switch (reader.Tag)
                {
                    case TurnCommand:
                        command = (Command)reader.ReadInt32();
                        break;
                    case TurnSideChannel:
                        sideChannel = reader.ReadBytes();
                        break;
                }
            }
            return new Turn(StatusOk, command, sideChannel);
        }
    }
}
