// SPDX-License-Identifier: MIT
// Longest component [cells] of the backward paths of a work group of backtrace.comp. Its groups are those of shared/grid.glsl. Needs
// shared/grid.glsl.
#ifdef WISP_OWN_LOCAL_SIZE
layout(constant_id = 16) const int kGroupY = 8;
layout(constant_id = 17) const int kGroupZ = 4;
const ivec3 kReachGroup = ivec3(8, kGroupY, kGroupZ);
#else
const ivec3 kReachGroup = ivec3(gl_WorkGroupSize);
#endif
ivec3 reachGroups() { return (sim.cells + kReachGroup - 1) / kReachGroup; }
