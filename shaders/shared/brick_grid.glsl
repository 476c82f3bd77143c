// SPDX-License-Identifier: MIT
// A thread per brick of the whole grid, in groups of 256 in rows. Needs shared/grid.glsl.
#include "shared/brick_list.h"
#define WISP_SCAN_THREADS 256

int brickGroup() { return int(gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x); }
int brickIndex() { return brickGroup() * WISP_SCAN_THREADS + int(gl_LocalInvocationIndex); }
ivec3 brickCount() { return sim.cells / WISP_BRICK_EDGE + 1; }  // the last bricks may hold only the last faces of the box
int brickTotal() { return brickCount().x * brickCount().y * brickCount().z; }
ivec3 brickAt(int n) {
    ivec3 size = brickCount();
    return ivec3(n % size.x, n / size.x % size.y, n / (size.x * size.y));
}
