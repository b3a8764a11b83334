using UnityEngine;
using UnityEngine.Rendering;

namespace Luban.Runtime
{
    /// <summary>What pictures of one size are drawn into, one after another.</summary>
    internal sealed class PictureTargets
    {
        private const int DepthBits = 32;

        /// <summary>Samples of a pixel.</summary>
        private const int Samples = 4;

        private readonly RenderTexture _colours;
        private readonly RenderTexture _flat;
        private readonly RenderTexture _ids;
        private readonly RenderTexture _distances;
        private readonly RenderTexture _normals;
        private readonly RenderTexture _shadow;
        private readonly RenderTexture _shade;

        public PictureTargets(int size)
        {
            Size = size;
            ShadowSize = size > 320 ? 1024 : 512;
            // The shaders write sRGB bytes themselves, whatever the project's colour space.
            _colours = Target(size, RenderTextureFormat.ARGB32, DepthBits, Samples);
            _flat = Target(size, RenderTextureFormat.ARGB32, 0, 1);
            _ids = Target(size, RenderTextureFormat.RFloat, DepthBits, 1);
            _distances = Target(size, RenderTextureFormat.RFloat, 0, 1);
            _normals = Target(size, RenderTextureFormat.ARGBFloat, 0, 1);
            _shadow = Target(ShadowSize, RenderTextureFormat.RFloat, DepthBits, 1);
            _shade = Target(ShadowSize / 4, RenderTextureFormat.R8, 0, 1);
            _shade.filterMode = FilterMode.Bilinear;
        }

        /// <summary>Edge in pixels.</summary>
        public int Size { get; }

        /// <summary>Edge of the shadow map in texels.</summary>
        public int ShadowSize { get; }

        /// <summary>Several samples of each pixel.</summary>
        public RenderTargetIdentifier Colours => new RenderTargetIdentifier(_colours);

        /// <summary>One colour of each pixel.</summary>
        public RenderTargetIdentifier Flat => new RenderTargetIdentifier(_flat);

        public RenderTargetIdentifier Ids => new RenderTargetIdentifier(_ids);

        public RenderTargetIdentifier Distances => new RenderTargetIdentifier(_distances);

        public RenderTargetIdentifier Normals => new RenderTargetIdentifier(_normals);

        /// <summary>How far bodies are from the sun.</summary>
        public RenderTargetIdentifier Shadow => new RenderTargetIdentifier(_shadow);

        /// <summary>How much of the ground is in shadow.</summary>
        public RenderTargetIdentifier Shade => new RenderTargetIdentifier(_shade);

        /// <summary>Destroy all textures, on the device and in the engine.</summary>
        public void Destroy()
        {
            foreach (RenderTexture target in new[] { _colours, _flat, _ids, _distances, _normals, _shadow, _shade })
            {
                target.Release();
                Object.Destroy(target);
            }
        }

        private static RenderTexture Target(int size, RenderTextureFormat format, int depthBits, int samples)
        {
            var target = new RenderTexture(size, size, depthBits, format, RenderTextureReadWrite.Linear)
            {
                antiAliasing = samples,
                filterMode = FilterMode.Point,
                wrapMode = TextureWrapMode.Clamp,
            };
            target.Create();
            return target;
        }
    }
}
