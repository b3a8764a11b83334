using System.Collections.Generic;
using System.Linq;
using Luban.Core;
using Luban.Wire;
using UnityEngine;
using UnityEngine.Rendering;

namespace Luban.Runtime
{
    /// <summary>Commands that draw pictures, one after another, into the layers of a film.</summary>
    internal sealed class PictureDrawing
    {
        private const int Solid = 0, ClearDepth = 1, ClearColour = 2, Numbers = 3, NumbersAndNormals = 4, Cast = 5;
        private const int ShadeGround = 0, Backdrop = 1, Strokes = 2, PackColours = 3, PackIds = 4, PackDistances = 5;
        private const int PackNormals = 6;

        private static readonly int IdProperty = Shader.PropertyToID("_Id");

        private readonly CommandBuffer _commands;
        private readonly PictureTargets _targets;
        private readonly RenderTargetIdentifier _film;
        private readonly Material _bodies;
        private readonly Material _screen;
        private readonly DrawCall _call;
        private readonly MaterialPropertyBlock _properties = new MaterialPropertyBlock();
        private readonly List<Mesh> _meshes = new List<Mesh>();
        private readonly Mesh _whole;
        private Sitter _lit;
        private int _layer;

        public PictureDrawing(
            CommandBuffer commands,
            PictureTargets targets,
            RenderTargetIdentifier film,
            Material bodies,
            Material screen,
            DrawCall call)
        {
            _commands = commands;
            _targets = targets;
            _film = film;
            _bodies = bodies;
            _screen = screen;
            _call = call;
            _whole = WholePicture();
            _meshes.Add(_whole);
        }

        /// <summary>A picture of a scene.</summary>
        public void Add(Sitter sitter, PlayerCamera camera)
        {
            var rays = new CameraRays(camera);
            Matrix4x4 clipFromWorld = camera.ClipFromWorld.ToMatrix();
            bool colours = _call.Wants(PlayerPass.Rgb), normals = _call.Wants(PlayerPass.Normals);
            bool box = colours && sitter.Scene.Container != null;
            Aim(rays, camera);
            if (colours)
            {
                Light(sitter);
                DrawColours(sitter, rays, clipFromWorld);
            }
            // What hides the lines of a box is told by distances.
            if (box || normals || _call.Wants(PlayerPass.Ids) || _call.Wants(PlayerPass.Depth))
            {
                DrawNumbers(sitter, clipFromWorld, normals);
            }
            if (box)
            {
                DrawBox(sitter.Scene.Container, camera, rays);
            }
            Pack(colours, normals);
        }

        /// <summary>Destroys what the commands needed.</summary>
        public void Destroy() => _meshes.ForEach(Object.Destroy);

        private static Mesh WholePicture()
        {
            var mesh = new Mesh();
            mesh.SetVertices(new List<Vector3>
            {
                new Vector3(-1f, -1f, 0f), new Vector3(1f, -1f, 0f), new Vector3(1f, 1f, 0f), new Vector3(-1f, 1f, 0f),
            });
            mesh.SetTriangles(new List<int> { 0, 1, 2, 0, 2, 3 }, 0);
            return mesh;
        }

        private static Vector4 Point(IReadOnlyList<double> numbers, float w) =>
            new Vector4((float)numbers[0], (float)numbers[1], (float)numbers[2], w);

        /// <summary>Tells the shaders of the camera.</summary>
        private void Aim(CameraRays rays, PlayerCamera camera)
        {
            IReadOnlyList<double> gaze = rays.Distance;
            var against = new[] { -gaze[0], -gaze[1], -gaze[2] };
            _commands.SetGlobalVector("_Distance", Point(gaze, (float)gaze[3]));
            _commands.SetGlobalVector("_Eye", rays.IsParallel ? Point(against, 0f) : Point(rays.Eye, 1f));
            _commands.SetGlobalFloat("_Even", camera.Unshaded ? 1f : 0f);
            _commands.SetGlobalVectorArray("_Origins", rays.Origins.Select(row => Point(row, 0f)).ToArray());
            _commands.SetGlobalVectorArray("_Ways", rays.Ways.Select(row => Point(row, 0f)).ToArray());
        }

