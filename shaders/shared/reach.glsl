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
// Index of the group of cell c.
uint reachIndex(ivec3 c) {
    if (!kSparse) return cellIndex(c / kReachGroup, (sim.cells + kReachGroup - 1) / kReachGroup);
    ivec3 groups = ivec3(WISP_BRICK_EDGE) / kReachGroup, g = (c & (WISP_BRICK_EDGE - 1)) / kReachGroup;
    return slotsOf(c / WISP_BRICK_EDGE).flow * uint(groups.x * groups.y * groups.z) + cellIndex(g, groups);
}
