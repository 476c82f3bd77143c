#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#define WISP_LISTS_BRICKS
layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;
#include "shared/grid.glsl"
#include "shared/smoke_brick.glsl"
#include "shared/reach.glsl"
#include "shared/reach_of_smoke.glsl"
// Which bricks smoke can reach in this step: bricks from which a backward path, with the cells around its end, reaches a brick that
// contains smoke.
layout(binding = 1, scalar) readonly buffer Bricks { SmokeBrick bricks[]; };
layout(binding = 2, scalar) writeonly buffer Reached { uint reached[]; };
layout(push_constant, scalar) uniform Push { int all; };  // skip no brick

void main() {
    ivec3 b = cell(), count = smokeBricks();
    if (outside(b, count)) return;
    uint i = smokeBrickIndex(b);
    float longest = bricks[i].reach;
    if (kUnit > 0) {  // brick_smoke.comp runs before the paths of the step are known
        longest = 0.0;
        for (int n = 0; n < 64; ++n) longest = max(longest, float(kScalarRatio) * boundingRadius(b * WISP_SMOKE_BRICK, n));
    }
    // Such a reach is far longer than a step should have. The brick counts as reached, because searching so many bricks takes too long.
    bool found = all != 0 || !(longest < 2.0 * WISP_SMOKE_BRICK);
    int r = found ? 0 : int(ceil(longest)) + 1;
    // The last brick across a periodic side may be thin, so one more brick behind it is searched.
    ivec3 more = mix(ivec3(0), ivec3(1), periodicAxes());
    ivec3 low = (b * WISP_SMOKE_BRICK - r + 4 * WISP_SMOKE_BRICK) / WISP_SMOKE_BRICK - 4 - more;
    ivec3 high = (b * WISP_SMOKE_BRICK + WISP_SMOKE_BRICK - 1 + r) / WISP_SMOKE_BRICK + more;
    for (int z = low.z; z <= high.z && !found; ++z)
        for (int y = low.y; y <= high.y && !found; ++y)
            for (int x = low.x; x <= high.x && !found; ++x) {
                found = bricks[smokeBrickIndex(inGrid(ivec3(x, y, z), count))].holds != 0u;
            }
    reached[i] = found ? 1u : 0u;
}
