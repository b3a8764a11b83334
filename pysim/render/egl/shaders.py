"""GLSL of the OpenGL renderer.

Every picture is a layer of an array; one draw fills all of them. Colours are worked on as sRGB
values and only ever multiplied or mixed, so no shader needs ``pow``. Pictures are drawn upside down
(the projection is flipped), so that rows are read back top first.
"""

import numpy as np

from pysim.glyphs import GLYPHS
from pysim.render.egl.finishes import WOOD
from pysim.render.glyphs import DARK, LIGHT, MIDDLE, REACH, SIDE, build_patterns

__all__ = [
    "BODIES",
    "BODY_FRAGMENT",
    "BODY_VERTEX",
    "EXACT_FRAGMENT",
    "EXACT_VERTEX",
    "LIGHTS",
    "PLACE_ON_FACE",
    "SHADE_FACE",
    "SHADOW_FRAGMENT",
    "SHADOW_VERTEX",
    "VERTEX",
    "VIEWS",
    "add_stickers",
]

VERTEX = """#version 450
#extension GL_ARB_shader_viewport_layer_array : require
"""


def add_stickers(source: str) -> str:
    """Return a body shader that draws stickers as well."""
    version, rest = source.split("\n", 1)
    return f"{version}\n#define STICKERS\n{rest}"


BODIES = """
struct Body { mat4 pose; vec4 colour; };
layout(std430, binding = 0) readonly buffer Bodies { Body bodies[]; };
"""

VIEWS = """
struct View {
    mat4 camera;     // world to clip coordinates
    vec4 gaze;       // its product with (x, y, z, 1) is the distance from the camera plane
    vec4 origin[3];  // where rays start: in the picture's middle, and what x and y add; .w: the
                     // number of the scene, and whether faces are all equally bright
    vec4 ray[3];     // where they go, likewise
    vec4 ground;     // x, y of its middle, its height, and how far it is seen; 0 for no ground
};
layout(std430, binding = 1) readonly buffer Views { View views[]; };
"""

LIGHTS = """
struct Light {
    mat4 matrix;  // world to texture coordinates and depth of the shadow map
    float lift;   // how far off a surface shadows are looked up
};
layout(std430, binding = 2) readonly buffer Lights { Light lights[]; };
"""

_ON_FACE = """
SMOOTH vec2 uv;  // in cells
FLAT vec2 cells;
#ifndef PLAIN
SMOOTH vec3 light_at;
FLAT float light_layer;
#endif
FLAT vec3 base;
#ifdef STICKERS
FLAT vec4 sticker;
FLAT uvec2 glyph;  // which stands on it, from 1, and how it lies
#endif
FLAT vec2 tone;  // brightness of the face, how much a shadow darkens it
FLAT uint edges;
FLAT vec4 openness;
#if FINISH == 2
SMOOTH vec3 local;
FLAT float seed;
#endif
"""

