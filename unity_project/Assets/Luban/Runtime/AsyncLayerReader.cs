using System.Collections.Generic;
using System.Linq;
using UnityEngine;
using UnityEngine.Rendering;

namespace Luban.Runtime
{
    /// <summary>Reads all layers in one request. OpenGL need not support it.</summary>
    internal sealed class AsyncLayerReader : ILayerReader
    {
        public string Name => "AsyncGPUReadback";

        public IReadOnlyList<byte[]> Read(RenderTexture texture, int layers)
        {
            AsyncGPUReadbackRequest request = AsyncGPUReadback.Request(
                texture, 0, 0, texture.width, 0, texture.height, 0, layers, TextureFormat.RGBA32);
            request.WaitForCompletion();
            return request.hasError
                ? null
                : Enumerable.Range(0, layers).Select(layer => request.GetData<byte>(layer).ToArray()).ToList();
        }
    }
}
