// SPDX-License-Identifier: MIT
// Discrete ordinates: radiance in 14 directions at the cells of a coarse grid. See docs/passes.md.
#ifndef WISP_SHADERS_SHARED_ORDINATES_H
#define WISP_SHADERS_SHARED_ORDINATES_H
#include "step.h"
#ifdef __cplusplus
#include "engine/members.h"

#include <glm/vec3.hpp>
namespace wisp::gpu {
using ivec3 = glm::ivec3;
using vec3 = glm::vec3;
#endif

#define WISP_ORDINATES 14  // directions: to the faces and to the corners of a cube
// tiles of an atlas along x, in two rows: one tile per direction. There is no unused tile, because filters read the border of a
// neighbouring tile
#define WISP_ORDINATE_TILES 7
// Equal parts of pi. At their ends the table holds the mean of the phase function over the solid angle of a direction.
#define WISP_PHASE_ANGLES 64
#define WISP_SMALL_TURNS 5  // numbers of scatterings, from 1 on, that shared/small_angle.glsl counts exactly
// First entries of the parts of the table: see compute/picture/ordinates.h
#define WISP_PHASE_MEANS ((WISP_SMALL_TURNS - 1) * WISP_ORDINATES * WISP_ORDINATES)
#define WISP_PHASE_LOBES (WISP_PHASE_MEANS + WISP_PHASE_ANGLES + 1)
#define WISP_ORDINATE_GROUP 32  // cells of a work group, which processes all of their directions
#define WISP_MEDIUM_CELLS 8     // cells of a work group of ordinates_medium
#define WISP_MEDIUM_THREADS 8   // threads for each of them
#define WISP_SOLID_DEPTH 8.0    // optical depth of a cell inside an obstacle

struct OrdinatesPush {
    ivec3 cells;  // of the grid; in a sparse simulation the size of its images
    int level;    // index of the grid, and of that of sourceIn, in a sparse simulation: see LightWindow
    int from;
    // Chebyshev acceleration of each channel: factors of the change by a sweep (gain) and of the change from the iterate before the last
    // (pull). 1 and 1: a plain sweep.
    vec3 gain;
    vec3 pull;
    int begin;  // sourceIn is not read: the incoming light is that of the environment
    int toEye;  // writes the radiance scattered towards the camera instead of sources; 2: also in cells far from smoke
};

#ifdef __cplusplus
WISP_MEMBERS(OrdinatesPush, cells, level, from, gain, pull, begin, toEye)
}  // namespace wisp::gpu
#endif
#endif
