// SPDX-License-Identifier: MIT
// Velocity [m/s] of the solid that closes a face or a part of it: rigid motion, inflow, or 0 at a wall. obstacles.comp computes it, so that
// no pass of a step has to search for the nearest obstacle.
layout(binding = 11) uniform sampler3D solidVelocity;
float solidVelocityAt(ivec3 face, int axis) {
    if (kSparse && sim.obstacleCount == 0) return sideOfFace(face, axis) == WISP_INFLOW ? sim.inflow[axis] : 0.0;  // there may be no field
    return texelFetch(solidVelocity, texelOf(face), 0)[axis];
}
