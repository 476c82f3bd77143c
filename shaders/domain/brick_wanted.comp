#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
layout(local_size_x = 256) in;
#include "shared/grid.glsl"
#include "shared/brick_grid.glsl"
// The number of slots that bricks want which are to be opened, with those for the halo around them. A slot counts for the highest rank that
// wants it.
layout(binding = 1, scalar) readonly buffer States { uint states[]; };  // see brick_states.comp
layout(binding = 2, scalar) buffer Free { FreeSlots freeSlots; };
layout(binding = 3, scalar) readonly buffer SlotsBefore { BrickSlots slotsBefore[]; };
shared uint flow[WISP_RANKS], smoke[WISP_RANKS];

// Rank of brick b if it wants to be opened, otherwise -1.
int rankAt(ivec3 b) {
    if (outside(b, brickCount())) return -1;
    uint state = states[cellIndex(b, brickCount())];
    return (state & WISP_WANTS) != 0u ? int(state >> WISP_RANK_SHIFT & (WISP_RANKS - 1u)) : -1;
}

void main() {
    uint t = gl_LocalInvocationIndex;
    if (t < WISP_RANKS) flow[t] = smoke[t] = 0u;
    barrier();
    int n = brickIndex();
    if (n < brickTotal()) {
        ivec3 b = brickAt(n);
        int own = rankAt(b), highest = own;
        if (own >= 0) atomicAdd(smoke[own], 1u);
        if (slotsBefore[n].flow < WISP_BLANK_SLOTS) {
            for (int k = 0; k < 27; ++k) highest = max(highest, rankAt(b + ivec3(k % 3, k / 3 % 3, k / 9) - 1));
            if (highest >= 0) atomicAdd(flow[highest], 1u);
        }
    }
    barrier();
    if (t >= WISP_RANKS) return;
    if (flow[t] != 0u) atomicAdd(freeSlots.flowWanted[t], flow[t]);
    if (smoke[t] != 0u) atomicAdd(freeSlots.smokeWanted[t], smoke[t]);
}
