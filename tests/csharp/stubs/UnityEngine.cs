// The parts of UnityEngine that the project uses, as declarations: to check types against. Written after the
// documented API of Unity 6000.0. What drawing needs also runs (tests/csharp/drawing): it draws nothing, objects
// count themselves, and a layer is read back as bytes of its own number.
using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;

[assembly: InternalsVisibleTo("Luban.Tests.PlayMode")]

namespace UnityEngine
{
    public struct Vector2
    {
        public float x, y;
        public Vector2(float x, float y) { this.x = x; this.y = y; }
    }

    public struct Vector3
    {
        public float x, y, z;
        public Vector3(float x, float y, float z) { this.x = x; this.y = y; this.z = z; }
        public static Vector3 one => default(Vector3);
        public float magnitude => throw new NotImplementedException();
        public static Vector3 Cross(Vector3 a, Vector3 b) => default(Vector3);
        public static float Dot(Vector3 a, Vector3 b) => default(float);
        public static Vector3 Lerp(Vector3 a, Vector3 b, float t) => default(Vector3);
        public static Vector3 operator +(Vector3 a, Vector3 b) => default(Vector3);
        public static Vector3 operator -(Vector3 a, Vector3 b) => default(Vector3);
        public static Vector3 operator *(Vector3 a, float k) => default(Vector3);
        public static Vector3 operator /(Vector3 a, float k) => default(Vector3);
    }

    public struct Vector4
    {
        public float x, y, z, w;
        public Vector4(float x, float y, float z, float w) { this.x = x; this.y = y; this.z = z; this.w = w; }
    }

    public struct Quaternion
    {
        public static Quaternion Slerp(Quaternion a, Quaternion b, float t) => default(Quaternion);
    }

    public struct Matrix4x4
    {
        public float m03, m13, m23;
        public Matrix4x4(Vector4 column0, Vector4 column1, Vector4 column2, Vector4 column3) { m03 = m13 = m23 = 0f; }
        public static Matrix4x4 identity => default(Matrix4x4);
        public static Matrix4x4 zero => default(Matrix4x4);
        public Quaternion rotation => throw new NotImplementedException();
        public float determinant => throw new NotImplementedException();
        public float this[int row, int column] { get => 0f; set { } }
        public static Matrix4x4 TRS(Vector3 position, Quaternion rotation, Vector3 scale) => default(Matrix4x4);
        public Vector3 MultiplyPoint3x4(Vector3 point) => point;
        public static Matrix4x4 operator *(Matrix4x4 a, Matrix4x4 b) => default(Matrix4x4);
    }

    public struct Color
    {
        public Color(float r, float g, float b, float a) { }
        public static Color clear => default(Color);
    }

    public static class Mathf
    {
        public static float Round(float f) => (float)Math.Round(f);
        public static float Sqrt(float f) => (float)Math.Sqrt(f);
        public static float Min(float a, float b) => Math.Min(a, b);
        public static float Max(float a, float b) => Math.Max(a, b);
    }

    public class Object
    {
        internal static readonly List<Object> Living = new List<Object>();
        public Object() => Living.Add(this);
        public string name { get; set; }
        public static void Destroy(Object obj)
        {
            if (!Living.Remove(obj))
            {
                throw new InvalidOperationException("destroyed twice, or null");
            }
        }
        public static bool operator ==(Object a, Object b) => ReferenceEquals(a, b);
        public static bool operator !=(Object a, Object b) => !ReferenceEquals(a, b);
        public override bool Equals(object other) => ReferenceEquals(this, other);
        public override int GetHashCode() => base.GetHashCode();
    }

    public class Component : Object
    {
        public Transform transform => throw new NotImplementedException();
        public GameObject gameObject => throw new NotImplementedException();
    }

    public sealed class Camera : Behaviour
    {
        public static Camera[] allCameras => throw new NotImplementedException();
    }

    public class Behaviour : Component
    {
        public bool enabled { get; set; }
    }

    public class MonoBehaviour : Behaviour
    {
    }

    public sealed class GameObject : Object
    {
        public GameObject(string name) => throw new NotImplementedException();
        public Transform transform => throw new NotImplementedException();
        public T AddComponent<T>() where T : Component => throw new NotImplementedException();
        public void SetActive(bool value) => throw new NotImplementedException();
    }

    public class Transform : Component
    {
        public Vector3 position { get; set; }
        public Quaternion rotation { get; set; }
        public Matrix4x4 localToWorldMatrix => throw new NotImplementedException();
        public void SetParent(Transform parent, bool worldPositionStays) => throw new NotImplementedException();
        public void SetPositionAndRotation(Vector3 position, Quaternion rotation) => throw new NotImplementedException();
        public Vector3 TransformPoint(Vector3 position) => throw new NotImplementedException();
    }

