#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_LISTS_BRICKS
#include "shared/grid.glsl"
#include "shared/smoke_brick.glsl"
// Empties the slots of smoke that closing bricks give up, in a field and its scratch fields. What is removed is counted. One thread per
// scalar cell.
layout(binding = 1) uniform sampler3D scalarsIn;
layout(binding = 2) uniform writeonly image3D scalarsOut;
layout(binding = 3) uniform writeonly image3D scratch0;
layout(binding = 4) uniform writeonly image3D scratch1;
layout(binding = 5, scalar) writeonly buffer SmokeOut { BrickSmoke smokeOut[]; };
layout(binding = 6, scalar) writeonly buffer Bricks { SmokeBrick bricks[]; };
layout(binding = 7, scalar) buffer Losses { BrickLosses losses; };
layout(push_constant, scalar) uniform Push { int counts; };  // 1: the field is density
shared uint sum;

void main() {
    ivec3 c = cell();
    if (c == kNowhere) return;
    bool isCell = !outside(c, sim.scalarCells), isFirst = gl_LocalInvocationIndex == 0u;
    if (isFirst) sum = 0u;
    barrier();
    if (isCell) {
        const int edge = kScalarEdge, parts = edge / WISP_SMOKE_BRICK;
        uint slot = listedEntry().slots.smoke;
        ivec3 local = c & (edge - 1), texel = cornerOf(slot, edge + 1) + local, part = local / WISP_SMOKE_BRICK;
        atomicAdd(sum, uint(clamp(texelFetch(scalarsIn, texel, 0).x * WISP_LOSS_PARTS + 0.5, 0.0, 1e6)));
        imageStore(scalarsOut, texel, vec4(0.0));
        imageStore(scratch0, texel, vec4(0.0));
        imageStore(scratch1, texel, vec4(0.0));
        if (local == part * WISP_SMOKE_BRICK)
            bricks[slot * uint(parts * parts * parts) + cellIndex(part, ivec3(parts))] = SmokeBrick(0u, 0.0);
    }
    barrier();
    if (!isFirst) return;
    smokeOut[cellIndex(c / (WISP_BRICK_EDGE * kScalarRatio), brickList.size)] = BrickSmoke(0u, 0.0, 0.0);
    if (counts == 0) return;
    uint before = atomicAdd(losses.droppedLow, sum);
    if (before + sum < before) atomicAdd(losses.droppedHigh, 1u);
}
