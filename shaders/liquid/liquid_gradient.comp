#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/limits.glsl"
#include "shared/solid_velocity.glsl"
#include "shared/pressure_grid.glsl"
#include "shared/liquid/liquid.h"
#include "shared/liquid/known.glsl"
// The projection of a liquid: u -= (w / alpha) (q - q_low) / h on open faces of FLUID cells, u = u_s on closed faces. At a wall of the box,
// an EMPTY cell only lets flow leave the wall. These faces and the sides of the box are known from here on. The other faces are
// extrapolated, including faces that obstacles close, because liquid slides past them.
layout(binding = 4) uniform sampler3D velocityIn;
layout(binding = 5) uniform writeonly image3D velocityOut;
layout(binding = 6) uniform sampler3D aperture;
layout(binding = 7, scalar) readonly buffer Surface { vec2 surface[]; };
layout(binding = 8, scalar) writeonly buffer KnownOut { uint knownOut[]; };

bool isFluid(ivec3 c) { return !outside(c, sim.cells) && surface[cellIndex(c, sim.cells)].x < 0.0; }

bool isEmpty(ivec3 c) { return !isFluid(c) && texelFetch(aperture, c, 0).w > 0.0; }  // c is in the box

void main() {
    ivec3 c = cell();
    if (outside(c, sim.cells + 1)) return;
    vec3 u = texelFetch(velocityIn, c, 0).xyz, alpha = texelFetch(aperture, c, 0).xyz;
    vec4 w = weightsAt(pressureGrid(), c);
    bool own = isFluid(c);
    uint known = 0u;
    [[unroll]] for (int axis = 0; axis < 3; ++axis) {
        bool isKnown = faceExists(c, axis) && (alpha[axis] > 0.0 ? own || isFluid(c - unit(axis)) : sideOfFace(c, axis) >= 0);
        if (!faceExists(c, axis)) u[axis] = 0.0;
        else if (sideOfFace(c, axis) == WISP_WALL && isEmpty(c[axis] == 0 ? c : c - unit(axis)))
            u[axis] = c[axis] == 0 ? max(u[axis], 0.0) : min(u[axis], 0.0);
        else if (alpha[axis] == 0.0) u[axis] = solidVelocityAt(c, axis);
        else if (isKnown) u[axis] -= w[axis] / alpha[axis] * (pressureAt(c) - pressureAt(c - unit(axis))) / sim.h;
        known |= layerBits(isKnown ? 0u : WISP_LIQUID_UNKNOWN, axis);
    }
    imageStore(velocityOut, c, velocityToStorage(u));
    knownOut[cellIndex(c, sim.cells + 1)] = known;
}
