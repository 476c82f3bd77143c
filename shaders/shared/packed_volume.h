// SPDX-License-Identifier: MIT
// Blocks of cells as the device packs them for files, see shaders/volume. A record is a head of WISP_PACK_HEAD words, the coordinates of
// the block's first cell, and the values of its cells: all of the first channel, x fastest, then those of the next channel. A value is a
// half or a float, as in the fields. Cells outside of the box are 0. Shared by C++ and GLSL (scalar layout).
#ifndef WISP_SHADERS_SHARED_PACKED_VOLUME_H
#define WISP_SHADERS_SHARED_PACKED_VOLUME_H
#ifdef __cplusplus
#include "engine/members.h"

#include <cstdint>
namespace wisp::gpu {
using uint = std::uint32_t;
#endif

#define WISP_PACK_EDGE 8      // cells along an edge of a block, as in the leaf nodes of OpenVDB
#define WISP_PACK_CELLS 512   // in a block
#define WISP_PACK_HEAD 4      // words; the fourth is not used
#define WISP_PACK_THREADS 256  // of a block

struct PackSmokePush {
    float threshold;  // of density and of the burning share, from which a cell counts as smoke
    float ignition;   // [K] above ambient
    int channels;     // that are packed: density, temperature, fuel; with fuel, burning gas counts as smoke, too
    int allFuel;      // 1: cold fuel counts, too
    uint capacity;    // records that the buffer holds; more blocks are only counted
};

struct PackVelocityPush {
    uint capacity;
};

struct PackCounts {
    uint smoke, velocity;  // number of blocks
};

#ifdef __cplusplus
WISP_MEMBERS(PackSmokePush, threshold, ignition, channels, allFuel, capacity)
WISP_MEMBERS(PackVelocityPush, capacity)
WISP_MEMBERS(PackCounts, smoke, velocity)
}  // namespace wisp::gpu
#endif
#endif
