// SPDX-License-Identifier: MIT
// Directions in which surroundings are bright. Needs shared/environment.glsl, shared/random.glsl, shared/path.h.
layout(constant_id = 11) const bool kEnvironmentSampled = false;  // there is an image that is not black; else the code is left out
layout(binding = 3, scalar) readonly buffer EnvironmentAlias { AliasEntry environmentAlias[]; };

// Numbers in [-1, 1] with the density 1 - |t|, which is how interpolation weighs a texel t texels from its centre: then what
// the texels' densities are between their centres is their interpolation too, and follows the radiance.
vec2 hat(vec2 u) {
    vec2 rise = sqrt(2.0 * min(u, 1.0 - u));
    return mix(1.0 - rise, rise - 1.0, lessThan(u, vec2(0.5)));
}

// A texel by the alias table (Vose 1991), a place around its centre; past a pole's row it is mirrored, where that texel alone counts.
vec3 sampleEnvironment(uvec4 bits, out vec4 radiance, out float sine) {
    ivec2 size = textureSize(environmentMap, 0);
    vec4 u = unitNumbers(bits);
    uint texel, low;
    umulExtended(bits.x, uint(size.x * size.y), texel, low);  // 24 bits are few for 2^23 texels
    AliasEntry entry = environmentAlias[texel];
    if (u.y >= entry.keep) texel = entry.other;
    vec2 at = vec2(texel % uint(size.x), texel / uint(size.x)) + hat(u.zw);
    float above = abs(at.y + 0.5), below = abs(float(size.y) - above);  // in rows, from the poles
    radiance = environmentAt(vec2(at.x, min(above, 2.0 * float(size.y) - above) - 0.5));
    float down = kPi / float(size.y) * min(above, below),
        around = 2.0 * kPi * (fract((at.x + 0.5) / float(size.x) - view.environmentTurn) - 0.5);
    sine = sin(down);
    return normalize(vec3(sine * sin(around), above < below ? cos(down) : -cos(down), -sine * cos(around)));
}

// Balance heuristic (Veach, Guibas 1995): the weight of a direction that was drawn with `density` [1/sr] where the table draws it
// with a / sine. The table's sample then counts L f / (density + a / sine), and f is the very density: the same number.
float environmentShare(float a, float sine, float density) { return a > 0.0 ? density * sine / (density * sine + a) : 1.0; }
