#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/liquid.glsl"
// Signed distance phi [cells] of cells' centres to the surface, negative in the liquid: cells are FLUID where phi < 0, else EMPTY, or
// SOLID where nothing is open. The density at a distance d below a plane is 1 - (1 - d)^2 / 2, above it (1 - d)^2 / 2, for d < 1:
// that is solved for d, so that phi is exact for planes across an axis. A cell with particles that has no FLUID one beside it is FLUID,
// too: thin films and drops.
layout(binding = 1, scalar) readonly buffer Density { float density[]; };
layout(binding = 2, scalar) readonly buffer CellFirst { uint cellFirst[]; };
layout(binding = 3) uniform sampler3D openness;
layout(binding = 4, scalar) writeonly buffer SurfaceOut { vec2 surfaceOut[]; };  // phi, density

float distanceOf(float rho) { return rho >= 0.5 ? sqrt(2.0 * max(1.0 - rho, 0.0)) - 1.0 : 1.0 - sqrt(2.0 * rho); }
bool isFull(ivec3 c) { return !outside(c, sim.cells) && density[placeOf(c, sim.cells)] > 0.5 && texelFetch(openness, c, 0).w > 0.0; }

void main() {
    ivec3 c = cell();
    if (outside(c, sim.cells)) return;
    uint place = placeOf(c, sim.cells);
    float rho = density[place], phi = distanceOf(rho);
    bool solid = texelFetch(openness, c, 0).w == 0.0, alone = cellFirst[place + 1u] > cellFirst[place];
    for (int n = 0; n < 6; ++n) alone = alone && !isFull(c + (n < 3 ? unit(n) : -unit(n - 3)));
    if (alone) phi = min(phi, -WISP_LIQUID_LEAST);
    else if (rho <= 0.5) phi = max(phi, WISP_LIQUID_LEAST);
    else phi = min(phi, -WISP_LIQUID_LEAST);
    surfaceOut[place] = vec2(solid ? 1.0 : phi, rho);
}
