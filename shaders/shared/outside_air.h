// SPDX-License-Identifier: MIT
// The air outside the box: a wind with gusts. Included by C++ and by GLSL (scalar layout).
#ifndef WISP_SHADERS_SHARED_OUTSIDE_AIR_H
#define WISP_SHADERS_SHARED_OUTSIDE_AIR_H
#ifdef __cplusplus
#include "engine/members.h"

#include <glm/vec3.hpp>
namespace wisp::gpu {
using vec3 = glm::vec3;
using ivec3 = glm::ivec3;
#endif

struct OutsideAir {
    vec3 wind;      // its mean velocity [m/s]
    float gust;     // rms of the noise on that, a component [m/s]
    ivec3 lattice;  // of the noise: the point at or below the box's low corner
    vec3 beyond;    // from there to that corner, in edges of the lattice
    float perCell;  // of these in a cell
    int seed;
};

#ifdef __cplusplus
WISP_MEMBERS(OutsideAir, wind, gust, lattice, beyond, perCell, seed)
}  // namespace wisp::gpu
#endif
#endif
