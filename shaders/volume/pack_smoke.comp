#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#define WISP_LISTS_BRICKS
layout(local_size_x = 256) in;
#include "shared/grid.glsl"
#include "shared/packed_volume.glsl"
// Packs the blocks of 8^3 scalar cells in which any cell has smoke or burning gas above the threshold, in any order.
layout(binding = 1) uniform sampler3D scalars;
layout(push_constant, scalar) uniform Push { WordsOut blocksAddress; PackSmokePush push; };

vec3 stored(ivec3 c) { return outside(c, sim.scalarCells) ? vec3(0.0) : texelFetch(scalars, scalarTexel(c), 0).xyz; }

bool isSmoke(vec3 s) {
    bool burns = push.channels > 2 && (push.allFuel != 0 || s.y >= push.ignition);
    return s.x > push.threshold || (burns && s.z > push.threshold);
}

void main() {
    ivec3 block = blockOfGroup(kScalarEdge / WISP_PACK_EDGE), c = WISP_PACK_EDGE * block + pairInBlock();
    if (outside(WISP_PACK_EDGE * block, sim.scalarCells)) return;
    vec3 a = stored(c), b = stored(c + unit(0));
    if (gl_LocalInvocationIndex == 0u) inBlock = 0u;
    barrier();
    if (isSmoke(a) || isSmoke(b)) inBlock = 1u;
    barrier();
    if (inBlock == 0u) return;
    if (gl_LocalInvocationIndex == 0u) {
        record = atomicAdd(counts.smoke, 1u);
        blockHolds[holdsIndex(block)] = 1u;
    }
    barrier();
    if (record >= push.capacity) return;
    putHead(blocksAddress, block, push.channels);
    for (int channel = 0; channel < push.channels; ++channel) put(blocksAddress, push.channels, channel, a[channel], b[channel]);
}
