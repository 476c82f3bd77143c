// SPDX-License-Identifier: MIT
// The box moves on by whole cells. Included by C++ and by GLSL (scalar layout).
#ifndef WISP_SHADERS_SHARED_SCROLL_H
#define WISP_SHADERS_SHARED_SCROLL_H
#ifdef __cplusplus
#include <glm/vec3.hpp>
namespace wisp::gpu {
using vec3 = glm::vec3;
using ivec3 = glm::ivec3;
#endif

struct ScrollPush {
    ivec3 shift;      // that the box has gone [cells of the field]
    vec3 wind;        // of the air outside [m/s]
    float gust;       // rms of the noise on it, a component [m/s]
    float gustScale;  // size of its eddies [m]
    int seed;
};

#ifdef __cplusplus
}  // namespace wisp::gpu
#endif
#endif
