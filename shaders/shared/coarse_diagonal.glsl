// SPDX-License-Identifier: MIT
// Sum of the weights of a cell of the coarse level, from coarseRegular and coarseWeights.
float coarseDiagonal(ivec3 C) {
    int slot = slotOf(coarse, C.x);
    bool isRegular = (coarseRegular[regularIndex(coarse, slot, C.y, C.z)] >> (slot % WISP_REGULAR_BITS) & 1u) != 0u;
    return isRegular ? float(kNeighbours) : coarseWeights[weightIndex(coarse, C)].w;
}