    public sealed class Mesh : Object
    {
        public Rendering.IndexFormat indexFormat { get; set; }
        public Vector3[] vertices { get; set; }
        public Vector3[] normals { get; set; }
        public int[] triangles { get; set; }
        public void SetVertices(System.Collections.Generic.List<Vector3> vertices) { }
        public void SetNormals(System.Collections.Generic.List<Vector3> normals) { }
        public void SetUVs(int channel, System.Collections.Generic.List<Vector4> uvs) { }
        public void SetColors(System.Collections.Generic.List<Color> inColors) { }
        public void SetTriangles(System.Collections.Generic.List<int> triangles, int submesh) { }
        public void RecalculateBounds() { }
    }

    public sealed class MeshFilter : Component
    {
        public Mesh sharedMesh { get; set; }
    }

    public class Renderer : Component
    {
        public Material sharedMaterial { get; set; }
        public void SetPropertyBlock(MaterialPropertyBlock properties) => throw new NotImplementedException();
    }

    public sealed class MeshRenderer : Renderer
    {
    }

    public sealed class Shader : Object
    {
        public static int PropertyToID(string name) => 0;
    }

    public class Material : Object
    {
        public Material(Shader shader) { }
    }

    public sealed class MaterialPropertyBlock
    {
        public void SetVector(int nameID, Vector4 value) { }
        public void SetFloat(int nameID, float value) { }
    }

    public static class Resources
    {
        public static T Load<T>(string path) where T : Object => null;
        public static T[] FindObjectsOfTypeAll<T>() where T : Object => Object.Living.OfType<T>().ToArray();
    }

    public enum CollisionDetectionMode
    {
        Discrete,
    }

    public class Rigidbody : Component
    {
        public bool isKinematic { get; set; }
        public bool useGravity { get; set; }
        public float mass { get; set; }
        public CollisionDetectionMode collisionDetectionMode { get; set; }
        public Vector3 linearVelocity { get; set; }
        public Vector3 angularVelocity { get; set; }
    }

    public class Collider : Component
    {
    }

    public sealed class BoxCollider : Collider
    {
        public Vector3 center { get; set; }
        public Vector3 size { get; set; }
    }

    public struct RaycastHit
    {
        public float distance { get; set; }
        public Rigidbody rigidbody => throw new NotImplementedException();
    }

    public enum SimulationMode
    {
        FixedUpdate,
        Update,
        Script,
    }

    public static class Physics
    {
        public static SimulationMode simulationMode { get; set; }
        public static Vector3 gravity { get; set; }
        public static void Simulate(float step) => throw new NotImplementedException();
        public static void SyncTransforms() => throw new NotImplementedException();
        public static RaycastHit[] BoxCastAll(Vector3 center, Vector3 halfExtents, Vector3 direction, Quaternion orientation, float maxDistance) => throw new NotImplementedException();
    }

    public static class Time
    {
        public static float deltaTime => throw new NotImplementedException();
    }

    public static class Application
    {
        public static string unityVersion => throw new NotImplementedException();
        public static int targetFrameRate { get; set; }
        public static bool runInBackground { get; set; }
        public delegate void LogCallback(string condition, string stackTrace, LogType type);
        public static event LogCallback logMessageReceived;
        internal static void Receive(string message) => logMessageReceived?.Invoke(message, "", LogType.Log);
        public static void Quit(int exitCode) => throw new NotImplementedException();
    }

    public static class QualitySettings
    {
        public static int vSyncCount { get; set; }
    }

    public static class SystemInfo
    {
        public static bool supportsAsyncGPUReadback => AsyncReadbacks.Supported;
        public static string graphicsDeviceName => throw new NotImplementedException();
        public static string graphicsDeviceVersion => throw new NotImplementedException();
        public static Rendering.GraphicsDeviceType graphicsDeviceType => Rendering.GraphicsDeviceType.OpenGLCore;
    }

    public static class Debug
    {
        public static void Log(object message) => Application.Receive((string)message);
        public static void LogError(object message) => throw new NotImplementedException();
        public static void LogException(Exception exception) => throw new NotImplementedException();
    }

    public enum RenderTextureFormat
    {
        ARGB32,
        RFloat,
        ARGBFloat,
        R8,
    }

    public enum RenderTextureReadWrite
    {
        Default,
        Linear,
        sRGB,
    }

    public enum ColorSpace
    {
        Gamma = 0,
    }

    public enum FullScreenMode
    {
        Windowed = 3,
    }

    public enum CubemapFace
    {
        Unknown = -1,
    }

    public struct Rect
    {
        public Rect(float x, float y, float width, float height) { }
    }

    /// <summary>How the stubs answer a readback; no part of UnityEngine.</summary>
    internal static class AsyncReadbacks
    {
        internal static bool Supported = true, Fail;
    }

    public enum FilterMode
    {
        Point,
        Bilinear,
    }