        /// <summary>Draws the shadows of a scene, once for all its cameras.</summary>
        private void Light(Sitter sitter)
        {
            if (_lit == sitter)
            {
                return;
            }
            _lit = sitter;
            Matrix4x4 light = sitter.Light.Matrix.ToMatrix();
            _commands.SetGlobalMatrix("_Light", light);
            _commands.SetGlobalVector("_ToLight", Point(Sunlight.ToLight, 0f));
            _commands.SetGlobalFloat("_Lift", 2.5f * (float)sitter.Light.Width / _targets.ShadowSize);
            _commands.SetGlobalFloat("_ShadowSize", _targets.ShadowSize);
            _commands.SetRenderTarget(_targets.Shadow);
            _commands.ClearRenderTarget(true, true, new Color(1f, 1f, 1f, 1f));
            DrawBodies(sitter, Frames.ToClip * light, Cast, false);
            _commands.SetGlobalTexture("_Shadow", _targets.Shadow);
            _commands.Blit(_targets.Shadow, _targets.Shade, _screen, ShadeGround);
            _commands.SetGlobalTexture("_Shade", _targets.Shade);
        }

        private void DrawColours(Sitter sitter, CameraRays rays, Matrix4x4 clipFromWorld)
        {
            Ground ground = Ground.Under(sitter.Scene, rays.Eye[2]);
            _commands.SetGlobalVector(
                "_Ground",
                new Vector4((float)ground.X, (float)ground.Y, (float)ground.Height, (float)ground.Radius));
            _commands.SetRenderTarget(_targets.Colours);
            _commands.ClearRenderTarget(true, true, Color.clear);
            _commands.SetViewProjectionMatrices(Matrix4x4.identity, Matrix4x4.identity);
            _commands.DrawMesh(_whole, Matrix4x4.identity, _screen, 0, Backdrop);
            DrawBodies(sitter, clipFromWorld, Solid, false);
            DrawBodies(sitter, clipFromWorld, ClearDepth, true);
            DrawBodies(sitter, clipFromWorld, ClearColour, true);
            _commands.Blit(_targets.Colours, _targets.Flat);
        }

        private void DrawNumbers(Sitter sitter, Matrix4x4 clipFromWorld, bool normals)
        {
            RenderTargetIdentifier[] targets = normals
                ? new[] { _targets.Ids, _targets.Distances, _targets.Normals }
                : new[] { _targets.Ids, _targets.Distances };
            _commands.SetRenderTarget(targets, _targets.Ids);
            _commands.ClearRenderTarget(true, true, Color.clear);
            DrawBodies(sitter, clipFromWorld, normals ? NumbersAndNormals : Numbers, false);
        }

        private void DrawBox(Container container, PlayerCamera camera, CameraRays rays)
        {
            Mesh lines = BoxMesh.Of(container, camera, rays, _targets.Size);
            _meshes.Add(lines);
            _commands.SetGlobalTexture("_Distances", _targets.Distances);
            _commands.SetRenderTarget(_targets.Flat);
            _commands.SetViewProjectionMatrices(Matrix4x4.identity, Matrix4x4.identity);
            _commands.DrawMesh(lines, Matrix4x4.identity, _screen, 0, Strokes);
        }

        /// <summary>
        /// Bodies that are seen through, or the others. The view takes Unity's world to the lattice's, and the
        /// projection that to the picture.
        /// </summary>
        private void DrawBodies(Sitter sitter, Matrix4x4 clipFromWorld, int pass, bool translucent)
        {
            _commands.SetViewProjectionMatrices(Frames.Swap, clipFromWorld);
            for (int i = 0; i < sitter.Meshes.Count; i++)
            {
                Body body = sitter.Scene.Bodies[i];
                if (body.Translucent == translucent)
                {
                    _properties.SetVector(Stage.ColourProperty, Frames.ToColour(body.Rgb));
                    _properties.SetFloat(IdProperty, i + 1);
                    Matrix4x4 place = sitter.Places[i].ToUnity();
                    _commands.DrawMesh(sitter.Meshes[i], place, _bodies, 0, pass, _properties);
                }
            }
        }

        private void Pack(bool colours, bool normals)
        {
            if (colours)
            {
                _commands.Blit(_targets.Flat, _film, _screen, PackColours, _layer++);
            }
            if (_call.Wants(PlayerPass.Ids))
            {
                _commands.Blit(_targets.Ids, _film, _screen, PackIds, _layer++);
            }
            if (_call.Wants(PlayerPass.Depth))
            {
                _commands.Blit(_targets.Distances, _film, _screen, PackDistances, _layer++);
            }
            for (int axis = 0; axis < (normals ? 3 : 0); axis++)
            {
                _commands.SetGlobalVector(
                    "_Axis", new Vector4(axis == 0 ? 1f : 0f, axis == 1 ? 1f : 0f, axis == 2 ? 1f : 0f, 0f));
                _commands.Blit(_targets.Normals, _film, _screen, PackNormals, _layer++);
            }
        }
    }
}
