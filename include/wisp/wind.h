// SPDX-License-Identifier: MIT
// Where a velocity field of wisp lies: what wind.glsl needs beside the texture. Included by C++ (which needs glm) and by GLSL, so that it
// exists once.
// Each vec3 is followed by a scalar: std140, std430 and scalar blocks, for uniforms, buffers and push constants, all lay it out as C++
// does, in 48 bytes.
#ifndef WISP_WIND_H
#define WISP_WIND_H
#ifdef __cplusplus
#include <glm/vec3.hpp>

#include <cstddef>
namespace wisp::gpu {
using vec3 = glm::vec3;
using ivec3 = glm::ivec3;
#endif

struct WispWind {
    // low corner of the box [m]; a box that follows a target moves by whole cells, so that texels keep their places in the world
    vec3 origin;
    float h;       // edge of a cell [m], > 0
    ivec3 cells;   // with one cell along z the field is flat: nothing depends on z, and no air moves along it
    int periodic;  // bits 1, 2, 4: along x, y, z the field repeats itself
    vec3 ambient;  // velocity of the air outside of the box [m/s]
    float unused;  // scalar blocks would go on here, others 4 bytes later
};

#ifdef __cplusplus
static_assert(sizeof(WispWind) == 48 && offsetof(WispWind, h) == 12 && offsetof(WispWind, cells) == 16 &&
    offsetof(WispWind, periodic) == 28 &&
                  offsetof(WispWind, ambient) == 32,
              "glm's vectors must be packed: GLM_FORCE_DEFAULT_ALIGNED_GENTYPES makes them larger than GLSL's");
}  // namespace wisp::gpu
#endif
#endif
