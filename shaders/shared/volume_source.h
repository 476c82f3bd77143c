// SPDX-License-Identifier: MIT
// Smoke of volume files, see compute/smoke/volume_sources.h. Shared by C++ and GLSL (scalar layout).
#ifndef WISP_SHADERS_SHARED_VOLUME_SOURCE_H
#define WISP_SHADERS_SHARED_VOLUME_SOURCE_H
#include "step.h"
#ifdef __cplusplus
#include "engine/members.h"

#include <glm/vec4.hpp>
namespace wisp::gpu {
using vec3 = glm::vec3;
using vec4 = glm::vec4;
#endif

// A lattice of values in blocks of 8^3 points, z fastest.
struct Lattice {
    vec4 toIndex[3];   // rows of the affine map from positions relative to the low corner of the box [m] to indices of points
    ivec3 firstBlock;  // blocks of the table
    ivec3 blocks;
    uint table;  // place of its part of the table: for each block, x fastest, the number of its values in blocks plus 1; 0: all are 0
    int parts;   // samples of a scalar cell along each axis
};

struct VolumeSource {
    Lattice lattices[3];  // density, temperature above ambient [K], fuel; without blocks: 0 everywhere
};

struct VolumeAmounts {
    ivec3 first;            // first cell of the box of cells that the volume touches
    float density;          // factors of the values, which raise the fields as those of an emitter do, see emit_scalars.comp
    float densityRate;      // [1/s]
    float temperature;
    float temperatureRate;  // [1/s]
    float fuel;
    float fuelRate;         // [1/s]
    vec3 colour;            // of the smoke, 0 to 1
};

struct VolumeMotion {  // the velocity of a volume file
    Lattice lattice;   // its table has only these blocks; `parts` is not used
    vec3 turn[3];      // rows of the map from vectors of the file to vectors of the scene
};

struct VelocityPush {
    int parts;  // samples of a cell along each axis
};
struct SpreadPush {
    int stride;  // [cells]
};

// A block of the velocity, as VolumeVelocity::Block.
struct VelocityBlock {
    ivec3 corner;
    uint known[16];
    vec3 values[512];
};

#ifdef __cplusplus
WISP_MEMBERS(Lattice, toIndex, firstBlock, blocks, table, parts)
WISP_MEMBERS(VolumeSource, lattices)
WISP_MEMBERS(VolumeAmounts, first, density, densityRate, temperature, temperatureRate, fuel, fuelRate, colour)
WISP_MEMBERS(VolumeMotion, lattice, turn)
WISP_MEMBERS(VelocityPush, parts)
WISP_MEMBERS(SpreadPush, stride)
}  // namespace wisp::gpu
#endif
#endif
