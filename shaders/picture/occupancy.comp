#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#define WISP_LISTS_BRICKS
#include "shared/view.h"
layout(local_size_x = WISP_BRICK_THREADS) in;
#include "shared/grid.glsl"
// Largest density of a brick, including the one-cell border that its trilinear samples reach. With fire, an upper bound of the optical
// density, see shared/volume.glsl, and the largest temperature. One group per brick; a thread reads 2x2x2 cells. In a sparse simulation
// only bricks in listed bricks have groups: no others are near smoke.
layout(binding = 2) uniform sampler3D scalars;
layout(binding = 4) uniform sampler3D scalarsGreatest;
layout(binding = 3) uniform writeonly image3D occupancyOut;
layout(binding = 1, scalar) uniform ViewBlock { ViewData view; };
layout(constant_id = 34) const bool kFire = false;
layout(constant_id = 5) const bool kReductions = false;  // the device has a max reduction sampler, which is faster
shared vec2 tile[WISP_BRICK_THREADS];

// Whether 2x2x2 cells are inside the box, in one slot.
bool isInOneSlot(ivec3 base) {
    const int edge = WISP_BRICK_EDGE * kScalarRatio;
    return !outside(base, sim.scalarCells - 1) && all(notEqual(base & (edge - 1), ivec3(edge - 1)));
}

vec4 largestOf(ivec3 base) {
    if (kSparse && kReductions && isInOneSlot(base))
        return textureLod(scalarsGreatest, (vec3(scalarTexel(base)) + 1.0) * sim.perSmokeTexel, 0.0);
    if (!kSparse && kReductions) return textureLod(scalarsGreatest, (vec3(base) + 1.0) * sim.perScalar, 0.0);
    vec4 largest = vec4(0.0);
    for (int n = 0; n < 8; ++n) {
        ivec3 c = base + ivec3(n & 1, (n >> 1) & 1, n >> 2);
        largest = max(largest, texelFetch(scalars, scalarTexel(inGrid(c, sim.scalarCells)), 0));
    }
    return largest;
}

vec2 greatestOf(ivec3 base) {
    vec4 largest = largestOf(base);
    return kFire ? vec2(largest.x + view.flame * largest.z, largest.y) : vec2(largest.x, 0.0);
}

ivec3 brickOfGroup() {
    if (!kSparse) return ivec3(gl_WorkGroupID);
    const int edge = WISP_BRICK_EDGE * kScalarRatio / WISP_BRICK;
    int n = int(gl_WorkGroupID.x);
    return listedBrick() * edge + ivec3(n % edge, n / edge % edge, n / (edge * edge));
}

void main() {
    ivec3 brick = brickOfGroup(), first = brick * WISP_BRICK - 1;
    const int edge = (WISP_BRICK + 2) / 2;
    int i = int(gl_LocalInvocationIndex);
    ivec3 place = ivec3(i % edge, (i / edge) % edge, i / (edge * edge));
    tile[i] = place.z < edge ? greatestOf(first + 2 * place) : vec2(0.0);
    for (uint s = WISP_BRICK_THREADS / 2; s > 0; s >>= 1) {
        barrier();
        if (i < s) tile[i] = max(tile[i], tile[i + s]);
    }
    bool inside = !kSparse || !outside(brick, (sim.scalarCells + WISP_BRICK - 1) / WISP_BRICK);
    if (i == 0 && inside) imageStore(occupancyOut, brick, vec4(tile[0], 0.0, 0.0));
}
