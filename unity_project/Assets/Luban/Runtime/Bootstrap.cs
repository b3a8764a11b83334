using System;
using Luban.Wire;
using Unity.MLAgents;
using Unity.MLAgents.SideChannels;
using UnityEngine;
using UnityEngine.Rendering;

namespace Luban.Runtime
{
    /// <summary>
    /// The only component of the bootstrap scene: makes the world, the renderer, the side channel and
    /// the agent, and steps ML-Agents once a frame.
    /// </summary>
    public sealed class Bootstrap : MonoBehaviour
    {
        private const string ColourShader = "Luban/Body";
        private const string IdShader = "Luban/Ids";

        private PlayerChannel _channel;
        private TurnAgent _agent;
        private MotionPlayer _shown;

        private void Awake()
        {
            PlayerOptions options;
            try
            {
                options = PlayerOptions.Read(Environment.GetCommandLineArgs());
            }
            catch (ArgumentException error)
            {
                Fail(error);
                return;
            }
            Physics.simulationMode = SimulationMode.Script;
            Physics.gravity = new Vector3(0f, -9.81f, 0f);
            QualitySettings.vSyncCount = 0;
            Application.targetFrameRate = -1;
            Application.runInBackground = true;
            Connect(options);
        }

        private void Update()
        {
            if (_agent == null || (_shown != null && _shown.IsPlaying))
            {
                return;
            }
            _agent.RequestDecision();
            // Returns when Python has answered.
            Academy.Instance.EnvironmentStep();
        }

        private void OnDestroy()
        {
            if (_channel != null)
            {
                SideChannelManager.UnregisterSideChannel(_channel);
            }
        }

        private static Material MaterialOf(string shader) => new Material(Resources.Load<Shader>(shader));

        private static bool CanDraw() => SystemInfo.graphicsDeviceType != GraphicsDeviceType.Null;

        private static void Fail(Exception fault)
        {
            Debug.LogException(fault);
            Application.Quit(1);
        }

        /// <summary>The channel comes first: Academy connects when it is first asked for.</summary>
        private void Connect(PlayerOptions options)
        {
            bool draws = CanDraw();
            Material colours = draws ? MaterialOf(ColourShader) : null;
            var world = new UnityWorld(colours, options.Physics);
            IRenderer renderer = draws ? new PictureRenderer(world, colours, MaterialOf(IdShader)) : null;
            if (options.Show)
            {
                _shown = gameObject.AddComponent<MotionPlayer>();
                _shown.Watch(world);
            }
            _channel = new PlayerChannel(new PlayerSession(world, renderer), Fail);
            SideChannelManager.RegisterSideChannel(_channel);
            Academy.Instance.AutomaticSteppingEnabled = false;
            _agent = TurnAgent.Create();
        }
    }
}
