// Bodies of pictures, as pysim/render/egl/shaders.py draws them: faces brighter or darker the way they
// look, soft shadows, lines between cells, stickers and what stands on them. Colours are worked on as
// sRGB values, and written as they are: draw into a target that is not converted.
//
// Places and normals are in Unity's frame, and in the lattice's once y and z are swapped.
Shader "Luban/Picture"
{
    SubShader
    {
        Cull Off

        HLSLINCLUDE
        #pragma target 4.0
        #include "UnityCG.cginc"

        float4 _Colour;
        float _Id;
        float4 _Distance;  // its product with (x, y, z, 1) is the distance from the camera plane
        float4 _Eye;       // where a pinhole stands and 1; or against the rays, and 0
        float4x4 _Light;   // lattice to the shadow map, x, y and depth from 0 to 1
        float4 _ToLight;
        float _Lift;       // how far off a surface shadows are looked up
        float _Even;       // 1 for colours as they are
        float _ShadowSize; // texels
        Texture2D<float> _Shadow;

        struct Input
        {
            float4 vertex : POSITION;
            float3 normal : NORMAL;
            float4 face : TEXCOORD0;      // u, v, edges, how what stands on it lies
            float4 openness : TEXCOORD1;  // of corners (0, 0), (1, 0), (1, 1), (0, 1)
            float4 paint : TEXCOORD2;     // of the sticker, and whether there is one
            float4 ink : TEXCOORD3;       // 49 bits, 16 in each, the lowest first
        };

        struct Corner
        {
            float4 position : SV_POSITION;
            float4 face : TEXCOORD0;
            float4 openness : TEXCOORD1;
            float4 paint : TEXCOORD2;
            nointerpolation float4 ink : TEXCOORD3;
            float3 place : TEXCOORD4;
            float3 normal : TEXCOORD5;
            float3 light : TEXCOORD6;
        };

        Corner Vertex(Input input)
        {
            Corner corner;
            corner.position = UnityObjectToClipPos(input.vertex);
            corner.face = input.face;
            corner.openness = input.openness;
            corner.paint = input.paint;
            corner.ink = input.ink;
            corner.place = mul(unity_ObjectToWorld, float4(input.vertex.xyz, 1.0)).xzy;
            corner.normal = UnityObjectToWorldNormal(input.normal).xzy;
            corner.light = mul(_Light, float4(corner.place + corner.normal * _Lift, 1.0)).xyz;
            return corner;
        }

        // Share of the light that reaches a point of the shadow map: the mean of 3 x 3 bilinear
        // comparisons, worked out from the 4 x 4 texels that they share.
        float Lit(float3 at)
        {
            at.z = min(at.z, 1.0);  // nothing stands behind the far side of the map
            float2 cell = at.xy * _ShadowSize - 0.5;
            float2 low = floor(cell), f = cell - low;
            float4 across = float4(1.0 - f.x, 1.0, 1.0, f.x), along = float4(1.0 - f.y, 1.0, 1.0, f.y);
            int last = (int)_ShadowSize - 1;
            float sum = 0.0;
            for (int y = 0; y < 4; y++)
            {
                for (int x = 0; x < 4; x++)
                {
                    int2 texel = clamp(int2(low) + int2(x - 1, y - 1), 0, last);
                    float depth = _Shadow.Load(int3(texel, 0));
                    sum += at.z <= depth ? across[x] * along[y] : 0.0;
                }
            }
            return sum / 9.0;
        }

        // Brightness of faces that look along +x +y +z and -x -y -z: any three that meet in a view differ.
        float Bright(float3 normal)
        {
            float3 plus = float3(0.82, 0.75, 1.00), minus = float3(0.87, 0.93, 0.69);
            return dot(normal * normal, lerp(minus, plus, step(1e-6, normal)));
        }

        // Whether what stands on a face is inked at a place of it; see pysim/render/glyphs.py.
        bool Inked(float2 at, uint lie, uint4 ink)
        {
            float2 across = (lie & 1u) == 0u ? at - 0.5 : at.yx - 0.5;
            across *= float2((lie & 2u) == 0u ? 1.0 : -1.0, (lie & 4u) == 0u ? 1.0 : -1.0);
            int2 square = (int2)floor((across / 0.29 + 1.0) * 0.5 * 7.0);
            if (any(square < 0) || any(square >= 7))
            {
                return false;
            }
            uint bit = (uint)(square.y * 7 + square.x);
            return ((ink[bit / 16u] >> (bit % 16u)) & 1u) != 0u;
        }

        // The share of a pixel that is inked, from 4 x 4 places in it.
        float Ink(float2 at, float2 right, float2 down, uint lie, uint4 ink)
        {
            float found = 0.0;
            for (int i = 0; i < 16; i++)
            {
                float2 off = (float2(i % 4, i / 4) - 1.5) / 4.0;
                found += Inked(at + off.x * right + off.y * down, lie, ink) ? 0.0625 : 0.0;
            }
            return found;
        }

        float3 Painted(Corner corner)
        {
            float2 uv = corner.face.xy;
            float4 o = corner.openness;
            float open = lerp(lerp(o.x, o.y, uv.x), lerp(o.w, o.z, uv.x), uv.y);
            float3 normal = normalize(corner.normal);
            float bright = (_Even > 0.0 ? 1.0 : Bright(normal)) * lerp(0.70, 1.0, open);
            float shade = _Even > 0.0 ? 0.0 : 0.22 * smoothstep(0.05, 0.35, dot(normal, _ToLight.xyz));
            bright *= shade > 0.0 ? 1.0 - shade * (1.0 - Lit(corner.light)) : 1.0;

            // Distances in pixels to the four sides of the cell face, and the face's size in pixels.
            float2 right = ddx(uv), down = ddy(uv);
            float2 du = float2(right.x, down.x), dv = float2(right.y, down.y);
            float2 pixels = rsqrt(max(float2(dot(du, du), dot(dv, dv)), 1e-12));
            float4 away = float4(uv.x, 1.0 - uv.x, uv.y, 1.0 - uv.y) * pixels.xxyy;
            float cell = max(pixels.x, pixels.y);
            uint edges = (uint)(corner.face.z + 0.5);
            float4 bends = float4(edges & 1u, (edges >> 1) & 1u, (edges >> 2) & 1u, (edges >> 3) & 1u);
            float width = clamp(cell * 0.045, 0.5, 4.0);
            float4 nearEdge = (1.0 - smoothstep(width - 0.5, width + 0.5, away)) * bends;
            float4 nearLine = (1.0 - smoothstep(0.1, 0.9, away * max(1.0, 20.0 / cell))) * (1.0 - bends);
            float edge = max(max(nearEdge.x, nearEdge.y), max(nearEdge.z, nearEdge.w));
            float between = max(max(nearLine.x, nearLine.y), max(nearLine.z, nearLine.w));

            float2 beyond = abs(uv - 0.5) - 0.27;  // a square with round corners, 0.84 wide
            float outside = length(max(beyond, 0.0)) + min(max(beyond.x, beyond.y), 0.0) - 0.15;
            float stuck = corner.paint.a * saturate(0.5 - outside * cell);
            float3 sticker = corner.paint.rgb;
            uint4 ink = (uint4)(corner.ink + 0.5);
            if (any(ink != 0u))
            {
                float3 stroke = dot(sticker, float3(0.3, 0.6, 0.1)) > 0.45 ? 20.0 / 255.0 : 240.0 / 255.0;
                sticker = lerp(sticker, stroke, Ink(uv, right, down, (uint)(corner.face.w + 0.5), ink));
            }
            float3 colour = lerp(_Colour.rgb, sticker, stuck);
            // The body around it is rounded off: darker towards its edges.
            bright *= lerp(1.0, 0.80, corner.paint.a * (1.0 - stuck));

            // Lines darken bright colours and brighten very dark ones, on which dark lines would be lost;
            // but it is the stickers that have to be told apart.
            float dark = max(step(0.18, dot(colour, float3(0.3, 0.6, 0.1))), corner.paint.a);
            float3 pen = lerp(colour * 0.6 + 0.36, colour * 0.16, dark);
            float3 painted = colour * bright;
            painted = lerp(painted, pen, between * lerp(0.35, 0.26, dark) * smoothstep(3.0, 9.0, cell));
            return lerp(painted, pen, edge * 0.92 * smoothstep(1.5, 6.0, cell));
        }

        float DistanceOf(Corner corner)
        {
            return dot(_Distance, float4(corner.place, 1.0));
        }

        // Whether a face is seen from behind: nothing is seen through but its front.
        bool LooksAway(Corner corner)
        {
            return dot(corner.normal, _Eye.xyz - _Eye.w * corner.place) <= 0.0;
        }
        ENDHLSL

        // 0: colours.
        Pass
        {
            HLSLPROGRAM
            #pragma vertex Vertex
            #pragma fragment Fragment
            float4 Fragment(Corner corner) : SV_Target { return float4(Painted(corner), 1.0); }
            ENDHLSL
        }

        // 1: where bodies that are seen through stand; the nearest of them counts.
        Pass
        {
            ColorMask 0
            HLSLPROGRAM
            #pragma vertex Vertex
            #pragma fragment Fragment
            float4 Fragment(Corner corner) : SV_Target
            {
                clip(LooksAway(corner) ? -1.0 : 1.0);
                return 0.0;
            }
            ENDHLSL
        }

        // 2: their colours, by half.
        Pass
        {
            ZWrite Off
            ZTest LEqual
            Blend SrcAlpha OneMinusSrcAlpha
            HLSLPROGRAM
            #pragma vertex Vertex
            #pragma fragment Fragment
            float4 Fragment(Corner corner) : SV_Target
            {
                clip(LooksAway(corner) ? -1.0 : 1.0);
                return float4(Painted(corner), 0.5);
            }
            ENDHLSL
        }

        // 3: ids and distances.
        Pass
        {
            HLSLPROGRAM
            #pragma vertex Vertex
            #pragma fragment Fragment
            struct Pixel
            {
                float id : SV_Target0;
                float distance : SV_Target1;
            };
            Pixel Fragment(Corner corner)
            {
                Pixel pixel;
                pixel.id = _Id;
                pixel.distance = DistanceOf(corner);
                return pixel;
            }
            ENDHLSL
        }

        // 4: ids, distances and normals.
        Pass
        {
            HLSLPROGRAM
            #pragma vertex Vertex
            #pragma fragment Fragment
            struct Pixel
            {
                float id : SV_Target0;
                float distance : SV_Target1;
                float4 normal : SV_Target2;
            };
            Pixel Fragment(Corner corner)
            {
                Pixel pixel;
                pixel.id = _Id;
                pixel.distance = DistanceOf(corner);
                pixel.normal = float4(normalize(corner.normal), 0.0);
                return pixel;
            }
            ENDHLSL
        }

        // 5: how far bodies are from the sun.
        Pass
        {
            HLSLPROGRAM
            #pragma vertex Vertex
            #pragma fragment Fragment
            float Fragment(Corner corner) : SV_Target
            {
                return mul(_Light, float4(corner.place, 1.0)).z;
            }
            ENDHLSL
        }
    }
}
