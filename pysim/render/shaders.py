"""GLSL of the OpenGL renderer.

Colours are worked on as sRGB values and only ever multiplied or mixed, so no shader needs ``pow``.
Pictures are drawn upside down (the projection is flipped), so that rows are read back top first.
"""

__all__ = [
    "BODY_FRAGMENT",
    "BODY_VERTEX",
    "RESOLVE_FRAGMENT",
    "SCREEN_VERTEX",
    "SHADOW_FRAGMENT",
    "SHADOW_VERTEX",
    "SKY_FRAGMENT",
    "SKY_VERTEX",
]

_BODIES = """#version 430
struct Body { mat4 pose; vec4 colour; };
layout(std430, binding = 0) readonly buffer Bodies { Body bodies[]; };
"""

_LIT = """
uniform sampler2DShadow shadow_map;

// Share of the light that reaches a point of the shadow map: the mean of 3 x 3 bilinear
// comparisons, worked out from the 4 x 4 texels that they share.
float lit(vec3 at) {
    if (any(lessThan(at.xy, vec2(0.0))) || any(greaterThan(at.xy, vec2(1.0)))) return 1.0;
    at.z = min(at.z, 1.0);  // nothing stands behind the far side of the map
    vec2 size = vec2(textureSize(shadow_map, 0));
    vec2 cell = at.xy * size - 0.5;
    vec2 f = fract(cell);
    vec2 base = (floor(cell) + 0.5) / size, step_ = 1.0 / size;
    vec2 low = vec2(-0.5, 1.5);
    vec4 a = textureGather(shadow_map, base + low.xx * step_, at.z);
    vec4 b = textureGather(shadow_map, base + low.yx * step_, at.z);
    vec4 c = textureGather(shadow_map, base + low.xy * step_, at.z);
    vec4 d = textureGather(shadow_map, base + low.yy * step_, at.z);
    // A gather holds (x0, y1), (x1, y1), (x1, y0), (x0, y0).
    vec4 x = vec4(1.0 - f.x, 1.0, 1.0, f.x), y = vec4(1.0 - f.y, 1.0, 1.0, f.y);
    float sum = dot(a, x.xyyx * y.yyxx) + dot(b, x.zwwz * y.yyxx)
              + dot(c, x.xyyx * y.wwzz) + dot(d, x.zwwz * y.wwzz);
    return sum / 9.0;
}
"""

BODY_VERTEX = (
    _BODIES
    + """
uniform mat4 camera;
uniform mat4 light;
uniform vec3 to_light;
uniform float lift;  // how far off the surface shadows are looked up

in vec3 position;
in uvec4 face;  // normal, edges, corner, openness
in uint body;

out vec2 uv;
out vec3 light_at;
centroid out float distance_;
flat out vec3 colour;
flat out vec2 tone;  // brightness of the face, how much a shadow darkens it
flat out uint edges;
flat out vec4 openness;
flat out uint id;

// Brightness of faces that look along +x +y +z and -x -y -z: any three that meet in a view differ.
const vec3 BRIGHT_PLUS = vec3(0.79, 0.71, 1.00);
const vec3 BRIGHT_MINUS = vec3(0.86, 0.92, 0.66);

void main() {
    mat4 pose = bodies[body].pose;
    vec4 world = pose * vec4(position, 1.0);
    vec3 normal = pose[face.x >> 1].xyz * ((face.x & 1u) == 0u ? 1.0 : -1.0);
    vec3 weight = normal * normal;
    vec3 bright = mix(BRIGHT_MINUS, BRIGHT_PLUS, vec3(greaterThan(normal, vec3(0.0))));
    float facing = dot(normal, to_light);
    tone = vec2(dot(weight, bright), 0.30 * smoothstep(0.05, 0.35, facing));
    colour = bodies[body].colour.rgb;
    edges = face.y;
    uv = vec2(face.z == 1u || face.z == 2u, face.z >= 2u);
    openness = vec4((uvec4(face.w) >> uvec4(0, 2, 4, 6)) & 3u) / 3.0;
    id = body + 1u;
    // Looking up the shadow a little off the surface keeps it from shadowing itself.
    light_at = (light * (world + vec4(normal * lift, 0.0))).xyz * 0.5 + 0.5;
    gl_Position = camera * world;
    distance_ = gl_Position.w;
}
"""
)

