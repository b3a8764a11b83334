using System;
using System.Collections.Generic;
using Luban.Wire;

namespace Luban.Headless
{
    /// <summary>Takes turns with the controller until it takes its leave.</summary>
    internal sealed class Player
    {
        private readonly GrpcConnection _connection;
        private readonly PlayerSession _session;
        private int _steps;
        private Exception _fault;

        public Player(GrpcConnection connection, PlayerSession session)
        {
            _connection = connection;
            _session = session;
        }

        /// <exception cref="RpcException">The connection ended before that.</exception>
        /// <exception cref="WireFormatException">The controller sent what can't be read.</exception>
        public void Play()
        {
            if (Exchange(Communicator.Greeting()).Status != Communicator.StatusOk)
            {
                return;
            }
            Turn turn = Exchange(Communicator.Ready());
            while (turn.Status == Communicator.StatusOk && turn.Command != Command.Quit)
            {
                if (_fault != null)
                {
                    throw new RpcException("the player failed: " + _fault.Message);
                }
                bool reset = turn.Command == Command.Reset;
                _steps = reset ? 0 : _steps + 1;
                turn = Exchange(Communicator.Look(_steps, reset, Answers(turn.SideChannel)));
            }
        }

        private Turn Exchange(byte[] message) =>
            Communicator.Read(_connection.Call(Communicator.Method, message));

        /// <summary>The responses to all requests in a turn; other channels are passed over.</summary>
        private byte[] Answers(byte[] sideChannel)
        {
            var answers = new List<SideChannelMessage>();
            foreach (SideChannelMessage message in SideChannelFrames.Read(sideChannel))
            {
                if (message.Channel == SideChannelFrames.Channel)
                {
                    answers.Add(new SideChannelMessage(message.Channel, Answer(message.Payload)));
                }
            }
            return SideChannelFrames.Write(answers);
        }

        /// <summary>The response; if it comes to the worst, the player's last words.</summary>
        private byte[] Answer(byte[] request)
        {
            try
            {
                return _session.Answer(request);
            }
            catch (Exception fault)
            {
                _fault = fault;
                return PlayerSession.AnswerFault(request, fault);
            }
        }
    }
}
