// SPDX-License-Identifier: MIT
// Flames as lights of raymarch: see fire_box.comp, fire_beams.comp, fire_lights.comp.
#ifndef WISP_SHADERS_SHARED_FIRE_LIGHTS_H
#define WISP_SHADERS_SHARED_FIRE_LIGHTS_H
#include "ordinates.h"
#ifdef __cplusplus
#include "engine/members.h"
namespace wisp::gpu {
#endif

#define WISP_FIRE_LIGHTS 8
#define WISP_FIRE_THREADS 128  // of a work group of fire_beams

struct FireLight {
    vec3 centre;     // [m]
    float radius2;   // mean squared distance of its parts from the centre [m^2]
    vec3 intensity;  // mean over all directions [W/sr]
    vec3 alongX;     // the intensity in direction d is intensity + d.x alongX + d.y alongY + d.z alongZ
    vec3 alongY;
    vec3 alongZ;
};

// Light that leaves a part of a fire in one direction, and sums over its cells, weighted with its luminance.
struct FireBeam {
    vec3 intensity;  // [W/sr]
    float power;     // luminance of the intensity
    vec3 moment;     // times position beside the origin of the box [m]
    float square;    // times squared distance from there [m^2]
};

// The parts of a fire: equal blocks of cells of the finest ordinates.
struct FireLights {
    ivec3 low;    // first cell with much light
    int edge;     // of a part [cells]
    ivec3 parts;  // along each axis; 0: there is no fire
    FireLight lights[WISP_FIRE_LIGHTS];
    FireBeam beams[WISP_FIRE_LIGHTS * WISP_ORDINATES];  // all of a part one after the other
};

#ifdef __cplusplus
WISP_MEMBERS(FireLight, centre, radius2, intensity, alongX, alongY, alongZ)
WISP_MEMBERS(FireBeam, intensity, power, moment, square)
WISP_MEMBERS(FireLights, low, edge, parts, lights, beams)
}  // namespace wisp::gpu
#endif
#endif
