// SPDX-License-Identifier: MIT
// Sum over the threads before this one in a work group of WISP_SCAN_THREADS (exclusive prefix sum, Hillis, Steele 1986). Needs
// `shared WISP_SUM sums[WISP_SCAN_THREADS]`.
WISP_SUM sumBefore(WISP_SUM own) {
    uint t = gl_LocalInvocationIndex;
    barrier();
    sums[t] = own;
    for (uint s = 1u; s < WISP_SCAN_THREADS; s <<= 1) {
        barrier();
        WISP_SUM below = t >= s ? sums[t - s] : WISP_SUM(0u);
        barrier();
        sums[t] += below;
    }
    barrier();
    return sums[t] - own;
}
