#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#define WISP_LISTS_BRICKS
layout(local_size_x = 256) in;
#include "shared/grid.glsl"
#include "shared/vectors.glsl"
#include "shared/packed_volume.glsl"
// Packs the velocity at the centres of cells in blocks of 8^3 cells, if a block with smoke, see pack_smoke.comp, lies in the block or in
// the cells beside it: the velocity around smoke can then be interpolated.
VECTORS_IN(1, centre);
layout(push_constant, scalar) uniform Push { VectorsIn centreAddress; WordsOut blocksAddress; PackVelocityPush push; };

vec3 stored(ivec3 c) { return outside(c, sim.cells) ? vec3(0.0) : LOAD(centre, placeOf(c)).xyz; }

void main() {
    ivec3 block = blockOfGroup(WISP_BRICK_EDGE / WISP_PACK_EDGE), c = WISP_PACK_EDGE * block, ratio = sim.scalarCells / sim.cells;
    if (outside(c, sim.cells)) return;
    if (gl_LocalInvocationIndex == 0u) inBlock = 0u;
    barrier();
    ivec3 low = max((c - 1) * ratio, ivec3(0)) / WISP_PACK_EDGE;
    ivec3 high = (min((c + WISP_PACK_EDGE + 1) * ratio, sim.scalarCells) - 1) / WISP_PACK_EDGE, size = high - low + 1;
    for (int n = int(gl_LocalInvocationIndex); n < size.x * size.y * size.z; n += WISP_PACK_THREADS)
        if (blockHolds[holdsIndex(low + ivec3(n % size.x, n / size.x % size.y, n / (size.x * size.y)))] != 0u) inBlock = 1u;
    barrier();
    if (inBlock == 0u) return;
    if (gl_LocalInvocationIndex == 0u) record = atomicAdd(counts.velocity, 1u);
    barrier();
    if (record >= push.capacity) return;
    putHead(blocksAddress, block, 3);
    vec3 a = stored(c + pairInBlock()), b = stored(c + pairInBlock() + unit(0));
    for (int axis = 0; axis < 3; ++axis) put(blocksAddress, 3, axis, a[axis], b[axis]);
}