PLACE_ON_FACE = (
    _ON_FACE
    + """
uniform vec3 to_light;

// Brightness of faces that look along +x +y +z and -x -y -z: any three that meet in a view differ.
const vec3 BRIGHT_PLUS = vec3(0.82, 0.75, 1.00);
const vec3 BRIGHT_MINUS = vec3(0.87, 0.93, 0.69);

// Sets all that is known of a point of a body's face, but its uv and sticker.
// face: normal, edges, corner, openness.
void place_on_face(Body own, uint body, int layer, vec3 at, uvec4 face, uvec2 extent) {
    uint side = face.x & 7u;
    vec4 world = own.pose * vec4(at, 1.0);
    vec3 normal = normalize(own.pose[side >> 1].xyz) * ((side & 1u) == 0u ? 1.0 : -1.0);
    vec3 weight = normal * normal;
    vec3 bright = mix(BRIGHT_MINUS, BRIGHT_PLUS, vec3(greaterThan(normal, vec3(0.0))));
    float facing = dot(normal, to_light);
    tone = views[layer].origin[1].w > 0.0
         ? vec2(1.0, 0.0)
         : vec2(dot(weight, bright), 0.22 * smoothstep(0.05, 0.35, facing));
#if FINISH > 0
    float around = 0.66 + dot(normal, vec3(0.05, -0.04, 0.10));
    if (views[layer].origin[1].w == 0.0) tone.x = around + 0.24 * max(facing, 0.0);
#endif
#if FINISH == 2
    local = at;
    seed = float(body + 1u);
#endif
    base = own.colour.rgb;
    edges = face.y;
    cells = vec2(extent);
    openness = vec4((uvec4(face.w) >> uvec4(0, 2, 4, 6)) & 3u) / 3.0;
#ifdef STICKERS
    glyph = uvec2(face.z >> 2, face.x >> 3);
#endif
#ifndef PLAIN
    light_layer = views[layer].origin[0].w;
    int scene = int(light_layer);
    // Looking up the shadow a little off the surface keeps it from shadowing itself.
    light_at = (lights[scene].matrix * (world + vec4(normal * lights[scene].lift, 0.0))).xyz;
#endif
}
"""
)
"""Sets what the colour of a point of a face depends on. SMOOTH and FLAT say where it is kept."""

BODY_VERTEX = (
    VERTEX
    + BODIES
    + VIEWS
    + LIGHTS
    + "#define SMOOTH out\n#define FLAT flat out\n"
    + PLACE_ON_FACE
    + """
in vec3 position;
in uvec4 face;   // normal, edges, corner, openness
#ifdef STICKERS
in vec4 paint;   // colour of the sticker, and whether there is one
#endif
in uvec2 extent;  // cells of the face along u and v
in uint body;
in uvec2 place;  // row of the first body in bodies, layer

void main() {
    int layer = int(place.y);
    uint row = place.x + body, corner = face.z & 3u;
    place_on_face(bodies[row], body, layer, position, face, extent);
    uv = vec2(corner == 1u || corner == 2u, corner >= 2u) * cells;
#ifdef STICKERS
    sticker = paint;
#endif
    gl_Position = views[layer].camera * (bodies[row].pose * vec4(position, 1.0));
    gl_Layer = layer;
}
"""
)

_LIT = """
uniform sampler2DArrayShadow shadow_map;

// Share of the light that reaches a point of the shadow map: the mean of 3 x 3 bilinear
// comparisons, worked out from the 4 x 4 texels that they share.
float lit(vec3 at) {
    at.z = min(at.z, 1.0);  // nothing stands behind the far side of the map
    vec2 size = vec2(textureSize(shadow_map, 0).xy);
    vec2 cell = at.xy * size - 0.5;
    vec2 f = fract(cell);
    vec2 base = (floor(cell) + 0.5) / size, step_ = 1.0 / size;
    vec2 low = vec2(-0.5, 1.5);
    vec4 a = textureGather(shadow_map, vec3(base + low.xx * step_, light_layer), at.z);
    vec4 b = textureGather(shadow_map, vec3(base + low.yx * step_, light_layer), at.z);
    vec4 c = textureGather(shadow_map, vec3(base + low.xy * step_, light_layer), at.z);
    vec4 d = textureGather(shadow_map, vec3(base + low.yy * step_, light_layer), at.z);
    // A gather holds (x0, y1), (x1, y1), (x1, y0), (x0, y0).
    vec4 x = vec4(1.0 - f.x, 1.0, 1.0, f.x), y = vec4(1.0 - f.y, 1.0, 1.0, f.y);
    float sum = dot(a, x.xyyx * y.yyxx) + dot(b, x.zwwz * y.yyxx)
              + dot(c, x.xyyx * y.wwzz) + dot(d, x.zwwz * y.wwzz);
    return sum / 9.0;
}
"""