    public enum TextureWrapMode
    {
        Repeat,
        Clamp,
    }

    public class Texture : Object
    {
        public FilterMode filterMode { get; set; }
        public TextureWrapMode wrapMode { get; set; }
        public virtual Rendering.TextureDimension dimension { get; set; }
        public int width { get; protected set; }
        public int height { get; protected set; }
    }

    public class RenderTexture : Texture
    {
        public RenderTexture(int width, int height, int depth, RenderTextureFormat format, RenderTextureReadWrite readWrite)
        {
            this.width = width;
            this.height = height;
        }
        public static RenderTexture active { get; set; }
        public int antiAliasing { get; set; }
        public int volumeDepth { get; set; }
        public bool Create() => true;
        public void Release() { }
    }

    public enum TextureFormat
    {
        RGBA32,
    }

    public sealed class Texture2D : Texture
    {
        public Texture2D(int width, int height, TextureFormat format, bool mipChain, bool linear)
        {
            this.width = width;
            this.height = height;
        }
        private byte[] _data;
        public void LoadRawTextureData(byte[] data) => _data = data;
        public void ReadPixels(Rect source, int destX, int destY, bool recalculateMipMaps) => _data = Graphics.LayerBytes(width, Graphics.Slice);
        public byte[] GetRawTextureData() => _data;
    }

    public static class ImageConversion
    {
        public static byte[] EncodeToPNG(this Texture2D texture) => texture.GetRawTextureData();
    }

    public static class Graphics
    {
        internal static int Slice;
        internal static byte[] LayerBytes(int size, int layer) => Enumerable.Repeat((byte)(layer + 1), 4 * size * size).ToArray();
        public static void ExecuteCommandBuffer(Rendering.CommandBuffer buffer) { }
        public static void SetRenderTarget(RenderTexture rt, int mipLevel, CubemapFace face, int depthSlice)
        {
            RenderTexture.active = rt;
            Slice = depthSlice;
        }
    }
}

namespace UnityEngine.Rendering
{
    public enum IndexFormat
    {
        UInt16,
        UInt32,
    }

    public enum TextureDimension
    {
        Tex2D,
        Tex2DArray,
    }

    public struct AsyncGPUReadbackRequest
    {
        internal int Size;
        public bool hasError => AsyncReadbacks.Fail;
        public void WaitForCompletion() { }
        public Unity.Collections.NativeArray<T> GetData<T>(int layer = 0) where T : struct =>
            new Unity.Collections.NativeArray<T> { Data = (T[])(object)Graphics.LayerBytes(Size, layer) };
    }

    public static class AsyncGPUReadback
    {
        public static AsyncGPUReadbackRequest Request(
            Texture src, int mipIndex, int x, int width, int y, int height, int z, int depth,
            TextureFormat dstFormat, Action<AsyncGPUReadbackRequest> callback = null) => new AsyncGPUReadbackRequest { Size = width };
    }

    public enum GraphicsDeviceType
    {
        Null,
        OpenGLCore = 17,
        Vulkan = 21,
    }

    public struct RenderTargetIdentifier
    {
        public RenderTargetIdentifier(Texture texture) { }
    }

    public class CommandBuffer
    {
        public string name { get; set; }
        public void SetRenderTarget(RenderTargetIdentifier target) { }
        public void SetRenderTarget(RenderTargetIdentifier[] colors, RenderTargetIdentifier depth) { }
        public void ClearRenderTarget(bool clearDepth, bool clearColor, Color backgroundColor) { }
        public void SetViewProjectionMatrices(Matrix4x4 view, Matrix4x4 proj) { }
        public void DrawMesh(Mesh mesh, Matrix4x4 matrix, Material material, int submeshIndex, int shaderPass) { }
        public void Blit(RenderTargetIdentifier source, RenderTargetIdentifier dest) { }
        public void Blit(RenderTargetIdentifier source, RenderTargetIdentifier dest, Material mat, int pass) { }
        public void Blit(RenderTargetIdentifier source, RenderTargetIdentifier dest, Material mat, int pass, int destDepthSlice) { }
        public void SetGlobalFloat(string name, float value) { }
        public void SetGlobalVector(string name, Vector4 value) { }
        public void SetGlobalVectorArray(string name, Vector4[] values) { }
        public void SetGlobalMatrix(string name, Matrix4x4 value) { }
        public void SetGlobalTexture(string name, RenderTargetIdentifier value) { }
        public void DrawMesh(Mesh mesh, Matrix4x4 matrix, Material material, int submeshIndex, int shaderPass, MaterialPropertyBlock properties) { }
        public void Release() { }
    }
}

namespace Unity.Collections
{
    public struct NativeArray<T> where T : struct
    {
        internal T[] Data;
        public T[] ToArray() => Data;
    }
}
