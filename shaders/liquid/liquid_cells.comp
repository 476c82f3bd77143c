#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/liquid/liquid.glsl"
#include "shared/divergence.glsl"
#include "shared/pressure_level.h"
// Signed distance phi [cells] of cell centres to the surface, negative in the liquid. Cells are FLUID where phi < 0, otherwise EMPTY, or
// SOLID where nothing is open. At a distance d < 1 below a plane the density is 1 - (1 - d)^2 / 2, above it (1 - d)^2 / 2. This is solved
// for d, so that phi is exact for planes across an axis. A cell with particles but without a FLUID neighbour is FLUID, too: thin films and
// drops. Beside air, liquid may leave a wall (0 <= u . n, complementary to 0 <= q: Batty, Bertails, Bridson 2007). A cell that leaves a
// wall is EMPTY, so that liquid falls from a ceiling.
layout(binding = 3, scalar) readonly buffer Density { float density[]; };
layout(binding = 4, scalar) readonly buffer CellFirst { uint cellFirst[]; };
layout(binding = 5, scalar) readonly buffer Pressure { float pressure[]; };      // q of the previous step [m^2/s]
layout(binding = 6, scalar) writeonly buffer SurfaceOut { vec2 surfaceOut[]; };  // phi, density
layout(binding = 7, scalar) buffer Air { uint air; };  // initially 0; set if any cell is EMPTY or beside an open side
layout(push_constant, scalar) uniform Push { PressureLevel level; };
// q / h must reach this share of a speed away from the wall to hold the cell there, so that noise of particles at rest opens no gap
const float kHoldingShare = 0.1;

float distanceOf(float rho) { return rho >= 0.5 ? sqrt(2.0 * max(1.0 - rho, 0.0)) - 1.0 : 1.0 - sqrt(2.0 * rho); }
bool isFull(ivec3 c) { return !outside(c, sim.cells) && density[cellIndex(c, sim.cells)] > 0.5 && texelFetch(aperture, c, 0).w > 0.0; }

// Speed away from the walls that c has along this axis [m/s].
float leaving(ivec3 c, int axis) {
    float low = sideOfFace(c, axis) == WISP_WALL ? texelFetch(velocity, c, 0)[axis] : 0.0;
    float high = sideOfFace(c + unit(axis), axis) == WISP_WALL ? -texelFetch(velocity, c + unit(axis), 0)[axis] : 0.0;
    return max(low, high);
}

// Whether the cell leaves the wall. One Jacobi sweep estimates q with the wall and the previous pressure around the cell.
bool leavesWall(ivec3 c) {
    float fastest = max(max(leaving(c, 0), leaving(c, 1)), leaving(c, 2)), sum = 0.0, w = 0.0;
    if (fastest <= 0.0) return false;
    bool besideAir = false;
    for (int n = 0; n < 6; ++n) {
        ivec3 e = n < 3 ? unit(n) : -unit(n - 3), near = c + e;
        float alpha = texelFetch(aperture, n < 3 ? near : c, 0)[n % 3];  // 0 at walls
        besideAir = besideAir || (!isFull(near) && alpha > 0.0);
        if (!outside(near, sim.cells)) sum += alpha * pressure[cellIndex(level, near)];
        w += outside(near, sim.cells) ? 2.0 * alpha : alpha;
    }
    float q = sum - sim.h * sim.h * blockDivergence(c, 1, false);
    return besideAir && q < w * kHoldingShare * sim.h * fastest;
}

bool besideOpenSide(ivec3 c) {
    bool open = false;
    for (int axis = 0; axis < 3; ++axis) {
        open = open || (c[axis] == 0 && texelFetch(aperture, c, 0)[axis] > 0.0);
        open = open || (c[axis] + 1 == sim.cells[axis] && texelFetch(aperture, c + unit(axis), 0)[axis] > 0.0);
    }
    return open;
}

void main() {
    ivec3 c = cell();
    if (outside(c, sim.cells)) return;
    uint index = cellIndex(c, sim.cells);
    float rho = density[index], phi = distanceOf(rho);
    bool solid = texelFetch(aperture, c, 0).w == 0.0, isolated = rho <= 0.5 && cellFirst[index + 1u] > cellFirst[index];
    for (int n = 0; n < 6; ++n) isolated = isolated && !isFull(c + (n < 3 ? unit(n) : -unit(n - 3)));
    bool fluid = (rho > 0.5 || isolated) && !leavesWall(c);
    phi = fluid ? min(phi, -WISP_LIQUID_LEAST) : max(phi, WISP_LIQUID_LEAST);
    surfaceOut[index] = vec2(solid ? 1.0 : phi, rho);
    // reads first, because otherwise all threads would wait to write to one address
    if (!solid && (!fluid || besideOpenSide(c)) && air == 0u) air = 1u;
}
