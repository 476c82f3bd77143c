// SPDX-License-Identifier: MIT
// Calls the pass's `compute` for the cells of a thread. In a sparse simulation that is several: the slots of its work group's brick take
// as long to find as a cell takes to compute. Needs shared/grid.glsl with WISP_LISTS_BRICKS.
#include "shared/branches.glsl"
#ifndef WISP_NEAR_SLOTS
void findSlots() {}
#endif

// The first round from `round` on in which the group has cells.
int nextRound(int round) {
    while (round < kRounds && isIdle(cell(round))) ++round;
    return round;
}

void main() {
    if (kRounds == 1) {  // no loop: it can double the time of a pass
        ivec3 c = cell();
        if (isIdle(c)) return;
        findSlots();
        compute(c);
    } else if (kBranchless) {  // these devices skip nothing but the rest of a loop, see branches.glsl
        int round = nextRound(0);
        if (round < kRounds) findSlots();
        for (; round < kRounds; round = nextRound(round + 1)) compute(cell(round));
    } else {
        bool knowsSlots = false;
        for (int round = 0; round < kRounds; ++round) {
            ivec3 c = cell(round);
            if (isIdle(c)) continue;
            if (!knowsSlots) findSlots();
            knowsSlots = true;
            compute(c);
        }
    }
}
