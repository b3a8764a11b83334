// The parts of UnityEngine that the project uses, as declarations: to check types against, never to
// run. Written after the documented API of Unity 6000.0.
using System;

namespace UnityEngine
{
    public struct Vector2
    {
        public float x, y;
        public Vector2(float x, float y) => throw new NotImplementedException();
    }

    public struct Vector3
    {
        public float x, y, z;
        public Vector3(float x, float y, float z) => throw new NotImplementedException();
        public static Vector3 one => throw new NotImplementedException();
        public float magnitude => throw new NotImplementedException();
        public static Vector3 Cross(Vector3 a, Vector3 b) => throw new NotImplementedException();
        public static float Dot(Vector3 a, Vector3 b) => throw new NotImplementedException();
        public static Vector3 Lerp(Vector3 a, Vector3 b, float t) => throw new NotImplementedException();
        public static Vector3 operator +(Vector3 a, Vector3 b) => throw new NotImplementedException();
        public static Vector3 operator -(Vector3 a, Vector3 b) => throw new NotImplementedException();
        public static Vector3 operator *(Vector3 a, float k) => throw new NotImplementedException();
        public static Vector3 operator /(Vector3 a, float k) => throw new NotImplementedException();
    }

    public struct Vector4
    {
        public float x, y, z, w;
        public Vector4(float x, float y, float z, float w) => throw new NotImplementedException();
    }

    public struct Quaternion
    {
        public static Quaternion Slerp(Quaternion a, Quaternion b, float t) => throw new NotImplementedException();
    }

    public struct Matrix4x4
    {
        public float m03, m13, m23;
        public Matrix4x4(Vector4 column0, Vector4 column1, Vector4 column2, Vector4 column3) => throw new NotImplementedException();
        public static Matrix4x4 identity => throw new NotImplementedException();
        public static Matrix4x4 zero => throw new NotImplementedException();
        public Quaternion rotation => throw new NotImplementedException();
        public float determinant => throw new NotImplementedException();
        public float this[int row, int column] { get => throw new NotImplementedException(); set { } }
        public static Matrix4x4 TRS(Vector3 position, Quaternion rotation, Vector3 scale) => throw new NotImplementedException();
        public Vector3 MultiplyPoint3x4(Vector3 point) => throw new NotImplementedException();
        public static Matrix4x4 operator *(Matrix4x4 a, Matrix4x4 b) => throw new NotImplementedException();
    }

    public struct Color
    {
        public Color(float r, float g, float b, float a) => throw new NotImplementedException();
        public static Color clear => throw new NotImplementedException();
    }

    public struct Rect
    {
        public Rect(float x, float y, float width, float height) => throw new NotImplementedException();
    }

    public static class Mathf
    {
        public static float Min(float a, float b) => throw new NotImplementedException();
        public static float Max(float a, float b) => throw new NotImplementedException();
    }

    public class Object
    {
        public string name { get; set; }
        public static void Destroy(Object obj) => throw new NotImplementedException();
        public static bool operator ==(Object a, Object b) => throw new NotImplementedException();
        public static bool operator !=(Object a, Object b) => throw new NotImplementedException();
        public override bool Equals(object other) => throw new NotImplementedException();
        public override int GetHashCode() => throw new NotImplementedException();
    }

    public class Component : Object
    {
        public Transform transform => throw new NotImplementedException();
        public GameObject gameObject => throw new NotImplementedException();
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
        public void SetVertices(System.Collections.Generic.List<Vector3> vertices) => throw new NotImplementedException();
        public void SetNormals(System.Collections.Generic.List<Vector3> normals) => throw new NotImplementedException();
        public void SetUVs(int channel, System.Collections.Generic.List<Vector2> uvs) => throw new NotImplementedException();
        public void SetTriangles(System.Collections.Generic.List<int> triangles, int submesh) => throw new NotImplementedException();
        public void RecalculateBounds() => throw new NotImplementedException();
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
        public static int PropertyToID(string name) => throw new NotImplementedException();
    }

    public class Material : Object
    {
        public Material(Shader shader) => throw new NotImplementedException();
    }

    public sealed class MaterialPropertyBlock
    {
        public void SetVector(int nameID, Vector4 value) => throw new NotImplementedException();
        public void SetFloat(int nameID, float value) => throw new NotImplementedException();
    }

    public static class Resources
    {
        public static T Load<T>(string path) where T : Object => throw new NotImplementedException();
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
        public static void Quit(int exitCode) => throw new NotImplementedException();
    }

    public static class QualitySettings
    {
        public static int vSyncCount { get; set; }
    }

    public static class SystemInfo
    {
        public static string graphicsDeviceName => throw new NotImplementedException();
        public static string graphicsDeviceVersion => throw new NotImplementedException();
        public static Rendering.GraphicsDeviceType graphicsDeviceType => throw new NotImplementedException();
    }

    public static class Debug
    {
        public static void Log(object message) => throw new NotImplementedException();
        public static void LogError(object message) => throw new NotImplementedException();
        public static void LogException(Exception exception) => throw new NotImplementedException();
    }

    public enum RenderTextureFormat
    {
        ARGB32,
        RFloat,
    }

    public enum RenderTextureReadWrite
    {
        Default,
        Linear,
        sRGB,
    }

    public class Texture : Object
    {
        public int width => throw new NotImplementedException();
        public int height => throw new NotImplementedException();
    }

    public class RenderTexture : Texture
    {
        public RenderTexture(int width, int height, int depth, RenderTextureFormat format, RenderTextureReadWrite readWrite) => throw new NotImplementedException();
        public static RenderTexture active { get; set; }
        public int antiAliasing { get; set; }
        public bool Create() => throw new NotImplementedException();
        public void Release() => throw new NotImplementedException();
    }

    public enum TextureFormat
    {
        RGB24,
        RFloat,
    }

    public sealed class Texture2D : Texture
    {
        public Texture2D(int width, int height, TextureFormat format, bool mipChain, bool linear) => throw new NotImplementedException();
        public void ReadPixels(Rect source, int destX, int destY, bool recalculateMipMaps) => throw new NotImplementedException();
        public byte[] GetRawTextureData() => throw new NotImplementedException();
    }

    public static class ImageConversion
    {
        public static byte[] EncodeToPNG(this Texture2D texture) => throw new NotImplementedException();
    }

    public static class Graphics
    {
        public static void ExecuteCommandBuffer(Rendering.CommandBuffer buffer) => throw new NotImplementedException();
    }
}

namespace UnityEngine.Rendering
{
    public enum IndexFormat
    {
        UInt16,
        UInt32,
    }

    public enum GraphicsDeviceType
    {
        Null,
    }

    public struct RenderTargetIdentifier
    {
        public RenderTargetIdentifier(Texture texture) => throw new NotImplementedException();
    }

    public class CommandBuffer
    {
        public string name { get; set; }
        public void SetRenderTarget(RenderTargetIdentifier target) => throw new NotImplementedException();
        public void SetRenderTarget(RenderTargetIdentifier[] colors, RenderTargetIdentifier depth) => throw new NotImplementedException();
        public void ClearRenderTarget(bool clearDepth, bool clearColor, Color backgroundColor) => throw new NotImplementedException();
        public void SetViewProjectionMatrices(Matrix4x4 view, Matrix4x4 proj) => throw new NotImplementedException();
        public void DrawMesh(Mesh mesh, Matrix4x4 matrix, Material material, int submeshIndex, int shaderPass, MaterialPropertyBlock properties) => throw new NotImplementedException();
        public void Release() => throw new NotImplementedException();
    }
}