def _glyph_table() -> str:
    """Return the patterns of all glyphs as bits, from the lowest row on, and how they are drawn."""
    bits = np.packbits(build_patterns().reshape(len(GLYPHS), -1), axis=1, bitorder="little")
    words = np.pad(bits, ((0, 0), (0, 8 - bits.shape[1]))).view("<u4")
    rows = ", ".join(f"uvec2({low}u, {high}u)" for low, high in words.tolist())
    inks = (f"vec3({', '.join(f'{value / 255.0:.6f}' for value in ink)})" for ink in (DARK, LIGHT))
    dark, light = inks
    return f"""const float REACH = {REACH};
const int SIDE = {SIDE};
const float MIDDLE = {MIDDLE};
const vec3 DARK = {dark}, LIGHT = {light};
const uvec2 GLYPHS[{len(GLYPHS)}] = uvec2[]({rows});
"""


SHADE_FACE = (
    "#ifndef PLAIN\n"
    + _LIT
    + "#endif\n#if FINISH == 2\n"
    + WOOD
    + "#endif\n#ifdef STICKERS\n"
    + _glyph_table()
    + """
// Whether a glyph is inked at a place on its face; see pysim/render/glyphs.py.
bool inked(vec2 at) {
    vec2 across = (glyph.y & 1u) == 0u ? at - 0.5 : at.yx - 0.5;
    across *= vec2((glyph.y & 2u) == 0u ? 1.0 : -1.0, (glyph.y & 4u) == 0u ? 1.0 : -1.0);
    ivec2 square = ivec2(floor((across / REACH + 1.0) * 0.5 * float(SIDE)));
    if (any(lessThan(square, ivec2(0))) || any(greaterThanEqual(square, ivec2(SIDE)))) return false;
    int bit = square.y * SIDE + square.x;
    return ((GLYPHS[glyph.x - 1u][bit / 32] >> (bit % 32)) & 1u) != 0u;
}

// The share of a pixel that is inked, from 4 x 4 places in it.
float ink(vec2 right, vec2 down) {
    float found = 0.0;
    for (int i = 0; i < 16; ++i) {
        vec2 off = (vec2(i % 4, i / 4) - 1.5) / 4.0;
        found += inked(uv + off.x * right + off.y * down) ? 0.0625 : 0.0;
    }
    return found;
}
#endif

// The colour of a point of a face. right, down: how far uv goes from a pixel to the next.
vec3 shade_face(vec2 right, vec2 down) {
    // Which cell of the face it is, and where in it.
    vec2 number = clamp(floor(uv), vec2(0.0), cells - 1.0), at = uv - number;
    float open = mix(mix(openness.x, openness.y, at.x), mix(openness.w, openness.z, at.x), at.y);
    float bright = tone.x * mix(0.70, 1.0, open);
#ifndef PLAIN
    if (tone.y > 0.0) bright *= 1.0 - tone.y * (1.0 - lit(light_at));
#endif

    // Distances in pixels to the four sides of the cell, and the cell's size in pixels.
    vec2 du = vec2(right.x, down.x), dv = vec2(right.y, down.y);
    vec2 pixels = inversesqrt(max(vec2(dot(du, du), dot(dv, dv)), vec2(1e-12)));
    vec4 away = vec4(at.x, 1.0 - at.x, at.y, 1.0 - at.y) * pixels.xxyy;
    float cell = max(pixels.x, pixels.y);
    vec4 outer = vec4(number, cells - 1.0 - number).xzyw;  // cells up to the face's own sides
    vec4 bends = vec4((uvec4(edges) >> uvec4(0, 1, 2, 3)) & 1u) * step(outer, vec4(0.5));
    float width = clamp(cell * 0.045, 0.5, 4.0);
    vec4 to_edge = mix(vec4(1e6), away, bends), to_line = mix(away, vec4(1e6), bends);
    float nearest_edge = min(min(to_edge.x, to_edge.y), min(to_edge.z, to_edge.w));
    float nearest_line = min(min(to_line.x, to_line.y), min(to_line.z, to_line.w));
    float edge = 1.0 - smoothstep(width - 0.5, width + 0.5, nearest_edge);
    float line = 1.0 - smoothstep(0.1, 0.9, nearest_line * max(1.0, 20.0 / cell));

#ifdef STICKERS
    vec2 corner = abs(uv - 0.5) - 0.27;  // a square with round corners, 0.84 wide
    float outside = length(max(corner, 0.0)) + min(max(corner.x, corner.y), 0.0) - 0.15;
    float stuck = sticker.a * clamp(0.5 - outside * cell, 0.0, 1.0);
    vec3 patch_ = sticker.rgb;
    if (glyph.x > 0u) {
        vec3 stroke = dot(patch_, vec3(0.3, 0.6, 0.1)) > MIDDLE ? DARK : LIGHT;
        patch_ = mix(patch_, stroke, ink(right, down));
    }
    vec3 colour = mix(base, patch_, stuck);
    // The body around it is rounded off: darker towards its edges.
    bright *= mix(1.0, 0.80, sticker.a * (1.0 - stuck));
#else
    vec3 colour = base;
#endif
#if FINISH == 2
    colour = wood(local, seed, colour);
#endif
    // Lines darken bright colours and brighten very dark ones, on which dark lines would be lost.
    float luma = dot(colour, vec3(0.3, 0.6, 0.1));
    float dark = step(0.18, luma);
#ifdef STICKERS
    dark = max(dark, sticker.a);  // it is the stickers that have to be told apart
#endif
    vec3 ink = mix(colour * 0.6 + 0.36, colour * 0.16, dark);
    vec3 painted = colour * bright;
#if FINISH == 0
    painted = mix(painted, ink, line * mix(0.35, 0.26, dark) * smoothstep(3.0, 9.0, cell));
    painted = mix(painted, ink, edge * 0.92 * smoothstep(1.5, 6.0, cell));
#elif FINISH == 2
    painted *= 1.0 - 0.45 * edge * smoothstep(1.5, 6.0, cell);  // edges are rounded off
#endif
    return painted;
}
"""
)
"""Colours a point of a face."""

