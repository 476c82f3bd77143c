// SPDX-License-Identifier: MIT
#ifndef WISP_WIND_H
#define WISP_WIND_H
#ifdef __cplusplus
#include <cstddef>
#ifdef WISP_GLM  // vectors are those of glm
#include <glm/vec3.hpp>
namespace wisp::gpu {
using vec3 = glm::vec3;
using ivec3 = glm::ivec3;
#else
namespace wisp::gpu {
struct vec3 {
    float x, y, z;
};
struct ivec3 {
    int x, y, z;
};
#endif
#endif

/// Position and size of a velocity field of wisp: the input of wind.glsl in addition to the texture. Included by C++ and by GLSL. A scalar
/// follows each vec3, so std140, std430 and scalar blocks (uniforms, buffers, push constants) all have the C++ layout of 48 bytes.
struct WispWind {
    /// low corner of the box [m]; a box that follows a target moves by whole cells, so that texels keep their world positions
    vec3 origin;
    float h;       ///< edge length of a cell [m], > 0
    ivec3 cells;   ///< number of cells; with one cell along z the field is 2D: it does not depend on z, and its z component is 0
    int periodic;  ///< bits 1, 2, 4: the field is periodic along x, y, z
    vec3 ambient;  ///< ambient flow: velocity outside the box [m/s]
    float unused;  ///< padding: without it, a member after the struct would start at byte 44 in scalar blocks, but at 48 in others
};

#ifdef __cplusplus
static_assert(sizeof(WispWind) == 48 && offsetof(WispWind, h) == 12 && offsetof(WispWind, cells) == 16 &&
                  offsetof(WispWind, periodic) == 28 && offsetof(WispWind, ambient) == 32,
              "glm vectors must be packed: do not define GLM_FORCE_DEFAULT_ALIGNED_GENTYPES, which makes them larger than in GLSL");
}  // namespace wisp::gpu
#endif
#endif
