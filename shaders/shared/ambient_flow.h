// SPDX-License-Identifier: MIT
// The ambient flow outside the box: a wind with gusts. Shared by C++ and GLSL (scalar layout).
#ifndef WISP_SHADERS_SHARED_AMBIENT_FLOW_H
#define WISP_SHADERS_SHARED_AMBIENT_FLOW_H
#ifdef __cplusplus
#include "engine/members.h"

#include <glm/vec3.hpp>
namespace wisp::gpu {
using vec3 = glm::vec3;
using ivec3 = glm::ivec3;
#endif

struct AmbientFlow {
    vec3 wind;      // mean velocity [m/s]
    float gust;     // rms of the gusts per component [m/s]
    ivec3 lattice;  // point of the noise lattice at or below the low corner of the box
    vec3 beyond;    // offset from this point to the corner, in edges of the lattice
    float perCell;  // edges of the lattice per cell
    int seed;
};

#ifdef __cplusplus
WISP_MEMBERS(AmbientFlow, wind, gust, lattice, beyond, perCell, seed)
}  // namespace wisp::gpu
#endif
#endif
