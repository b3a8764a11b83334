// What is done to whole pictures, as pysim/render/egl/screens.py does it: shade on the ground, what is
// seen behind the bodies, the lines of boxes, and pictures packed into bytes to be read back at once.
Shader "Luban/Screen"
{
    SubShader
    {
        Cull Off
        ZWrite Off
        ZTest Always

        HLSLINCLUDE
        #pragma target 4.0
        #include "UnityCG.cginc"

        struct Spot
        {
            float4 position : SV_POSITION;
            float2 uv : TEXCOORD0;
        };

        Spot Vertex(appdata_img input)
        {
            Spot spot;
            spot.position = UnityObjectToClipPos(input.vertex);
            spot.uv = input.texcoord;
            return spot;
        }

        float4 Bytes(uint number)
        {
            return float4(number & 255u, (number >> 8) & 255u, (number >> 16) & 255u, number >> 24) / 255.0;
        }
        ENDHLSL

        // 0: how much of the ground is in shadow. Nothing stands below it: whatever the sun meets shades
        // it. A pixel stands for 4 x 4 texels of the shadow map.
        Pass
        {
            HLSLPROGRAM
            #pragma vertex Vertex
            #pragma fragment Fragment
            Texture2D<float> _Shadow;
            float _ShadowSize;
            float4 Fragment(Spot spot) : SV_Target
            {
                int2 first = 4 * (int2)floor(spot.uv * _ShadowSize / 4.0);
                float sum = 0.0;
                for (int i = 0; i < 16; i++)
                {
                    sum += _Shadow.Load(int3(first + int2(i % 4, i / 4), 0)) < 1.0 ? 0.0625 : 0.0;
                }
                return sum;
            }
            ENDHLSL
        }

        // 1: what is seen where no body is. Corners are given in clip coordinates, 1 at the top.
        Pass
        {
            HLSLPROGRAM
            #pragma vertex Corner
            #pragma fragment Fragment
            float4 _Origins[3];
            float4 _Ways[3];
            float4 _Ground;  // x, y of its middle, its height, and how far it is seen; 0 for no ground
            float4x4 _Light;
            float _Even;
            sampler2D _Shade;

            Spot Corner(appdata_img input)
            {
                Spot spot;
                spot.position = UnityObjectToClipPos(input.vertex);
                spot.uv = input.vertex.xy;
                return spot;
            }

            float4 Fragment(Spot spot) : SV_Target
            {
                if (_Even > 0.0)
                {
                    return float4((250.0 / 255.0).xxx, 1.0);
                }
                float3 bottom = float3(0.890, 0.900, 0.910), top = float3(0.965, 0.972, 0.980);
                float3 sky = lerp(bottom, top, 0.5 + 0.5 * spot.uv.y);
                float3 from = _Origins[0].xyz + spot.uv.x * _Origins[1].xyz + spot.uv.y * _Origins[2].xyz;
                float3 ray = _Ways[0].xyz + spot.uv.x * _Ways[1].xyz + spot.uv.y * _Ways[2].xyz;
                if (_Ground.w <= 0.0 || ray.z >= -1e-6)
                {
                    return float4(sky, 1.0);
                }
                float3 at = from + ray * ((_Ground.z - from.z) / ray.z);
                float seen = 1.0 - smoothstep(0.6, 2.6, length(at.xy - _Ground.xy) / max(_Ground.w, 1.0));
                float shade = tex2Dlod(_Shade, float4(mul(_Light, float4(at, 1.0)).xy, 0.0, 0.0)).r;
                float3 ground = float3(0.880, 0.878, 0.862) * (1.0 - 0.26 * shade);
                return float4(lerp(sky, ground, seen), 1.0);
            }
            ENDHLSL
        }

        // 2: lines of a box, where no body hides them; they may lie on a body's face.
        Pass
        {
            Blend SrcAlpha OneMinusSrcAlpha
            HLSLPROGRAM
            #pragma vertex End
            #pragma fragment Fragment
            sampler2D _Distances;

            struct Input
            {
                float4 vertex : POSITION;     // x and y in clip coordinates, divided by w
                float4 mark : TEXCOORD0;      // w, distance, pixels across, half its width in pixels
                float4 colour : COLOR;
            };

            struct Stroke
            {
                float4 position : SV_POSITION;
                float4 place : TEXCOORD0;     // x w, y w, w, distance
                float2 across : TEXCOORD1;
                float4 colour : COLOR;
            };

            Stroke End(Input input)
            {
                Stroke stroke;
                float w = input.mark.x;
                stroke.position = UnityObjectToClipPos(float3(input.vertex.xy, 0.0)) * w;
                stroke.place = float4(input.vertex.xy * w, w, input.mark.y);
                stroke.across = float2(input.mark.z * w, input.mark.w);
                stroke.colour = input.colour;
                return stroke;
            }

            float4 Fragment(Stroke stroke) : SV_Target
            {
                float2 uv = 0.5 + 0.5 * stroke.place.xy / stroke.place.z;
                float body = tex2Dlod(_Distances, float4(uv, 0.0, 0.0)).r;
                bool hidden = body > 0.0 && stroke.place.w > body + 0.06;
                float across = abs(stroke.across.x / stroke.place.z);
                float share = saturate(stroke.across.y + 0.5 - across);
                return float4(stroke.colour.rgb, hidden ? 0.0 : share);
            }
            ENDHLSL
        }

        // 3: colours as bytes.
        Pass
        {
            HLSLPROGRAM
            #pragma vertex Vertex
            #pragma fragment Fragment
            sampler2D _MainTex;
            float4 Fragment(Spot spot) : SV_Target { return float4(tex2D(_MainTex, spot.uv).rgb, 1.0); }
            ENDHLSL
        }

        // 4: ids as bytes.
        Pass
        {
            HLSLPROGRAM
            #pragma vertex Vertex
            #pragma fragment Fragment
            sampler2D_float _MainTex;
            float4 Fragment(Spot spot) : SV_Target { return Bytes((uint)(tex2D(_MainTex, spot.uv).r + 0.5)); }
            ENDHLSL
        }

        // 5: distances as the bytes of floats; infinity where there is nothing.
        Pass
        {
            HLSLPROGRAM
            #pragma vertex Vertex
            #pragma fragment Fragment
            sampler2D_float _MainTex;
            float4 Fragment(Spot spot) : SV_Target
            {
                float found = tex2D(_MainTex, spot.uv).r;
                return Bytes(found > 0.0 ? asuint(found) : 0x7f800000u);
            }
            ENDHLSL
        }

        // 6: one axis of normals, as the bytes of floats.
        Pass
        {
            HLSLPROGRAM
            #pragma vertex Vertex
            #pragma fragment Fragment
            sampler2D_float _MainTex;
            float4 _Axis;
            float4 Fragment(Spot spot) : SV_Target
            {
                return Bytes(asuint(dot(tex2D(_MainTex, spot.uv).xyz, _Axis.xyz)));
            }
            ENDHLSL
        }
    }
}
