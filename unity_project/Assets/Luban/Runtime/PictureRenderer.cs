using System.Collections.Generic;
using System.Linq;
using Luban.Core;
using Luban.Wire;
using UnityEngine;
using UnityEngine.Rendering;

namespace Luban.Runtime
{
    /// <summary>
    /// Draws the stage once for each camera: colours with smoothed edges, and ids and depth together
    /// in a pass of their own, so that no pixel of them is a mixture.
    /// </summary>
    internal sealed class PictureRenderer : IRenderer
    {
        private const int Samples = 8;
        private static readonly int IdProperty = Shader.PropertyToID("_Id");
        private static readonly Color Background = new Color(0.93f, 0.94f, 0.95f, 1f);

        private readonly UnityWorld _world;
        private readonly Material _colours;
        private readonly Material _ids;
        private readonly MaterialPropertyBlock _properties = new MaterialPropertyBlock();
        private PictureTargets _targets;

        public PictureRenderer(UnityWorld world, Material colours, Material ids)
        {
            _world = world;
            _colours = colours;
            _ids = ids;
        }

        public string Graphics => SystemInfo.graphicsDeviceName + ", " + SystemInfo.graphicsDeviceVersion;

        public IReadOnlyList<PlayerPicture> Render(RenderCall call)
        {
            if (_targets == null || _targets.Size != call.Size)
            {
                _targets?.Release();
                _targets = new PictureTargets(call.Size, Samples);
            }
            Dictionary<string, RigidTransform> places = _world.Stage.Places();
            foreach (BodyTransform body in call.Transforms)
            {
                places[body.Name] = body.Transform;
            }
            return call.Cameras.Select(camera => Draw(camera.ClipFromWorld.ToMatrix(), places, call)).ToList();
        }

        private PlayerPicture Draw(Matrix4x4 clipFromWorld, Dictionary<string, RigidTransform> places, RenderCall call)
        {
            var commands = new CommandBuffer { name = "Luban picture" };
            commands.SetRenderTarget(_targets.Colours);
            commands.ClearRenderTarget(true, true, Background);
            AddBodies(commands, clipFromWorld, places, _colours);
            commands.SetRenderTarget(_targets.IdsAndDepth, _targets.DepthBuffer);
            commands.ClearRenderTarget(true, true, Color.clear);
            AddBodies(commands, clipFromWorld, places, _ids);
            UnityEngine.Graphics.ExecuteCommandBuffer(commands);
            commands.Release();
            return _targets.Read(call);
        }

        /// <summary>The view takes Unity's world to the lattice's, and the projection that to the picture.</summary>
        private void AddBodies(
            CommandBuffer commands,
            Matrix4x4 clipFromWorld,
            Dictionary<string, RigidTransform> places,
            Material material)
        {
            commands.SetViewProjectionMatrices(Frames.Swap, clipFromWorld);
            for (int i = 0; i < _world.Stage.Bodies.Count; i++)
            {
                StageBody body = _world.Stage.Bodies[i];
                _properties.SetVector(Stage.ColourProperty, body.Colour);
                _properties.SetFloat(IdProperty, i + 1);
                commands.DrawMesh(body.Mesh, places[body.Name].ToUnity(), material, 0, 0, _properties);
            }
        }
    }
}
