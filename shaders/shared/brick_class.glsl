// SPDX-License-Identifier: MIT
// What becomes of a brick in this step. Needs `states` (see brick_states.comp), `freeSlots`, `slotsBefore` and shared/brick_grid.glsl.
shared uint lowestRank;  // of the bricks that are opened

// By one thread of a work group, before a barrier: all bricks of a rank are opened, or none.
void findLowestRank() {
    uint flow = 0u, smoke = 0u;
    lowestRank = WISP_RANKS;
    for (int rank = WISP_RANKS - 1; rank >= 0; --rank) {
        flow += freeSlots.flowWanted[rank];
        smoke += freeSlots.smokeWanted[rank];
        if (flow > freeSlots.flowFree || smoke > freeSlots.smokeFree) break;
        lowestRank = uint(rank);
    }
}

bool isRefused(uint state) { return (state & WISP_WANTS) != 0u && (state >> WISP_RANK_SHIFT & (WISP_RANKS - 1u)) < lowestRank; }
// Bits of the active bricks around brick n, see ListedBrick. The middle one is the brick itself.
uint activeAround(int n) {
    ivec3 b = brickAt(n);
    uint bits = 0u;
    for (int k = 0; k < 27; ++k) {
        ivec3 beside = b + ivec3(k % 3, k / 3 % 3, k / 9) - 1;
        if (outside(beside, brickCount())) continue;
        uint state = states[cellIndex(beside, brickCount())];
        if ((state & WISP_IS_ACTIVE) == 0u || isRefused(state)) continue;
        bits |= 1u << k | ((state & WISP_WAS_ACTIVE) == 0u ? WISP_BESIDE_OPENED : 0u);
    }
    return bits;
}

// What brick n adds to the counts of the list, as 1 or 0.
struct Counts {
    uvec4 parts;  // kept, opened, halo, closing
    uvec3 slots;  // takes a slot of velocity, leaves one, is refused
};
Counts countsOf(int n, uint around) {
    bool was = (states[n] & WISP_WAS_ACTIVE) != 0u, isActive = (around >> 13 & 1u) != 0u;
    bool had = slotsBefore[n].flow >= WISP_BLANK_SLOTS;
    return Counts(uvec4(isActive && was, isActive && !was, !isActive && around != 0u, !isActive && was),
                  uvec3(around != 0u && !had, around == 0u && had, isRefused(states[n])));
}
