using System.Collections.Generic;
using System.Linq;
using UnityEngine;

namespace Luban.Runtime
{
    /// <summary>Reads layers one after another. Every graphics device supports it.</summary>
    internal sealed class PixelLayerReader : ILayerReader
    {
        public string Name => "ReadPixels";

        public IReadOnlyList<byte[]> Read(RenderTexture texture, int layers)
        {
            RenderTexture former = RenderTexture.active;
            var page = new Texture2D(texture.width, texture.height, TextureFormat.RGBA32, false, true);
            try
            {
                return Enumerable.Range(0, layers).Select(layer => ReadLayer(texture, layer, page)).ToList();
            }
            finally
            {
                RenderTexture.active = former;
                Object.Destroy(page);
            }
        }

        private static byte[] ReadLayer(RenderTexture texture, int layer, Texture2D page)
        {
            Graphics.SetRenderTarget(texture, 0, CubemapFace.Unknown, layer);
            page.ReadPixels(new Rect(0f, 0f, texture.width, texture.height), 0, 0, false);
            return page.GetRawTextureData();
        }
    }
}
