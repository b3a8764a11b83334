// Colours of bodies: faces lit by a fixed light, edges of cells drawn as thin lines. Writes sRGB
// values as they are: draw into a target that is not converted.
Shader "Luban/Body"
{
    Properties
    {
        _Colour ("Colour (sRGB)", Vector) = (0.5, 0.5, 0.5, 1)
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

            float4 _Colour;

            struct Corner
            {
                float4 position : SV_POSITION;
                float3 normal : TEXCOORD1;
                float2 place : TEXCOORD0;
            };

            Corner Vertex(appdata_base input)
            {
                Corner corner;
                corner.position = UnityObjectToClipPos(input.vertex);
                corner.normal = UnityObjectToWorldNormal(input.normal);
                corner.place = input.texcoord.xy;
                return corner;
            }

            float4 Fragment(Corner corner) : SV_Target
            {
                float3 light = normalize(float3(0.35, 0.85, -0.45));
                float shade = 0.72 + 0.28 * dot(normalize(corner.normal), light);
                float2 border = min(corner.place, 1.0 - corner.place);
                float2 width = 1.5 * fwidth(corner.place);
                float2 inside = smoothstep(0.25 * width, width, border);
                float edge = lerp(0.55, 1.0, inside.x * inside.y);
                return float4(_Colour.rgb * shade * edge, 1.0);
            }
            ENDHLSL
        }
    }
}