BODY_FRAGMENT = (
    "#version 450\n#define SMOOTH in\n#define FLAT flat in\n"
    + _ON_FACE
    + SHADE_FACE
    + """
layout(location = 0) out vec4 out_colour;

#ifdef PLAIN
uniform float opacity;
#else
const float opacity = 1.0;
#endif

void main() {
    out_colour = vec4(shade_face(dFdx(uv), dFdy(uv)), opacity);
}
"""
)

EXACT_VERTEX = (
    VERTEX
    + BODIES
    + VIEWS
    + """
in vec3 position;
in uvec4 face;   // normal, edges, corner, openness
in uint body;
in uvec2 place;  // row of the first body in bodies, layer

out float distance_;
flat out uint id;
flat out vec3 normal;

void main() {
    mat4 pose = bodies[place.x + body].pose;
    uint side = face.x & 7u;
    int layer = int(place.y);
    vec4 world = pose * vec4(position, 1.0);
    id = body + 1u;
    normal = normalize(pose[side >> 1].xyz) * ((side & 1u) == 0u ? 1.0 : -1.0);
    distance_ = dot(views[layer].gaze, world);
    gl_Position = views[layer].camera * world;
    gl_Layer = layer;
}
"""
)

EXACT_FRAGMENT = """#version 450
in float distance_;
flat in uint id;
flat in vec3 normal;

layout(location = 0) out uint out_id;
layout(location = 1) out float out_depth;
layout(location = 2) out vec4 out_normal;

void main() {
    out_id = id;
    out_depth = distance_;
    out_normal = vec4(normal, 0.0);
}
"""

SHADOW_VERTEX = (
    VERTEX
    + BODIES
    + LIGHTS
    + """
in vec3 position;
in uint body;
in uvec2 place;  // row of the first body in bodies, layer

void main() {
    vec4 at = lights[place.y].matrix * (bodies[place.x + body].pose * vec4(position, 1.0));
    gl_Position = vec4(at.xyz * 2.0 - 1.0, 1.0);
    gl_Layer = int(place.y);
}
"""
)

SHADOW_FRAGMENT = """#version 450
void main() {}
"""
