using System;
using Luban.Wire;
using Unity.MLAgents.SideChannels;
using UnityEngine;

namespace Luban.Runtime
{
    /// <summary>
    /// The side channel of requests and responses. A response goes out with the next exchange, which
    /// is the same step for Python as the one that brought the request.
    /// </summary>
    public sealed class PlayerChannel : SideChannel
    {
        private readonly PlayerSession _session;

        /// <param name="session">Answers the requests.</param>
        public PlayerChannel(PlayerSession session)
        {
            ChannelId = SideChannelFrames.Channel;
            _session = session;
        }

        /// <summary>A fault of the player itself, which can't go on; null as long as there is none.</summary>
        public Exception Fault { get; private set; }

        protected override void OnMessageReceived(IncomingMessage message)
        {
            byte[] request = message.GetRawBytes();
            using (var response = new OutgoingMessage())
            {
                response.SetRawBytes(Answer(request));
                QueueMessageToSend(response);
            }
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
                // ML-Agents would log it and go on without an answer: better words that reach the user.
                Debug.LogException(fault);
                Fault = fault;
                return PlayerSession.AnswerFault(request, fault);
            }
        }
    }
}
