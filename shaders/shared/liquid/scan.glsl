// SPDX-License-Identifier: MIT
// Sum over the threads before this one in a work group of WISP_SCAN_THREADS (exclusive prefix sum, Hillis, Steele 1986). Needs `sums`.
uvec2 sumBefore(uvec2 own) {
    uint t = gl_LocalInvocationIndex;
    barrier();
    sums[t] = own;
    for (uint s = 1u; s < WISP_SCAN_THREADS; s <<= 1) {
        barrier();
        uvec2 below = t >= s ? sums[t - s] : uvec2(0u);
        barrier();
        sums[t] += below;
    }
    barrier();
    return sums[t] - own;
}