BODY_FRAGMENT = (
    "#version 430\n"
    + _LIT
    + """
in vec2 uv;
in vec3 light_at;
centroid in float distance_;
flat in vec3 colour;
flat in vec2 tone;
flat in uint edges;
flat in vec4 openness;
flat in uint id;

layout(location = 0) out vec4 out_colour;
layout(location = 1) out uint out_id;
layout(location = 2) out float out_depth;

void main() {
    float open = mix(mix(openness.x, openness.y, uv.x), mix(openness.w, openness.z, uv.x), uv.y);
    float bright = tone.x * mix(0.70, 1.0, open);
    if (tone.y > 0.0) bright *= 1.0 - tone.y * (1.0 - lit(light_at));

    // Distances in pixels to the four sides of the cell face, and the face's size in pixels.
    vec2 du = vec2(dFdx(uv.x), dFdy(uv.x)), dv = vec2(dFdx(uv.y), dFdy(uv.y));
    vec2 pixels = inversesqrt(max(vec2(dot(du, du), dot(dv, dv)), vec2(1e-12)));
    vec4 away = vec4(uv.x, 1.0 - uv.x, uv.y, 1.0 - uv.y) * pixels.xxyy;
    float cell = max(pixels.x, pixels.y);
    vec4 bends = vec4((uvec4(edges) >> uvec4(0, 1, 2, 3)) & 1u);
    float width = clamp(cell * 0.045, 0.5, 4.0);
    vec4 near_edge = (1.0 - smoothstep(width - 0.5, width + 0.5, away)) * bends;
    vec4 near_line = (1.0 - smoothstep(0.1, 0.9, away * max(1.0, 20.0 / cell))) * (1.0 - bends);
    float edge = max(max(near_edge.x, near_edge.y), max(near_edge.z, near_edge.w));
    float line = max(max(near_line.x, near_line.y), max(near_line.z, near_line.w));

    // Lines darken bright colours and brighten very dark ones, on which dark lines would be lost.
    float luma = dot(colour, vec3(0.3, 0.6, 0.1));
    float dark = step(0.18, luma);
    vec3 ink = mix(colour * 0.6 + 0.36, colour * 0.16, dark);
    vec3 painted = colour * bright;
    painted = mix(painted, ink, line * mix(0.35, 0.26, dark) * smoothstep(3.0, 9.0, cell));
    painted = mix(painted, ink, edge * 0.92 * smoothstep(1.5, 6.0, cell));
    out_colour = vec4(painted, 1.0);
    out_id = id;
    out_depth = distance_;
}
"""
)

SKY_VERTEX = """#version 430
uniform mat3 rays;  // columns: right, up and forward of the camera, scaled to the picture's half

out vec3 ray;
out float height;

void main() {
    vec2 corner = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2) * 2.0 - 1.0;
    ray = rays * vec3(corner.x, -corner.y, 1.0);
    height = 0.5 - 0.5 * corner.y;
    gl_Position = vec4(corner, 1.0, 1.0);
}
"""

SKY_FRAGMENT = (
    "#version 430\n"
    + _LIT
    + """
uniform vec3 eye;
uniform mat4 light;
uniform vec4 ground;  // x, y of its middle, its height, and how far it is seen; 0 for no ground

in vec3 ray;
in float height;

layout(location = 0) out vec4 out_colour;
layout(location = 1) out uint out_id;
layout(location = 2) out float out_depth;

const vec3 SKY_TOP = vec3(0.965, 0.972, 0.980);
const vec3 SKY_BOTTOM = vec3(0.890, 0.900, 0.910);
const vec3 GROUND = vec3(0.880, 0.878, 0.862);

void main() {
    vec3 shade = mix(SKY_BOTTOM, SKY_TOP, height);
    if (ground.w > 0.0 && ray.z < 0.0) {
        vec3 at = eye + ray * ((ground.z - eye.z) / ray.z);
        float seen = 1.0 - smoothstep(0.6, 2.6, length(at.xy - ground.xy) / ground.w);
        if (seen > 0.0) {
            vec3 light_at = (light * vec4(at, 1.0)).xyz * 0.5 + 0.5;
            shade = mix(shade, GROUND * (1.0 - 0.26 * (1.0 - lit(light_at))), seen);
        }
    }
    out_colour = vec4(shade, 1.0);
    out_id = 0u;
    out_depth = uintBitsToFloat(0x7f800000u);  // infinity
}
"""
)

SHADOW_VERTEX = (
    _BODIES
    + """
uniform mat4 light;

in vec3 position;
in uint body;

void main() {
    gl_Position = light * (bodies[body].pose * vec4(position, 1.0));
}
"""
)

SHADOW_FRAGMENT = """#version 430
void main() {}
"""

SCREEN_VERTEX = """#version 430
void main() {
    vec2 corner = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2) * 2.0 - 1.0;
    gl_Position = vec4(corner, 0.0, 1.0);
}
"""

RESOLVE_FRAGMENT = """#version 430
uniform sampler2DMS colours;
uniform usampler2DMS ids;
uniform sampler2DMS depths;

const int SAMPLES = 4;

layout(location = 0) out vec4 out_colour;
layout(location = 1) out uint out_id;
layout(location = 2) out float out_depth;

// Colours are averaged; id and depth are those of one real sample, always the first.
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec4 sum = vec4(0.0);
    for (int i = 0; i < SAMPLES; i++) sum += texelFetch(colours, at, i);
    out_colour = sum / float(SAMPLES);
    out_id = texelFetch(ids, at, 0).r;
    out_depth = texelFetch(depths, at, 0).r;
}
"""
