// SPDX-License-Identifier: MIT
// Functions of shared/grid.glsl, for passes that need no step data.
ivec3 cell() { return ivec3(gl_GlobalInvocationID); }
bool outside(ivec3 c, ivec3 size) { return any(greaterThanEqual(c, size)) || any(lessThan(c, ivec3(0))); }
// a / b, for 0 <= a < 2^21. An integer division takes as long as a load.
int quotient(int a, int b) { return int((float(a) + 0.5) / float(b)); }
ivec3 unit(int axis) { return ivec3(axis == 0, axis == 1, axis == 2); }
