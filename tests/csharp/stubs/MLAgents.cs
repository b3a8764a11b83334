// The parts of com.unity.ml-agents 4.0 that the project uses, as declarations: to check types
// against, never to run.
using System;

namespace Unity.MLAgents
{
    public class Academy
    {
        public static Academy Instance => throw new NotImplementedException();
        public bool AutomaticSteppingEnabled { get; set; }
        public bool IsCommunicatorOn => throw new NotImplementedException();
        public void EnvironmentStep() => throw new NotImplementedException();
    }

    public class Agent : UnityEngine.MonoBehaviour
    {
        public void RequestDecision() => throw new NotImplementedException();
        public virtual void OnEpisodeBegin() => throw new NotImplementedException();
        public virtual void CollectObservations(Sensors.VectorSensor sensor) => throw new NotImplementedException();
        public virtual void OnActionReceived(Actuators.ActionBuffers actions) => throw new NotImplementedException();
        public virtual void Heuristic(in Actuators.ActionBuffers actionsOut) => throw new NotImplementedException();
    }
}

namespace Unity.MLAgents.Actuators
{
    public readonly struct ActionBuffers
    {
    }

    public struct ActionSpec
    {
        public static ActionSpec MakeDiscrete(params int[] branchSizes) => throw new NotImplementedException();
    }
}

namespace Unity.MLAgents.Sensors
{
    public class VectorSensor
    {
        public void AddObservation(int observation) => throw new NotImplementedException();
    }
}

namespace Unity.MLAgents.Policies
{
    public class BrainParameters
    {
        public int VectorObservationSize;
        public int NumStackedVectorObservations;
        public Actuators.ActionSpec ActionSpec { get; set; }
    }

    public class BehaviorParameters : UnityEngine.MonoBehaviour
    {
        public string BehaviorName { get; set; }
        public BrainParameters BrainParameters { get; set; }
    }
}

namespace Unity.MLAgents.SideChannels
{
    public class IncomingMessage : IDisposable
    {
        public byte[] GetRawBytes() => throw new NotImplementedException();
        public void Dispose() => throw new NotImplementedException();
    }

    public class OutgoingMessage : IDisposable
    {
        public void SetRawBytes(byte[] bytes) => throw new NotImplementedException();
        public void Dispose() => throw new NotImplementedException();
    }

    public abstract class SideChannel
    {
        public Guid ChannelId { get; protected set; }
        protected abstract void OnMessageReceived(IncomingMessage msg);
        protected void QueueMessageToSend(OutgoingMessage msg) => throw new NotImplementedException();
    }

    public static class SideChannelManager
    {
        public static void RegisterSideChannel(SideChannel sideChannel) => throw new NotImplementedException();
        public static void UnregisterSideChannel(SideChannel sideChannel) => throw new NotImplementedException();
    }
}
