#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/pressure_level.h"
// Right-hand side of the density correction, which expands regions of high density and contracts regions of low density inside the liquid:
// -lap psi = s = rate (rho - 1), b = h^2 s [m^2/s] in FLUID cells (an implicit density projection: Kugelstadt et al. 2019). Inside, where
// rho (by linear weights) depends on no EMPTY cell, the error counts only as far as the cell and the mean around it have it in common, so
// that random positions of particles cause none. At the surface a low density is no error.
layout(binding = 2) uniform sampler3D aperture;
layout(binding = 3, scalar) writeonly buffer RhsOut { float rhsOut[]; };
layout(binding = 4, scalar) readonly buffer Surface { vec2 surface[]; };
layout(binding = 6, scalar) readonly buffer Air { uint air; };  // 0 in a closed box that is completely full and cannot expand
layout(push_constant, scalar) uniform Push { PressureLevel level; float rate; };
const float kInitialError = 0.01;       // deviation of the density from 1 for particles at their initial positions
const float kMaxError = 0.5;  // a few surplus particles in one place would otherwise make the liquid expand too much

float minmod(float a, float b) { return a * b <= 0.0 ? 0.0 : abs(a) < abs(b) ? a : b; }

// Density error, from the cell's own density and the mean of the cells around it, with weights 1 2 1 along each axis.
float densityErrorOf(ivec3 c, float rho) {
    float sum = 0.0, weights = 0.0;
    bool inside = true, nearObstacle = obstaclesBeyond(vec3(c) + 0.5) < 2.0;
    for (int n = 0; n < noUnroll(27); ++n) {
        ivec3 o = ivec3(n % 3, (n / 3) % 3, n / 9) - 1, near = c + o, w = 2 - abs(o), there = clamp(near, ivec3(0), sim.cells - 1);
        vec2 neighbour = surface[cellIndex(there, sim.cells)];
        if (there != near) inside = inside && !beyondOpenSide(vec3(near) + 0.5);
        if (there != near || (nearObstacle && texelFetch(aperture, near, 0).w == 0.0)) continue;
        inside = inside && neighbour.x < 0.0;
        sum += float(w.x * w.y * w.z) * neighbour.y;
        weights += float(w.x * w.y * w.z);
    }
    float excess = inside ? minmod(rho - 1.0, sum / weights - 1.0) : max(rho - 1.0, 0.0);
    return excess - clamp(excess, -kInitialError, kInitialError);
}

void main() {
    ivec3 c = cell();
    if (outside(c, sim.cells)) return;
    vec2 own = surface[cellIndex(c, sim.cells)];
    float s = 0.0;
    if (own.x < 0.0 && air != 0u) s = rate * clamp(densityErrorOf(c, own.y), -kMaxError, kMaxError) * texelFetch(aperture, c, 0).w;
    rhsOut[cellIndex(level, c)] = sim.h * sim.h * s;
}
