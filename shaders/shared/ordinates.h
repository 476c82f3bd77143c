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

#define WISP_ORDINATES 14         // directions: to the faces and to the corners of a cube
// of an atlas along x, in two rows: one a direction, and none that is never written, for filters read a neighbour's rim
#define WISP_ORDINATE_TILES 7
#define WISP_PHASE_ANGLES 64      // equal parts of pi, at whose ends the table has the phase function's mean over a direction's solid angle
#define WISP_ORDINATE_GROUP 32    // cells of a work group, all of whose directions it takes
#define WISP_SOLID_DEPTH 8.0      // optical depth of a cell inside an obstacle

struct OrdinatesPush {
    ivec3 cells;
    vec3 gain;   // of what a sweep changes ...
    vec3 pull;   // ... and away from the iterate before the last: Chebyshev's acceleration, for each channel; 1 and 1: a plain sweep
    int begin;    // sourceIn is not read: light comes as from the surroundings
    int toEye;    // writes what is scattered towards the camera, instead of sources; 2: of cells far from smoke, too
};

#ifdef __cplusplus
WISP_MEMBERS(OrdinatesPush, cells, gain, pull, begin, toEye)
}  // namespace wisp::gpu
#endif
#endif
