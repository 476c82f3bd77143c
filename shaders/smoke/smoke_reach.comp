#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/bricks.h"
// Which bricks smoke can come to in this step: those from which a path back, and the cells around its end, reach one that holds any.
layout(binding = 1, scalar) readonly buffer Bricks { SmokeBrick bricks[]; };
layout(binding = 2, scalar) writeonly buffer Reached { uint reached[]; };
layout(push_constant, scalar) uniform Push { int all; };  // leave none out

void main() {
    ivec3 b = cell(), count = (sim.scalarCells + WISP_SMOKE_BRICK - 1) / WISP_SMOKE_BRICK;
    if (outside(b, count)) return;
    int i = (b.z * count.y + b.y) * count.x + b.x;
    float reach = bricks[i].reach;
    // Far beyond what a step should move: nobody looks at so many bricks.
    bool found = all != 0 || !(reach < 2.0 * WISP_SMOKE_BRICK);
    int r = found ? 0 : int(ceil(reach)) + 1;
    // Across a periodic side lies a last brick that may be thin, and behind it another.
    ivec3 more = mix(ivec3(0), ivec3(1), periodicAxes());
    ivec3 low = (b * WISP_SMOKE_BRICK - r + 4 * WISP_SMOKE_BRICK) / WISP_SMOKE_BRICK - 4 - more;
    ivec3 high = (b * WISP_SMOKE_BRICK + WISP_SMOKE_BRICK - 1 + r) / WISP_SMOKE_BRICK + more;
    for (int z = low.z; z <= high.z && !found; ++z)
        for (int y = low.y; y <= high.y && !found; ++y)
            for (int x = low.x; x <= high.x && !found; ++x) {
                ivec3 n = inGrid(ivec3(x, y, z), count);
                found = bricks[(n.z * count.y + n.y) * count.x + n.x].holds != 0u;
            }
    reached[i] = found ? 1u : 0u;
}
