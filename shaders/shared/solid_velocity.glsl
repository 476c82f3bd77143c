// SPDX-License-Identifier: MIT
// Velocity [m/s] of what closes a face or a part of it: rigid motion, inflow, or 0 at a wall. From obstacles.comp, so that no
// pass of a step has to look for the nearest obstacle.
layout(binding = 11) uniform sampler3D solidVelocity;
float solidVelocityAt(ivec3 face, int axis) { return texelFetch(solidVelocity, face, 0)[axis]; }
