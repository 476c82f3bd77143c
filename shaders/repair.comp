#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
layout(local_size_x = 8, local_size_y = 4, local_size_z = 4) in;
// Makes the fine velocity in each coarse cell of 2x2x2 divergence-free while its outer faces stay (Lentine, Zheng, Fedkiw
// 2010, step 4). The Laplacian of the eight cells is diagonal in the Walsh signs, with eigenvalue 2 for each change of sign,
// so the solve is one transform, a scaling, and back. Blocks with solids keep the upsampled coarse velocity.
// Also leaves the velocity at cell centres, what paths run along.
layout(binding = 1) uniform sampler3D velocityIn;
layout(binding = 2) uniform sampler3D openness;
layout(binding = 3) uniform writeonly image3D velocityOut;
layout(binding = 4) uniform writeonly image3D centreOut;

void walsh(inout float a[8]) {
    [[unroll]] for (int s = 1; s < 8; s <<= 1) {
        [[unroll]] for (int i = 0; i < 8; ++i) {
            if ((i & s) != 0) continue;
            float x = a[i], y = a[i | s];
            a[i] = x + y;
            a[i | s] = x - y;
        }
    }
}

void main() {
    ivec3 first = 2 * cell();
    if (outside(first, sim.cells + 1)) return;
    vec3 low[8], high[8];  // velocities of the cells' low and high faces
    float alpha = 1.0;
    [[unroll]] for (int n = 0; n < 8; ++n) {
        ivec3 c = first + ivec3(n & 1, (n >> 1) & 1, n >> 2);
        low[n] = texelFetch(velocityIn, c, 0).xyz;
        alpha = min(alpha, texelFetch(openness, c, 0).w);
    }
    [[unroll]] for (int n = 0; n < 8; ++n) {
        ivec3 c = first + ivec3(n & 1, (n >> 1) & 1, n >> 2);
        [[unroll]] for (int axis = 0; axis < 3; ++axis) {
            int bit = 1 << axis;
            high[n][axis] = (n & bit) == 0 ? low[n | bit][axis] : texelFetch(velocityIn, c + unit(axis), 0)[axis];
        }
    }
    if (alpha == 1.0 && !outside(first + 1, sim.cells)) {
        float psi[8];  // potential over h, from h * divergence
        [[unroll]] for (int n = 0; n < 8; ++n) psi[n] = dot(high[n] - low[n], vec3(1.0));
        walsh(psi);
        psi[0] = 0.0;  // the coarse cell's own divergence belongs to the coarse solve
        [[unroll]] for (int n = 1; n < 8; ++n) psi[n] /= -8.0 * 2.0 * float((n & 1) + ((n >> 1) & 1) + (n >> 2));
        walsh(psi);
        [[unroll]] for (int n = 0; n < 8; ++n) {
            [[unroll]] for (int axis = 0; axis < 3; ++axis) {
                int bit = 1 << axis;
                if ((n & bit) == 0) continue;
                low[n][axis] -= psi[n] - psi[n ^ bit];
                high[n ^ bit][axis] = low[n][axis];
            }
        }
    }
    [[unroll]] for (int n = 0; n < 8; ++n) {
        ivec3 c = first + ivec3(n & 1, (n >> 1) & 1, n >> 2);
        if (!outside(c, sim.cells + 1)) imageStore(velocityOut, c, vec4(low[n], 0.0));
        if (!outside(c, sim.cells)) imageStore(centreOut, c, vec4(0.5 * (low[n] + high[n]), 0.0));
    }
}
