// SPDX-License-Identifier: MIT
// Packs blocks of cells, one work group a block: see packed_volume.h. A thread packs two cells beside each other along x. Needs
// shared/grid.glsl with WISP_LISTS_BRICKS.
#extension GL_EXT_buffer_reference : require
#include "shared/packed_volume.h"
#include "shared/rounding.glsl"
layout(buffer_reference, scalar, buffer_reference_align = 4) writeonly buffer WordsOut { uint words[]; };
layout(binding = 2, scalar) buffer Counts { PackCounts counts; };
const int kPairs = WISP_PACK_EDGE / 2;  // of cells in a row
shared uint inBlock;  // whether any cell counts
shared uint record;

// The block of the work group. `edge`: blocks along an edge of a brick.
ivec3 blockOfGroup(int edge) {
    if (!kSparse) return ivec3(gl_WorkGroupID);
    int n = int(gl_WorkGroupID.x);
    return listedBrick() * edge + ivec3(n % edge, n / edge % edge, n / (edge * edge));
}
// First of the two cells of the thread, in the block.
ivec3 pairInBlock() {
    int n = int(gl_LocalInvocationIndex);
    return ivec3(2 * (n % kPairs), n / kPairs % WISP_PACK_EDGE, n / (kPairs * WISP_PACK_EDGE));
}

// Which blocks of scalar cells have smoke: a word each, in slots as the smoke itself. Blank slots have none.
layout(binding = 3, scalar) buffer BlockHolds { uint blockHolds[]; };
uint holdsIndex(ivec3 block) {
    const int edge = kScalarEdge / WISP_PACK_EDGE;  // blocks along an edge of a brick
    if (!kSparse) return cellIndex(block, (sim.scalarCells + WISP_PACK_EDGE - 1) / WISP_PACK_EDGE);
    return slotsAt(block / edge).smoke * uint(edge * edge * edge) + cellIndex(block % edge, ivec3(edge));
}

uint wordsOfChannel() { return uint(kHalfStorage ? WISP_PACK_CELLS / 2 : WISP_PACK_CELLS); }
uint recordWords(int channels) { return uint(WISP_PACK_HEAD) + uint(channels) * wordsOfChannel(); }
void putHead(WordsOut blocks, ivec3 block, int channels) {
    uint n = gl_LocalInvocationIndex;
    if (n < 3u) blocks.words[record * recordWords(channels) + n] = uint(WISP_PACK_EDGE * block[n]);
}
void put(WordsOut blocks, int channels, int channel, float a, float b) {
    uint at = record * recordWords(channels) + uint(WISP_PACK_HEAD) + uint(channel) * wordsOfChannel(), n = gl_LocalInvocationIndex;
    if (kHalfStorage) {
        blocks.words[at + n] = packHalf2x16(vec2(a, b));  // exact: the fields are halves
    } else {
        blocks.words[at + 2u * n] = floatBitsToUint(a);
        blocks.words[at + 2u * n + 1u] = floatBitsToUint(b);
    }
}
