using System;
using System.Collections.Generic;
using UnityEngine;

namespace Luban.Runtime
{
    /// <summary>Reads layers of a texture array by the first reader that works, and keeps to that one.</summary>
    internal sealed class LayerReadback
    {
        private readonly Queue<ILayerReader> _readers;
        private bool _logged;

        /// <param name="readers">The preferred one first.</param>
        public LayerReadback(params ILayerReader[] readers)
        {
            _readers = new Queue<ILayerReader>(readers);
        }

        /// <summary>Return the readers that the graphics device claims to support.</summary>
        public static LayerReadback ForDevice() => SystemInfo.supportsAsyncGPUReadback
            ? new LayerReadback(new AsyncLayerReader(), new PixelLayerReader())
            : new LayerReadback(new PixelLayerReader());

        /// <exception cref="InvalidOperationException">No reader works.</exception>
        public IReadOnlyList<byte[]> Read(RenderTexture texture, int layers)
        {
            while (_readers.Count > 0)
            {
                IReadOnlyList<byte[]> found = _readers.Peek().Read(texture, layers);
                if (found != null)
                {
                    LogOnce(_readers.Peek().Name);
                    return found;
                }
                Debug.Log("Luban pictures: " + _readers.Dequeue().Name + " failed");
                _logged = false;
            }
            throw new InvalidOperationException(
                "the graphics device did not give the pictures back: try -force-vulkan or -force-glcore");
        }

        private void LogOnce(string name)
        {
            if (!_logged)
            {
                _logged = true;
                Debug.Log("Luban pictures: read back by " + name + " on " + SystemInfo.graphicsDeviceType);
            }
        }
    }
}
