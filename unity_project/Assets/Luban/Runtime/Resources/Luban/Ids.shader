// Into the first target a body's id, into the second its distance from the camera plane: the clip
// coordinate w, which for a pinhole camera is that distance in units.
Shader "Luban/Ids"
{
    Properties
    {
        _Id ("Id", Float) = 0
    }
    SubShader
    {
        Pass
        {
            Cull Off
            HLSLPROGRAM
            #pragma vertex Vertex
            #pragma fragment Fragment
            #pragma target 3.5
            #include "UnityCG.cginc"

            float _Id;

            struct Corner
            {
                float4 position : SV_POSITION;
                float depth : TEXCOORD0;
            };

            struct Pixel
            {
                float id : SV_Target0;
                float depth : SV_Target1;
            };

            Corner Vertex(float4 vertex : POSITION)
            {
                Corner corner;
                corner.position = UnityObjectToClipPos(vertex);
                corner.depth = corner.position.w;
                return corner;
            }

            Pixel Fragment(Corner corner)
            {
                Pixel pixel;
                pixel.id = _Id;
                pixel.depth = corner.depth;
                return pixel;
            }
            ENDHLSL
        }
    }
}
