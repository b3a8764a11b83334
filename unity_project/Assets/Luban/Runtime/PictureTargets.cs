using System;
using Luban.Wire;
using UnityEngine;
using UnityEngine.Rendering;

namespace Luban.Runtime
{
    /// <summary>What pictures of one size are drawn into, and read back from.</summary>
    internal sealed class PictureTargets
    {
        private const int DepthBits = 24;
        private static readonly byte[] Nothing = new byte[0];

        private readonly RenderTexture _colours;
        private readonly RenderTexture _ids;
        private readonly RenderTexture _depth;
        private readonly Texture2D _readColours;
        private readonly Texture2D _readNumbers;

        public PictureTargets(int size, int samples)
        {
            Size = size;
            // The shaders write sRGB bytes themselves, whatever the project's colour space.
            _colours = Target(RenderTextureFormat.ARGB32, DepthBits, samples);
            _ids = Target(RenderTextureFormat.RFloat, DepthBits, 1);
            _depth = Target(RenderTextureFormat.RFloat, 0, 1);
            _readColours = new Texture2D(size, size, TextureFormat.RGB24, false, true);
            _readNumbers = new Texture2D(size, size, TextureFormat.RFloat, false, true);
        }

        /// <summary>Edge in pixels.</summary>
        public int Size { get; }

        public RenderTargetIdentifier Colours => new RenderTargetIdentifier(_colours);

        public RenderTargetIdentifier[] IdsAndDepth => new[]
        {
            new RenderTargetIdentifier(_ids),
            new RenderTargetIdentifier(_depth),
        };

        public RenderTargetIdentifier DepthBuffer => new RenderTargetIdentifier(_ids);

        /// <summary>What is wanted of what was drawn last.</summary>
        public PlayerPicture Read(RenderCall call)
        {
            bool png = call.Encoding == PlayerEncoding.Png;
            byte[] rgb = call.Wants(PlayerPass.Rgb) ? ReadColours(png) : Nothing;
            bool deep = call.Wants(PlayerPass.Depth);
            // Ids also tell where there is no depth.
            byte[] ids = deep || call.Wants(PlayerPass.Ids) ? Shorts(ReadNumbers(_ids)) : Nothing;
            byte[] depth = deep ? ReadNumbers(_depth) : Nothing;
            if (deep)
            {
                ClearEmpty(depth, ids);
            }
            PlayerEncoding encoding = png ? PlayerEncoding.Png : PlayerEncoding.Raw;
            return new PlayerPicture(Size, rgb, encoding, call.Wants(PlayerPass.Ids) ? ids : Nothing, depth);
        }

        public void Release()
        {
            _colours.Release();
            _ids.Release();
            _depth.Release();
            UnityEngine.Object.Destroy(_readColours);
            UnityEngine.Object.Destroy(_readNumbers);
        }

        private byte[] ReadColours(bool png)
        {
            ReadBack(_colours, _readColours);
            return png ? _readColours.EncodeToPNG() : TopFirst(_readColours.GetRawTextureData(), 3 * Size);
        }

        private byte[] ReadNumbers(RenderTexture source)
        {
            ReadBack(source, _readNumbers);
            return TopFirst(_readNumbers.GetRawTextureData(), 4 * Size);
        }

        private static void ReadBack(RenderTexture source, Texture2D target)
        {
            RenderTexture active = RenderTexture.active;
            RenderTexture.active = source;
            target.ReadPixels(new Rect(0, 0, target.width, target.height), 0, 0, false);
            RenderTexture.active = active;
        }

        /// <summary>Rows in the other order: Unity's textures begin at the bottom.</summary>
        private static byte[] TopFirst(byte[] rows, int length)
        {
            var flipped = new byte[rows.Length];
            for (int at = 0; at < rows.Length; at += length)
            {
                Buffer.BlockCopy(rows, at, flipped, rows.Length - at - length, length);
            }
            return flipped;
        }

        /// <summary>Floats that hold whole numbers, as 16-bit ones.</summary>
        private static byte[] Shorts(byte[] floats)
        {
            var shorts = new byte[floats.Length / 2];
            for (int i = 0; i < shorts.Length; i += 2)
            {
                int number = (int)BitConverter.ToSingle(floats, 2 * i);
                shorts[i] = (byte)number;
                shorts[i + 1] = (byte)(number >> 8);
            }
            return shorts;
        }

        /// <summary>Makes the depth infinite where no body is seen.</summary>
        private static void ClearEmpty(byte[] depth, byte[] ids)
        {
            byte[] infinity = BitConverter.GetBytes(float.PositiveInfinity);
            for (int i = 0; i < ids.Length; i += 2)
            {
                if (ids[i] == 0 && ids[i + 1] == 0)
                {
                    Buffer.BlockCopy(infinity, 0, depth, 2 * i, 4);
                }
            }
        }

        private RenderTexture Target(RenderTextureFormat format, int depthBits, int samples)
        {
            var target = new RenderTexture(Size, Size, depthBits, format, RenderTextureReadWrite.Linear)
            {
                antiAliasing = samples,
            };
            target.Create();
            return target;
        }
    }
}
