// SPDX-License-Identifier: MIT
// Needs shared/grid.glsl.
// Mean velocity [m/s] of the four fine faces on each low face of the block of 2x2x2 cells that starts at `low`. All these faces are fully
// open. Seven of the eight cells have such faces. A brick has `edge` of these cells along an edge.
vec3 openMeans(sampler3D velocity, ivec3 low, int edge) {
    if (kSparse) low = edge == WISP_BRICK_EDGE ? texelOf(low) : brickTexel(low, edge);
    vec3 u[7], sum = vec3(0.0);
    [[unroll]] for (int n = 0; n < 7; ++n) u[n] = texelFetch(velocity, low + inLayer(ivec3(n & 1, (n >> 1) & 1, n >> 2)), 0).xyz;
    [[unroll]] for (int n = 0; n < 7; ++n) sum += mix(u[n], vec3(0.0), bvec3(n & 1, n & 2, n & 4));
    return 0.25 * sum;
}
