#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/sampling.glsl"
// Acceleration at cell centres [m/s^2] (Fedkiw, Stam, Jensen 2001): buoyancy, eq. 8, down (weight rho - buoyancy T), and
// vorticity confinement, eq. 10-11, epsilon h (N x omega) with N = grad |omega| / |grad |omega||.
layout(binding = 1) uniform sampler3D curl;     // xyz = omega [1/s], w = |omega|
layout(binding = 2) uniform sampler3D scalars;  // density, temperature
layout(binding = 3) uniform writeonly image3D acceleration;
layout(push_constant, scalar) uniform Push { vec3 down; float buoyancy; float weight; float epsilon; };

float size(ivec3 c) { return texelFetch(curl, inGrid(c, sim.cells), 0).w; }

void main() {
    ivec3 c = cell();
    if (outside(c, sim.cells)) return;
    vec3 a = vec3(0.0);
    if (epsilon > 0.0) {
        vec3 g = vec3(size(c + unit(0)) - size(c - unit(0)), size(c + unit(1)) - size(c - unit(1)),
                      size(c + unit(2)) - size(c - unit(2)));  // 2 h grad |omega|
        // Fades out where the gradient is rounding noise of omega: there N would point anywhere.
        vec4 omega = texelFetch(curl, c, 0);
        float noise = 2e-3 * omega.w + 1e-20;
        a = epsilon * sim.h / (length(g) + noise) * cross(g, omega.xyz);
    }
    if (buoyancy != 0.0 || weight != 0.0) {
        vec4 s = sampleLinear(scalars, (vec3(c) + 0.5) * float(sim.scalarRatio), sim.perScalar);
        a += down * (weight * s.x - buoyancy * s.y);
    }
    imageStore(acceleration, c, vec4(a, 0.0));
}
