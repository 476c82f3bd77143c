// SPDX-License-Identifier: MIT
// To which parts of the list a brick belongs, as 1 or 0: kept, opened, halo, closing. Needs `states` and shared/brick_grid.glsl.
bool activeAt(ivec3 b) { return !outside(b, brickCount()) && (states[cellIndex(b, brickCount())] & WISP_IS_ACTIVE) != 0u; }

uvec4 partsOf(int n) {
    if (n >= brickTotal()) return uvec4(0u);
    bool was = (states[n] & WISP_WAS_ACTIVE) != 0u;
    if ((states[n] & WISP_IS_ACTIVE) != 0u) return was ? uvec4(1u, 0u, 0u, 0u) : uvec4(0u, 1u, 0u, 0u);
    ivec3 b = brickAt(n);
    bool beside = false;
    for (int k = 0; k < 27 && !beside; ++k) beside = activeAt(b + ivec3(k % 3, k / 3 % 3, k / 9) - 1);
    return uvec4(0u, 0u, beside ? 1u : 0u, was ? 1u : 0u);
}
