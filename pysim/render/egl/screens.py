"""GLSL of what is done to whole pictures, behind the bodies and after them."""

from pysim.render.egl.shaders import LIGHTS, VERTEX, VIEWS

__all__ = [
    "MASK_FRAGMENT",
    "PLACE_ON_SCREEN",
    "RESOLVE_FRAGMENT",
    "RESOLVE_VERTEX",
    "SCREEN_VERTEX",
    "SHADE_BACKDROP",
]

SCREEN_VERTEX = (
    VERTEX
    + """
flat out int layer;

void main() {
    vec2 corner = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2) * 2.0 - 1.0;
    layer = gl_InstanceID;
    gl_Position = vec4(corner, 0.0, 1.0);
    gl_Layer = layer;
}
"""
)

MASK_FRAGMENT = """#version 450
flat in int layer;

uniform sampler2DArray shadow_map;

layout(location = 0) out float out_shade;

// How much of the ground is in shadow. Nothing stands below it: whatever the sun meets shades it.
void main() {
    vec2 texel = 1.0 / vec2(textureSize(shadow_map, 0).xy);
    vec2 at = gl_FragCoord.xy * 4.0 * texel;
    float sum = 0.0;
    for (int i = 0; i < 4; i++) {
        vec2 quarter = at + (vec2(i & 1, i >> 1) * 2.0 - 1.0) * texel;
        vec4 depths = textureGather(shadow_map, vec3(quarter, float(layer)));
        sum += dot(vec4(lessThan(depths, vec4(1.0))), vec4(1.0));
    }
    out_shade = sum / 16.0;
}
"""

_ON_SCREEN = """
FLAT int layer;
FLAT vec4 ground;
FLAT float even;    // whether there is nothing to see behind the bodies
SMOOTH float height;  // 0 at the bottom of the picture, 1 at its top
SMOOTH vec3 from;     // the ray of the pixel: where it starts, where it goes
SMOOTH vec3 ray;
#ifndef PLAIN
FLAT float shade_layer;
SMOOTH vec2 light_from;  // the same on the shadow map
SMOOTH vec2 light_ray;
#endif
"""

PLACE_ON_SCREEN = (
    _ON_SCREEN
    + """
// Sets all that is known of a point of a picture, which goes from -1 to 1.
void place_on_screen(vec2 at, int picture) {
    layer = picture;
    View view = views[layer];
    ground = view.ground;
    even = view.origin[1].w;
    height = 0.5 - 0.5 * at.y;
    vec3 weight = vec3(1.0, at.x, -at.y);
    from = mat3(view.origin[0].xyz, view.origin[1].xyz, view.origin[2].xyz) * weight;
    ray = mat3(view.ray[0].xyz, view.ray[1].xyz, view.ray[2].xyz) * weight;
#ifndef PLAIN
    shade_layer = view.origin[0].w;
    mat4 light = lights[int(shade_layer)].matrix;
    light_from = (light * vec4(from, 1.0)).xy;
    light_ray = (light * vec4(ray, 0.0)).xy;
#endif
}
"""
)
"""Sets what the colour behind the bodies depends on. SMOOTH and FLAT say where it is kept."""

SHADE_BACKDROP = """
#ifndef PLAIN
uniform sampler2DArray shades;
#endif
uniform vec3 sky_top;
uniform vec3 sky_bottom;
uniform vec3 ground_colour;
const vec3 EVEN = vec3(250.0 / 255.0);  // pysim.render.renderer.BACKDROP

// The colour of such a point where no body is.
vec3 shade_backdrop() {
    if (even > 0.0) return EVEN;
    vec3 sky = mix(sky_bottom, sky_top, height);
    bool down = ground.w > 0.0 && ray.z < -1e-6;
    float way = down ? (ground.z - from.z) / ray.z : 0.0;
    vec3 at = from + ray * way;
    float far = length(at.xy - ground.xy) / max(ground.w, 1.0);
    float seen = down ? 1.0 - smoothstep(0.6, 2.6, far) : 0.0;
#ifdef PLAIN
    return mix(sky, ground_colour, seen);
#else
    vec3 light_at = vec3(light_from + light_ray * way, shade_layer);
    return mix(sky, ground_colour * (1.0 - 0.26 * textureLod(shades, light_at, 0.0).r), seen);
#endif
}
"""

RESOLVE_VERTEX = (
    VERTEX
    + VIEWS
    + LIGHTS
    + "#define SMOOTH out\n#define FLAT flat out\n"
    + PLACE_ON_SCREEN
    + """
void main() {
    vec2 corner = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2) * 2.0 - 1.0;
    place_on_screen(corner, gl_InstanceID);
    gl_Position = vec4(corner, 0.0, 1.0);
    gl_Layer = gl_InstanceID;
}
"""
)

RESOLVE_FRAGMENT = (
    "#version 450\n#define SMOOTH in\n#define FLAT flat in\n"
    + _ON_SCREEN
    + SHADE_BACKDROP
    + """
layout(location = 0) out vec4 out_colour;

#ifdef PLAIN
void main() {
    out_colour = vec4(shade_backdrop(), 1.0);
}
#else
uniform sampler2DMSArray colours;

const int SAMPLES = 4;

// The mean of a pixel's samples.
void main() {
    ivec3 at = ivec3(gl_FragCoord.xy, layer);
    vec4 sum = vec4(0.0);
    for (int i = 0; i < SAMPLES; i++) sum += texelFetch(colours, at, i);
    sum /= float(SAMPLES);
    out_colour = vec4(sum.rgb + (1.0 - sum.a) * shade_backdrop(), 1.0);
}
#endif
"""
)
