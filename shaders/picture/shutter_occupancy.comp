#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/view.h"
// Upper bounds of the occupancy while the shutter is open: the largest value of the bricks that smoke may come from. The pass runs once for
// each axis. Smoke moves by at most the largest component of the velocity times the time. In a sparse simulation, the last run also widens
// the box of the smoke.
layout(binding = 1, scalar) uniform ViewBlock { ViewData view; };
layout(binding = 2) uniform sampler3D occupancyIn;
layout(binding = 3) uniform writeonly image3D occupancyOut;
layout(binding = 4, scalar) readonly buffer Fastest { uint fastest[3]; };  // see shutter_reach.comp
layout(binding = 5, scalar) buffer SmokeBoxOut { SmokeBox smokeBoxOut; };
layout(push_constant, scalar) uniform Push {
    int axis;
    float time;  // half of the time for which the shutter is open [s]
};

// Bricks along axis a from which smoke may come. A brick contains the cells around it: rounding does no harm. The last brick of a periodic
// axis may be smaller than the others.
int reachOf(int a) {
    float edge = float(WISP_BRICK) * sim.h / float(kScalarRatio);
    int smaller = isPeriodic(a) && sim.scalarCells[a] % WISP_BRICK != 0 ? 1 : 0;
    return int(min(ceil(time * uintBitsToFloat(fastest[a]) / edge), float(view.bricks[a]))) + smaller;
}

void main() {
    ivec3 brick = cell();
    if (outside(brick, view.bricks)) return;
    int count = view.bricks[axis], reach = reachOf(axis);
    vec4 most = vec4(0.0);
    for (int n = -reach; n <= reach; ++n) {
        ivec3 from = brick;
        from[axis] = isPeriodic(axis) ? (brick[axis] + n + 2 * count) % count : clamp(brick[axis] + n, 0, count - 1);
        most = max(most, texelFetch(occupancyIn, from, 0));
    }
    imageStore(occupancyOut, brick, most);
    if (!kSparse || axis < 2 || brick != ivec3(0) || smokeBoxOut.end[0] == 0) return;
    for (int a = 0; a < 3; ++a) {
        smokeBoxOut.fromHigh[a] = min(smokeBoxOut.fromHigh[a] + reachOf(a), view.bricks[a]);
        smokeBoxOut.end[a] = min(smokeBoxOut.end[a] + reachOf(a), view.bricks[a]);
    }
}
