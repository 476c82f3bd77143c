// SPDX-License-Identifier: MIT
#include "shared/flat.glsl"
#include "shared/sampling.glsl"
// Bounds of the eight texels of a trilinear sample. The result of MacCormack must stay within them (Selle et al. 2008).
layout(constant_id = 5) const bool kReductions = false;  // the device has min/max reduction samplers, which are faster
// Fetches the texels one by one, from texel `base` on. `last`: last texel of the field.
void bounds(sampler3D field, ivec3 base, ivec3 last, out vec4 low, out vec4 high) {
    low = vec4(1e30);
    high = vec4(-1e30);
    [[unroll]] for (int n = 0; n < kCorners; ++n) {
        vec4 v = texelFetch(field, inGrid(base + ivec3(n & 1, (n >> 1) & 1, n >> 2), last + 1), 0);
        low = min(low, v);
        high = max(high, v);
    }
}

// The same bounds around a continuous texel coordinate of a field of `size`. `least` and `greatest` sample the field with min and max
// reduction.
void boundsAround(sampler3D field, sampler3D least, sampler3D greatest, vec3 texel, vec3 perTexel, ivec3 size, out vec4 low,
    out vec4 high) {
    if (kReductions && !kExactFilter) {
        low = textureLod(least, texel * perTexel, 0.0);
        high = textureLod(greatest, texel * perTexel, 0.0);
    } else {
        bounds(field, ivec3(floor(texel - 0.5)), size - 1, low, high);
    }
}
