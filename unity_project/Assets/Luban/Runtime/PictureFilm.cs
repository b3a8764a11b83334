using System.Collections.Generic;
using System.Linq;
using Luban.Wire;
using UnityEngine;
using UnityEngine.Rendering;

namespace Luban.Runtime
{
    /// <summary>
    /// All passes of some pictures as bytes, a layer for each (three for normals), so that all are read back at
    /// once.
    /// </summary>
    internal sealed class PictureFilm
    {
        private const int BytesOfTexel = 4;
        private static readonly byte[] Nothing = new byte[0];

        private readonly RenderTexture _layers;
        private readonly LayerReadback _readback;
        private readonly int _size;

        public PictureFilm(int size, int layers, LayerReadback readback)
        {
            _size = size;
            _readback = readback;
            Layers = layers;
            _layers = new RenderTexture(size, size, 0, RenderTextureFormat.ARGB32, RenderTextureReadWrite.Linear)
            {
                dimension = TextureDimension.Tex2DArray,
                volumeDepth = layers,
            };
            _layers.Create();
        }

        public int Layers { get; }

        public RenderTargetIdentifier Target => new RenderTargetIdentifier(_layers);

        /// <summary>Layers that the wanted passes of one picture need.</summary>
        public static int LayersOf(DrawCall call) =>
            (call.Wants(PlayerPass.Rgb) ? 1 : 0)
            + (call.Wants(PlayerPass.Ids) ? 1 : 0)
            + (call.Wants(PlayerPass.Depth) ? 1 : 0)
            + (call.Wants(PlayerPass.Normals) ? 3 : 0);

        /// <summary>The pictures, layer by layer as <see cref="LayersOf"/> counts them.</summary>
        public IEnumerable<PlayerPicture> Develop(DrawCall call, int pictures)
        {
            int each = LayersOf(call);
            if (each == 0)
            {
                return Enumerable.Range(0, pictures).Select(i => Picture(call, new List<byte[]>())).ToList();
            }
            IReadOnlyList<byte[]> layers = _readback.Read(_layers, pictures * each);
            return Enumerable.Range(0, pictures)
                .Select(i => Picture(call, layers.Skip(i * each).Take(each).ToList()))
                .ToList();
        }

        /// <summary>Destroy the texture, on the device and in the engine.</summary>
        public void Destroy()
        {
            _layers.Release();
            Object.Destroy(_layers);
        }

        private PlayerPicture Picture(DrawCall call, List<byte[]> layers)
        {
            bool png = call.Encoding == PlayerEncoding.Png;
            int next = 0;
            byte[] rgb = Nothing, ids = Nothing, depth = Nothing, normals = Nothing;
            if (call.Wants(PlayerPass.Rgb))
            {
                rgb = png ? Png(layers[next++]) : TopFirst(new[] { layers[next++] }, 3);
            }
            if (call.Wants(PlayerPass.Ids))
            {
                ids = TopFirst(new[] { layers[next++] }, 2);
            }
            if (call.Wants(PlayerPass.Depth))
            {
                depth = TopFirst(new[] { layers[next++] }, BytesOfTexel);
            }
            if (call.Wants(PlayerPass.Normals))
            {
                normals = TopFirst(layers.Skip(next).Take(3).ToArray(), BytesOfTexel);
            }
            PlayerEncoding encoding = png ? PlayerEncoding.Png : PlayerEncoding.Raw;
            return new PlayerPicture(_size, rgb, encoding, ids, depth, normals);
        }

        /// <summary>
        /// The first bytes of each texel of some layers, side by side; rows in the other order: Unity's
        /// textures begin at the bottom.
        /// </summary>
        private byte[] TopFirst(byte[][] layers, int count)
        {
            var found = new byte[_size * _size * count * layers.Length];
            int to = 0;
            for (int row = _size - 1; row >= 0; row--)
            {
                for (int at = row * _size; at < (row + 1) * _size; at++)
                {
                    foreach (byte[] layer in layers)
                    {
                        for (int k = 0; k < count; k++)
                        {
                            found[to++] = layer[BytesOfTexel * at + k];
                        }
                    }
                }
            }
            return found;
        }

        private byte[] Png(byte[] layer)
        {
            var texture = new Texture2D(_size, _size, TextureFormat.RGBA32, false, true);
            try
            {
                texture.LoadRawTextureData(layer);
                return texture.EncodeToPNG();
            }
            finally
            {
                Object.Destroy(texture);
            }
        }
    }
}
