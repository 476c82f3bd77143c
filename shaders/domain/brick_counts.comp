#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
layout(local_size_x = 256) in;
#include "shared/grid.glsl"
#include "shared/brick_grid.glsl"
// First of two passes that list the bricks: how many bricks of a work group each part of the list gets, and how many slots they take.
layout(binding = 1, scalar) readonly buffer States { uint states[]; };  // see brick_states.comp
layout(binding = 2, scalar) readonly buffer Free { FreeSlots freeSlots; };
layout(binding = 3, scalar) readonly buffer SlotsBefore { BrickSlots slotsBefore[]; };
layout(binding = 4, scalar) writeonly buffer CountsOut { uint countsOut[]; };  // seven for each work group
#include "shared/brick_class.glsl"
shared uint counts[7];

void main() {
    uint t = gl_LocalInvocationIndex;
    if (t < 7u) counts[t] = 0u;
    if (t == 0u) findLowestRank();
    barrier();
    int n = brickIndex();
    if (n < brickTotal()) {
        Counts own = countsOf(n, activeAround(n));
        for (int k = 0; k < 4; ++k)
            if (own.parts[k] != 0u) atomicAdd(counts[k], 1u);
        for (int k = 0; k < 3; ++k)
            if (own.slots[k] != 0u) atomicAdd(counts[4 + k], 1u);
    }
    barrier();
    if (t < 7u) countsOut[7u * uint(brickGroup()) + t] = counts[t];
}
