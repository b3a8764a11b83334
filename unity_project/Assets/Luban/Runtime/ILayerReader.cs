using System.Collections.Generic;
using UnityEngine;

namespace Luban.Runtime
{
    /// <summary>One way to copy layers of a texture array from the graphics device into memory.</summary>
    internal interface ILayerReader
    {
        /// <summary>The engine's function that it uses, for the log.</summary>
        string Name { get; }

        /// <summary>
        /// Read the first layers as RGBA bytes, the bottom row first. Null means that the device reported an error.
        /// </summary>
        IReadOnlyList<byte[]> Read(RenderTexture texture, int layers);
    }
}
