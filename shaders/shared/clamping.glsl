// SPDX-License-Identifier: MIT
#include "shared/flat.glsl"
#include "shared/sampling.glsl"
// Bounds of the eight texels of a trilinear sample. The result of MacCormack must stay within them (Selle et al. 2008). The
// margins of the field must be current, see shared/storage.glsl.
layout(constant_id = 5) const bool kReductions = false;  // the device has min/max reduction samplers, which are faster

// Of a field at scalar cells around a continuous texel coordinate. `least` and `greatest` sample the field with min and max reduction.
void scalarBounds(sampler3D field, sampler3D least, sampler3D greatest, vec3 texel, out vec4 low, out vec4 high) {
    low = vec4(1e30);
    high = vec4(-1e30);
    if (kReductions && !kExactFilter && kSparse) {
        vec3 t = smokePoint(texel);
        low = textureLod(least, t, 0.0);
        high = textureLod(greatest, t, 0.0);
    } else if (kReductions && !kExactFilter) {
        low = textureLod(least, texel * sim.perScalar, 0.0);
        high = textureLod(greatest, texel * sim.perScalar, 0.0);
    } else {
        ivec3 base = ivec3(floor(texel - 0.5));
        [[unroll]] for (int n = 0; n < kCorners; ++n) {
            vec4 v = texelFetch(field, scalarTexel(inGrid(base + ivec3(n & 1, (n >> 1) & 1, n >> 2), sim.scalarCells)), 0);
            low = min(low, v);
            high = max(high, v);
        }
    }
}

// Of a field on faces, from face texel `base` on.
void faceBounds(sampler3D field, ivec3 base, out vec4 low, out vec4 high) {
    low = vec4(1e30);
    high = vec4(-1e30);
    [[unroll]] for (int n = 0; n < kCorners; ++n) {
        vec4 v = texelFetch(field, texelOf(inGrid(base + ivec3(n & 1, (n >> 1) & 1, n >> 2), sim.cells + 1)), 0);
        low = min(low, v);
        high = max(high, v);
    }
}
// The same by the samplers with min and max reduction, around a texel coordinate.
void faceExtremes(sampler3D least, sampler3D greatest, vec3 texel, out vec4 low, out vec4 high) {
    vec3 t = kSparse ? flowPoint(texel, sim.cells + 1) : texel * sim.perFace;
    low = textureLod(least, t, 0.0);
    high = textureLod(greatest, t, 0.0);
}
