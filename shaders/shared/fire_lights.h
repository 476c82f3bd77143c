// SPDX-License-Identifier: MIT
// Flames as lights of raymarch: see fire_lights.comp.
#ifndef WISP_SHADERS_SHARED_FIRE_LIGHTS_H
#define WISP_SHADERS_SHARED_FIRE_LIGHTS_H
#include "step.h"
#ifdef __cplusplus
#include "engine/members.h"
namespace wisp::gpu {
#endif

#define WISP_FIRE_LIGHTS 8
#define WISP_FIRE_CELLS 64  // cells that a work group of fire_lights takes at once, with all of their directions

struct FireLight {
    vec3 centre;     // [m]
    float radius2;   // mean squared distance of its parts from the centre [m^2]
    vec3 intensity;  // mean over all directions [W/sr]
    vec3 alongX;     // the intensity in direction d is intensity + d.x alongX + d.y alongY + d.z alongZ
    vec3 alongY;
    vec3 alongZ;
};

// The parts of a fire: equal blocks of cells of the finest ordinates.
struct FireLights {
    ivec3 low;    // first cell with much light
    int edge;     // of a part [cells]
    ivec3 parts;  // along each axis; 0: there is no fire
    FireLight lights[WISP_FIRE_LIGHTS];
};

#ifdef __cplusplus
WISP_MEMBERS(FireLight, centre, radius2, intensity, alongX, alongY, alongZ)
WISP_MEMBERS(FireLights, low, edge, parts, lights)
}  // namespace wisp::gpu
#endif
#endif
