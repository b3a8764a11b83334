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
        private const string WindowShader = "Luban/Body";
        private const string PictureShader = "Luban/Picture";
        private const string ScreenShader = "Luban/Screen";

        /// <summary>What the line begins with that says why the player ends.</summary>
        private const string LastWords = "Luban: ";

        private UnityWorld _world;
        private PictureRenderer _renderer;
        private PlayerChannel _channel;
        private TurnAgent _agent;
        private MotionPlayer _shown;
        private Exception _told;

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
            foreach (Camera window in Camera.allCameras)
            {
                // Each frame that nobody watches is time that the next request waits.
                window.enabled = options.Show;
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
            if (_told != null)
            {
                Fail(_told);
                return;
            }
            // The next exchange brings the words of a fault to Python; then it is time to end.
            _told = _channel.Fault;
            Step();
        }

        private void OnDestroy()
        {
            if (_channel != null)
            {
                SideChannelManager.UnregisterSideChannel(_channel);
            }
            _renderer?.Destroy();
            _world?.Destroy();
        }

        private static Material MaterialOf(string shader) => new Material(Resources.Load<Shader>(shader));

        private static bool CanDraw() => SystemInfo.graphicsDeviceType != GraphicsDeviceType.Null;

        /// <summary>Ends the player, with a line that the bridge looks for among all that Unity logs.</summary>
        private void Fail(Exception fault)
        {
            Debug.LogException(fault);
            Debug.LogError(LastWords + fault.GetType().Name + ": " + fault.Message);
            enabled = false;
            Application.Quit(1);
        }

        private void Step()
        {
            try
            {
                _agent.RequestDecision();
                // Returns when Python has answered.
                Academy.Instance.EnvironmentStep();
            }
            catch (Exception fault)
            {
                Fail(fault);
            }
        }

        /// <summary>The channel comes first: Academy connects when it is first asked for.</summary>
        private void Connect(PlayerOptions options)
        {
            bool draws = CanDraw();
            _world = new UnityWorld(draws ? MaterialOf(WindowShader) : null, options.Physics);
            if (draws)
            {
                _renderer = new PictureRenderer(
                    _world, MaterialOf(PictureShader), MaterialOf(ScreenShader), LayerReadback.ForDevice());
            }
            if (options.Show)
            {
                _shown = gameObject.AddComponent<MotionPlayer>();
                _shown.Watch(_world);
            }
            _channel = new PlayerChannel(new PlayerSession(_world, _renderer));
            SideChannelManager.RegisterSideChannel(_channel);
            Academy.Instance.AutomaticSteppingEnabled = false;
            if (!Academy.Instance.IsCommunicatorOn)
            {
                // ML-Agents would go on without anybody, for ever.
                Fail(new InvalidOperationException(
                    "nobody answers at the port that --mlagents-port names: players are started by Luban"));
                return;
            }
            _agent = TurnAgent.Create();
        }
    }
}
