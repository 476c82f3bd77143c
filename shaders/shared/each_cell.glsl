// SPDX-License-Identifier: MIT
// Calls the pass's `compute` for the cells of a thread. In a sparse simulation that is several: the slots of its work group's brick take
// as long to find as a cell takes to compute. A pass that defines WISP_LAYERS, its number of cells along z, has a function `skips`: whether
// a cell needs no `compute`. On CPU devices a thread of such a pass takes every n-th layer, because only a loop can skip cells there, see
// branches.glsl. Needs shared/grid.glsl with WISP_LISTS_BRICKS.
#include "shared/branches.glsl"
#ifndef WISP_NEAR_SLOTS
void findSlots() {}
#endif
#ifdef WISP_LAYERS
const bool kTakesLayers = kBranchless && kUnit == 0;
int rounds() { return kTakesLayers ? (WISP_LAYERS + layersOfThreads() - 1) / layersOfThreads() : kRounds; }
#else
const bool kTakesLayers = false;
int rounds() { return kRounds; }
bool skips(ivec3 c) { return false; }
#endif

// The first round from `round` on in which the group is not idle and the thread does not skip its cell.
int nextRound(int round) {
    for (; round < rounds(); ++round) {
        ivec3 c = cell(round);
        if (!isIdle(c) && !skips(c)) break;
    }
    return round;
}

void main() {
    if (kRounds == 1 && !kTakesLayers) {  // no loop: it can double the time of a pass
        ivec3 c = cell();
        if (isIdle(c)) return;
        findSlots();
        if (!skips(c)) compute(c);
    } else if (kBranchless) {
        if (kUnit == 0 || isListed()) findSlots();
        for (int round = nextRound(0); round < rounds(); round = nextRound(round + 1)) compute(cell(round));
    } else {
        bool knowsSlots = false;
        for (int round = 0; round < kRounds; ++round) {
            ivec3 c = cell(round);
            if (isIdle(c)) continue;
            if (!knowsSlots) findSlots();
            knowsSlots = true;
            if (!skips(c)) compute(c);
        }
    }
}
