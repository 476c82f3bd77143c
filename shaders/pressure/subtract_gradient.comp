#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/rounding.glsl"
#include "shared/solid_velocity.glsl"
#include "shared/pressure_grid.glsl"
#include "shared/regular.glsl"
// The projection if the pressure grid is as fine as the velocity grid: u -= grad q on open faces, u = u_s on closed ones. On open sides
// q = 0 is half a cell away. w of the velocity stays, see shared/expansion.glsl.
layout(binding = 4) uniform sampler3D velocityIn;
layout(binding = 5) uniform writeonly image3D velocityOut;

void main() {
    ivec3 c = cell();
    if (outside(c, sim.cells + 1)) return;
    vec4 u = texelFetch(velocityIn, c, 0), w = vec4(1.0);
    if (outside(c, sim.cells) || !isRegular(pressureGrid(), c)) w = weightsAt(pressureGrid(), c);
    [[unroll]] for (int axis = 0; axis < kAxes; ++axis) {
        bool side = !isPeriodic(axis) && (c[axis] == 0 || c[axis] == sim.cells[axis]);
        if (!faceExists(c, axis)) u[axis] = 0.0;
        else if (w[axis] > 0.0) u[axis] -= (side ? 2.0 : 1.0) * (pressureAt(c) - pressureAt(c - unit(axis))) / sim.h;
        else u[axis] = solidVelocityAt(c, axis);
    }
    imageStore(velocityOut, c, toStorage(u));
}
