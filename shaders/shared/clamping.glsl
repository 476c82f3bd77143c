// SPDX-License-Identifier: MIT
#include "shared/flat.glsl"
// Bounds of the eight texels that a trilinear sample is made of: MacCormack's result must stay within (Selle et al. 2008).
layout(constant_id = 5) const bool kReductions = false;  // the device has samplers for this, which are quicker
// By hand, from texel `base` on; `last` texel of the field.
void bounds(sampler3D field, ivec3 base, ivec3 last, out vec4 low, out vec4 high) {
    low = vec4(1e30);
    high = vec4(-1e30);
    [[unroll]] for (int n = 0; n < kCorners; ++n) {
        vec4 v = texelFetch(field, inGrid(base + ivec3(n & 1, (n >> 1) & 1, n >> 2), last + 1), 0);
        low = min(low, v);
        high = max(high, v);
    }
}
