// SPDX-License-Identifier: MIT
// What the list says of a brick. Needs `states` and shared/brick_grid.glsl.
bool activeAt(ivec3 b) { return !outside(b, brickCount()) && (states[cellIndex(b, brickCount())] & WISP_IS_ACTIVE) != 0u; }

// Bits of the active bricks around brick n, see ListedBrick. The middle one is the brick itself.
uint activeAround(int n) {
    ivec3 b = brickAt(n);
    uint bits = 0u;
    for (int k = 0; k < 27; ++k) bits |= activeAt(b + ivec3(k % 3, k / 3 % 3, k / 9) - 1) ? 1u << k : 0u;
    return bits;
}

// To which parts of the list brick n belongs, as 1 or 0: kept, opened, halo, closing.
uvec4 partsOf(int n, uint around) {
    bool was = (states[n] & WISP_WAS_ACTIVE) != 0u, isActive = (states[n] & WISP_IS_ACTIVE) != 0u;
    return uvec4(isActive && was, isActive && !was, !isActive && around != 0u, !isActive && was);
}
