"""GLSL of what bodies seem to be made of."""

from pysim.render.scenery import Finish, Scenery

__all__ = ["WOOD", "add_finish"]

_NUMBERS = {Finish.DIAGRAM: 0, Finish.PLAIN: 1, Finish.WOOD: 2}


def add_finish(source: str, scenery: Scenery) -> str:
    """Return a body shader that draws a finish, with shadows or without."""
    version, rest = source.split("\n", 1)
    plain = "#define PLAIN\n" if scenery.plain else ""
    return f"{version}\n#define FINISH {_NUMBERS[scenery.finish]}\n{plain}{rest}"


WOOD = """
float hash(vec3 p) {
    p = fract(p * 0.3183099 + vec3(0.71, 0.113, 0.419));
    p *= 17.0;
    return fract(p.x * p.y * p.z * (p.x + p.y + p.z));
}

float noise(vec3 p) {
    vec3 i = floor(p), f = fract(p);
    f = f * f * (3.0 - 2.0 * f);
    vec2 o = vec2(0.0, 1.0);
    vec4 low = vec4(hash(i), hash(i + o.yxx), hash(i + o.xyx), hash(i + o.yyx));
    vec4 high = vec4(hash(i + o.xxy), hash(i + o.yxy), hash(i + o.xyy), hash(i + o.yyy));
    vec4 z = mix(low, high, f.z);
    vec2 y = mix(z.xy, z.zw, f.y);
    return mix(y.x, y.y, f.x);
}

// A body is cut from a trunk along its x axis; each from another place.
vec3 wood(vec3 at, float seed, vec3 paint) {
    vec3 p = at + seed * vec3(7.3, 1.9, 2.7);
    float warp = noise(p * vec3(0.25, 0.8, 0.8));
    float radius = length(at.yz + vec2(2.3, 3.1) + 0.5 * seed) * 1.6 + 1.5 * warp;
    float along = fract(radius);
    float late = smoothstep(0.25, 0.85, along) - smoothstep(0.88, 1.0, along);
    float pores = noise(p * vec3(1.6, 22.0, 22.0));
    float bright = 1.06 - 0.26 * late - 0.16 * pores * pores;
    return paint * vec3(1.0, 0.97, 0.92) * bright + vec3(0.05, 0.03, 0.0);
}
"""
