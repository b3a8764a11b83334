"""GLSL that draws colours without the rasterizer of a GPU.

On GPUs made for computing, few units rasterize, clear and write pictures, and hundreds compute. So
each tile of pixels looks for the faces that it shows, finds the first one in each sample, and
colours it once for all samples of a pixel. Colours are those of ``shaders`` and ``screens``, but
for rounding, and for samples that lie on an outline.
"""

from pysim.render.egl.finishes import add_finish
from pysim.render.egl.screens import PLACE_ON_SCREEN, SHADE_BACKDROP
from pysim.render.egl.shaders import (
    BODIES,
    LIGHTS,
    PLACE_ON_FACE,
    SHADE_FACE,
    VIEWS,
    add_stickers,
)
from pysim.render.egl.targets import SEEN_THROUGH
from pysim.render.scenery import Scenery

__all__ = ["TILE", "build_drawing"]

TILE = 16
"""Edge of a tile in pixels."""

_DRAWING = """
layout(local_size_x = TILE, local_size_y = TILE) in;

layout(std430, binding = 3) readonly buffer Corners { uint corners[]; };  // as faces.CORNER
layout(std430, binding = 4) readonly buffer Spans { uvec4 spans[]; };
// Of each layer: its first row in bodies, its first face, how many faces are solid, how many clear.

layout(rgba8, binding = 0) writeonly uniform image2DArray colours;

const int SAMPLES = 4;
const vec2 PLACES[SAMPLES] =  // of samples in a pixel, as rasterizers have them
    vec2[](vec2(0.375, 0.125), vec2(0.875, 0.375), vec2(0.125, 0.625), vec2(0.625, 0.875));
const uint WORDS = 6u;    // of a corner
const uint GROUP = uint(TILE * TILE);
const float SLACK = 1e-5; // in cells; neighbours share an edge, and no sample falls between

// A rectangle in a layer. The columns of at are clip coordinates: of its first corner, and of a
// cell along u and v; those of local the same in the body.
struct Face { mat3x4 at; mat3 local; vec2 extent; bool turned; uint body; };

// What decides whether a sample shows a face: products with (x, y, 1).
struct Bounds { vec3 left, right, top, bottom, depth; uint face; };

shared Bounds listed[GROUP];
shared uint count;

vec3 position_of(uint word) {
    return uintBitsToFloat(uvec3(corners[word], corners[word + 1u], corners[word + 2u]));
}

uvec4 bytes_of(uint word) {
    return (uvec4(corners[word]) >> uvec4(0, 8, 16, 24)) & 255u;
}

Face read_face(uint number, int layer) {
    uint first = number * 4u * WORDS;
    vec2 extent = vec2(bytes_of(first + 5u).xy);
    // Corners stand in the order 0 1 2 3 or 0 3 2 1; see faces.build_corners.
    bool turned = (bytes_of(first + WORDS + 3u).z & 3u) == 3u;
    vec3 start = position_of(first);
    vec3 along_u = (position_of(first + (turned ? 3u : 1u) * WORDS) - start) / extent.x;
    vec3 along_v = (position_of(first + (turned ? 1u : 3u) * WORDS) - start) / extent.y;
    uint body = corners[first + 5u] >> 16;
    mat4 to_clip = views[layer].camera * bodies[spans[layer].x + body].pose;
    mat3x4 at = mat3x4(
        to_clip * vec4(start, 1.0), to_clip * vec4(along_u, 0.0), to_clip * vec4(along_v, 0.0)
    );
    return Face(at, mat3(start, along_u, along_v), extent, turned, body);
}

// Lists a face if it may be seen in a tile of the picture, which goes from -1 to 1.
void list_face(uint number, int layer, vec2 low, vec2 high) {
    Face face = read_face(number, layer);
    mat3 seen = mat3(face.at[0].xyw, face.at[1].xyw, face.at[2].xyw);
    float facing = determinant(seen);
    if (face.turned ? facing <= 0.0 : facing >= 0.0) return;
    vec2 least = vec2(1e9), most = vec2(-1e9);
    bool before = true;
    for (int i = 0; i < 4; i++) {
        vec2 corner = vec2(i & 1, i >> 1) * face.extent;
        vec3 at = seen * vec3(1.0, corner);
        before = before && at.z > 1e-6;
        least = min(least, at.xy / at.z);
        most = max(most, at.xy / at.z);
    }
    if (before && (any(greaterThan(least, high)) || any(lessThan(most, low)))) return;
    mat3 rows = transpose(inverse(seen));  // 1, u and v, each by w
    vec3 limit = vec3(SLACK, face.extent + SLACK);
    listed[atomicAdd(count, 1u)] = Bounds(
        rows[1] + limit.x * rows[0],
        limit.y * rows[0] - rows[1],
        rows[2] + limit.x * rows[0],
        limit.z * rows[0] - rows[2],
        face.at[0].z * rows[0] + face.at[1].z * rows[1]
            + face.at[2].z * rows[2],
        number
    );
}

bool covers(Bounds face, vec3 at) {
    return dot(face.left, at) >= 0.0 && dot(face.right, at) >= 0.0
        && dot(face.top, at) >= 0.0 && dot(face.bottom, at) >= 0.0;
}

// Where the plane of a face is seen, in cells.
vec2 find_uv(Face face, vec2 at) {
    vec2 u = face.at[1].xy - at * face.at[1].w, v = face.at[2].xy - at * face.at[2].w;
    vec2 to = at * face.at[0].w - face.at[0].xy;
    return vec2(to.x * v.y - to.y * v.x, u.x * to.y - u.y * to.x) / (u.x * v.y - u.y * v.x);
}

vec3 shade_sample(uint number, ivec3 at, vec2 size) {
    Face face = read_face(number, at.z);
    // Its neighbour in its square of 2 x 2 pixels is the one that a fragment is compared with.
    vec2 middle = (vec2(at.xy) + 0.5) / size * 2.0 - 1.0, step_ = 2.0 / size;
    vec2 side = 1.0 - 2.0 * vec2(at.xy & 1);
    uv = find_uv(face, middle);
    vec2 right = (find_uv(face, middle + vec2(side.x * step_.x, 0.0)) - uv) * side.x;
    vec2 down = (find_uv(face, middle + vec2(0.0, side.y * step_.y)) - uv) * side.y;
    uint first = number * 4u * WORDS;
    sticker = unpackUnorm4x8(corners[first + 4u]);
    Body own = bodies[spans[at.z].x + face.body];
    vec3 local_at = face.local * vec3(1.0, uv);
    place_on_face(own, face.body, at.z, local_at, bytes_of(first + 3u), uvec2(face.extent));
    return round(clamp(shade_face(right, down), 0.0, 1.0) * 255.0) / 255.0;
}

// The mean of a pixel's samples; 0 in seen is what is behind all bodies.
vec4 resolve(uint seen[SAMPLES], ivec3 at, vec2 size) {
    vec3 sum = vec3(0.0), last = vec3(0.0);
    uint known = 0u;
    float behind = 0.0;
    for (int i = 0; i < SAMPLES; i++) {
        if (seen[i] == 0u) {
            behind += 1.0;
            continue;
        }
        if (seen[i] != known) last = shade_sample(seen[i] - 1u, at, size);
        known = seen[i];
        sum += last;
    }
    if (behind > 0.0) {
        place_on_screen((vec2(at.xy) + 0.5) / size * 2.0 - 1.0, at.z);
        sum += behind * shade_backdrop();
    }
    return vec4(sum / float(SAMPLES), 1.0);
}

void main() {
    ivec3 at = ivec3(gl_GlobalInvocationID), size = imageSize(colours);
    vec2 pixel = 2.0 / vec2(size.xy);
    vec2 low = vec2(gl_WorkGroupID.xy * uint(TILE)) * pixel - 1.0, high = low + float(TILE) * pixel;
    uvec4 span = spans[at.z];
    uint faces = span.z + span.w, seen[SAMPLES] = uint[](0u, 0u, 0u, 0u);
    vec4 nearest = vec4(1.0);
    for (uint start = 0u; start < faces; start += GROUP) {
        if (gl_LocalInvocationIndex == 0u) count = 0u;
        barrier();
        uint number = start + gl_LocalInvocationIndex;
        if (number < faces) list_face(span.y + number, at.z, low, high);
        barrier();
        for (uint k = 0u; k < count; k++) {
            Bounds face = listed[k];
            uint mask = face.face < span.y + span.z ? 15u : uint(SEEN_THROUGH);
            for (int i = 0; i < SAMPLES; i++) {
                vec3 place = vec3((vec2(at.xy) + PLACES[i]) * pixel - 1.0, 1.0);
                float depth = dot(face.depth, place);
                bool first = depth < nearest[i] || depth == nearest[i] && face.face < seen[i];
                if (first && depth >= -1.0 && (mask >> i & 1u) != 0u && covers(face, place)) {
                    nearest[i] = depth;
                    seen[i] = face.face + 1u;
                }
            }
        }
        barrier();
    }
    if (all(lessThan(at.xy, size.xy))) imageStore(colours, at, resolve(seen, at, vec2(size.xy)));
}
"""


def build_drawing(scenery: Scenery) -> str:
    """Return the shader that draws the colours of whole pictures."""
    source = (
        f"#version 450\n#define TILE {TILE}\n#define SEEN_THROUGH {SEEN_THROUGH}\n"
        + "#define SMOOTH\n#define FLAT\n"
        + BODIES
        + VIEWS
        + LIGHTS
        + PLACE_ON_FACE
        + SHADE_FACE
        + PLACE_ON_SCREEN
        + SHADE_BACKDROP
        + _DRAWING
    )
    return add_stickers(add_finish(source, scenery))
