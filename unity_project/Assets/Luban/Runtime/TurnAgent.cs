using Luban.Wire;
using Unity.MLAgents;
using Unity.MLAgents.Actuators;
using Unity.MLAgents.Policies;
using Unity.MLAgents.Sensors;
using UnityEngine;

namespace Luban.Runtime
{
    /// <summary>
    /// The one agent. It sees the number of its steps since the last reset and does nothing: it is there to ask for a
    /// decision each step, so that each step is an exchange with Python.
    /// </summary>
    public sealed class TurnAgent : Agent
    {
        private const string BehaviourName = "Luban";

        private readonly StepCount _count = new StepCount();

        /// <summary>An agent that is connected, or will be when Academy is.</summary>
        public static TurnAgent Create()
        {
            var holder = new GameObject("Agent");
            // Its behaviour must be complete before it wakes.
            holder.SetActive(false);
            BehaviorParameters behaviour = holder.AddComponent<BehaviorParameters>();
            behaviour.BehaviorName = BehaviourName;
            behaviour.BrainParameters.VectorObservationSize = 1;
            behaviour.BrainParameters.NumStackedVectorObservations = 1;
            behaviour.BrainParameters.ActionSpec = ActionSpec.MakeDiscrete(1);
            TurnAgent agent = holder.AddComponent<TurnAgent>();
            holder.SetActive(true);
            return agent;
        }

        public override void OnEpisodeBegin() => _count.Begin();

        public override void CollectObservations(VectorSensor sensor) => sensor.AddObservation(_count.Look());

        public override void OnActionReceived(ActionBuffers actions) => _count.Act();

        public override void Heuristic(in ActionBuffers actionsOut)
        {
        }
    }
}
