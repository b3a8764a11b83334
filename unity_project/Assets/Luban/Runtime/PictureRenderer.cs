using System;
using System.Collections.Generic;
using System.Linq;
using Luban.Wire;
using UnityEngine;
using UnityEngine.Rendering;

namespace Luban.Runtime
{
    /// <summary>
    /// Draws scenes once for each camera, as Luban's own renderer does: colours with smoothed edges, and ids,
    /// distances and normals in a pass of their own, so that no pixel of them is a mixture. What nobody wants is
    /// not drawn, and all is read back at once.
    /// </summary>
    internal sealed class PictureRenderer : IRenderer
    {
        /// <summary>Layers that are read back at once, at most: what graphics devices have at least.</summary>
        private const int MostLayers = 2048;

        private readonly UnityWorld _world;
        private readonly Material _bodies;
        private readonly Material _screen;
        private readonly LayerReadback _readback;
        private PictureTargets _targets;
        private PictureFilm _film;

        /// <param name="world">Whose scene is drawn where none is named.</param>
        /// <param name="bodies">Luban/Picture. The renderer destroys it.</param>
        /// <param name="screen">Luban/Screen. The renderer destroys it.</param>
        /// <param name="readback">Brings the pictures from the graphics device.</param>
        public PictureRenderer(UnityWorld world, Material bodies, Material screen, LayerReadback readback)
        {
            _world = world;
            _bodies = bodies;
            _screen = screen;
            _readback = readback;
        }

        public string Graphics => SystemInfo.graphicsDeviceName + ", " + SystemInfo.graphicsDeviceVersion;

        public IReadOnlyList<PlayerPicture> Render(DrawCall call)
        {
            List<Sitter> sitters = call.Exhibits.Select(SitterOf).ToList();
            try
            {
                List<KeyValuePair<Sitter, PlayerCamera>> sights = sitters
                    .Zip(call.Exhibits, (sitter, exhibit) => exhibit.Cameras.Select(
                        camera => new KeyValuePair<Sitter, PlayerCamera>(sitter, camera)))
                    .SelectMany(own => own)
                    .ToList();
                var pictures = new List<PlayerPicture>();
                int most = MostLayers / Math.Max(1, PictureFilm.LayersOf(call));
                for (int start = 0; start < sights.Count; start += most)
                {
                    pictures.AddRange(Draw(sights.GetRange(start, Math.Min(most, sights.Count - start)), call));
                }
                return pictures;
            }
            finally
            {
                sitters.ForEach(sitter => sitter.Destroy());
            }
        }

        /// <summary>Destroy the textures and materials. Nothing can be drawn afterwards.</summary>
        public void Destroy()
        {
            Drop();
            UnityEngine.Object.Destroy(_bodies);
            UnityEngine.Object.Destroy(_screen);
        }

        private Sitter SitterOf(Exhibit exhibit) => exhibit.Scene == null
            ? Sitter.Of(_world.Stage, exhibit.Transforms)
            : Sitter.Of(exhibit.Scene, exhibit.Transforms);

        private IEnumerable<PlayerPicture> Draw(List<KeyValuePair<Sitter, PlayerCamera>> sights, DrawCall call)
        {
            Prepare(call.Size, sights.Count * PictureFilm.LayersOf(call));
            var commands = new CommandBuffer { name = "Luban pictures" };
            var drawing = new PictureDrawing(commands, _targets, _film.Target, _bodies, _screen, call);
            try
            {
                foreach (KeyValuePair<Sitter, PlayerCamera> sight in sights)
                {
                    drawing.Add(sight.Key, sight.Value);
                }
                UnityEngine.Graphics.ExecuteCommandBuffer(commands);
                return _film.Develop(call, sights.Count);
            }
            finally
            {
                commands.Release();
                drawing.Destroy();
            }
        }

        private void Prepare(int size, int layers)
        {
            if (_targets == null || _targets.Size != size)
            {
                Drop();
                _targets = new PictureTargets(size);
            }
            if (_film == null || _film.Layers != Math.Max(1, layers))
            {
                _film?.Destroy();
                _film = new PictureFilm(size, Math.Max(1, layers), _readback);
            }
        }

        private void Drop()
        {
            _targets?.Destroy();
            _targets = null;
            _film?.Destroy();
            _film = null;
        }
    }
}
