// SPDX-License-Identifier: MIT
// Samples directions in which the environment is bright. Needs shared/environment.glsl, shared/random.glsl, shared/path.h.
// there is an image that is not black; otherwise the compiler eliminates the code
layout(constant_id = 11) const bool kEnvironmentSampled = false;
layout(binding = 3, scalar) readonly buffer EnvironmentAlias { AliasEntry environmentAlias[]; };

// Numbers in [-1, 1] with the density 1 - |t|. Interpolation gives a texel the same weight t texels from its centre. Between the centres
// the sampling density is therefore the interpolation of the texels' densities, and it follows the radiance.
vec2 hat(vec2 u) {
    vec2 rise = sqrt(2.0 * min(u, 1.0 - u));
    return mix(1.0 - rise, rise - 1.0, lessThan(u, vec2(0.5)));
}

// Draws a texel from the alias table (Vose 1991) and a point around its centre. A point past a pole is mirrored into the row of the pole,
// where only that texel counts.
vec3 sampleEnvironment(uvec4 bits, out vec4 radiance, out float sine) {
    ivec2 size = textureSize(environmentMap, 0);
    vec4 u = unitNumbers(bits);
    uint texel, low;
    umulExtended(bits.x, uint(size.x * size.y), texel, low);  // 24 bits are too few for 2^23 texels
    AliasEntry entry = environmentAlias[texel];
    if (u.y >= entry.keep) texel = entry.other;
    vec2 at = vec2(texel % uint(size.x), texel / uint(size.x)) + hat(u.zw);
    float above = abs(at.y + 0.5), below = abs(float(size.y) - above);  // in rows, from each pole
    radiance = environmentAt(vec2(at.x, min(above, 2.0 * float(size.y) - above) - 0.5));
    float down = kPi / float(size.y) * min(above, below),
        around = 2.0 * kPi * (fract((at.x + 0.5) / float(size.x) - view.environmentRotation) - 0.5);
    sine = sin(down);
    return normalize(vec3(sine * sin(around), above < below ? cos(down) : -cos(down), -sine * cos(around)));
}

// Balance heuristic (Veach, Guibas 1995): the weight of a direction that was drawn with `density` [1/sr] where the table draws it with
// a / sine. A sample of the table counts L f / (density + a / sine). f equals `density`, so it has the same weight.
float environmentShare(float a, float sine, float density) { return a > 0.0 ? density * sine / (density * sine + a) : 1.0; }
