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
        private readonly Action<Exception> _fail;

        /// <param name="session">Answers the requests.</param>
        /// <param name="fail">Called with a fault of the player itself: it can't go on.</param>
        public PlayerChannel(PlayerSession session, Action<Exception> fail)
        {
            ChannelId = SideChannelFrames.Channel;
            _session = session;
            _fail = fail;
        }

        protected override void OnMessageReceived(IncomingMessage message)
        {
            try
            {
                using (var response = new OutgoingMessage())
                {
                    response.SetRawBytes(_session.Answer(message.GetRawBytes()));
                    QueueMessageToSend(response);
                }
            }
            catch (Exception fault)
            {
                // ML-Agents would log it and go on without an answer: better an end that Python sees.
                Debug.LogException(fault);
                _fail(fault);
            }
        }
    }
}
