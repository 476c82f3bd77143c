#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#define WISP_LISTS_BRICKS
#define WISP_NEAR_SLOTS
layout(local_size_x = 32, local_size_x_id = 28, local_size_y = 4, local_size_z = 2, local_size_z_id = 17) in;  // long rows, for buffers
#include "shared/grid.glsl"
#include "shared/sampling.glsl"
#include "shared/vectors.glsl"
#include "shared/expansion.glsl"
// Acceleration at cell centres [m/s^2] (Fedkiw, Stam, Jensen 2001): buoyancy, eq. 8, down (weight rho - buoyancy T), and
// vorticity confinement, eq. 10-11, epsilon h (N x omega) with N = grad |omega| / |grad |omega||. w: divergence of gas that is heated
// [1/s]. With fire the lift is that of an ideal gas, which has the density ambient / (ambient + T): gas without weight rises with gravity.
layout(binding = 2) uniform sampler3D scalars;  // see react.comp
VECTORS_IN(1, curl);  // xyz = omega [1/s], w = |omega|
VECTORS_OUT(3, acceleration);
layout(push_constant, scalar) uniform Push {
    VectorsIn curlAddress;
    VectorsOut accelerationAddress;
    vec3 down;
    float buoyancy;
    float weight;
    float epsilon;
    float ambient;
};
layout(constant_id = 34) const bool kFire = false;

// 2 h times the derivative of |omega| along an axis, clamped to the box.
float change(uint place, ivec3 c, int axis) { return LOAD(curl, above(place, c, axis)).w - LOAD(curl, below(place, c, axis)).w; }

// Mean over the scalar cells in cell c.
float meanDivergence(ivec3 c) {
    ivec3 first = c * sim.scalarRatio, count = ivec3(sim.scalarRatio);
    if (kFlat) first.z = 0, count.z = 1;
    float sum = 0.0;
    for (int z = 0; z < count.z; ++z)
        for (int y = 0; y < count.y; ++y)
            for (int x = 0; x < count.x; ++x) sum += texelFetch(scalars, scalarTexel(first + ivec3(x, y, z)), 0).w;
    return sum / float(count.x * count.y * count.z);
}

void compute(ivec3 c) {
    if (outside(c, sim.cells)) return;
    uint place = kSparse ? ownPlace(c) : cellIndex(c, sim.cells);
    vec3 a = vec3(0.0);
    if (epsilon > 0.0) {
        vec3 g = vec3(change(place, c, 0), change(place, c, 1), change(place, c, 2));
        // Fades out where the gradient is rounding noise of omega, because N would have a random direction there.
        vec4 omega = LOAD(curl, place);
        float noise = 2e-3 * omega.w + 1e-20;
        a = epsilon * sim.h / (length(g) + noise) * cross(g, omega.xyz);
    }
    if (buoyancy != 0.0 || weight != 0.0) {
        vec4 s = sampleStoredScalars(scalars, (vec3(c) + 0.5) * scalarsPerCell());
        a += down * (weight * s.x - buoyancy * (kFire ? ambient * s.y / max(ambient + s.y, 1.0) : s.y));
    }
    STORE(acceleration, place, vec4(a, kExpands ? meanDivergence(c) : 0.0))
}
#include "shared/each_cell.glsl"
