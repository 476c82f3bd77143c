// SPDX-License-Identifier: MIT
// Data that the passes of an image may read in addition to StepData.
#ifndef WISP_SHADERS_SHARED_VIEW_H
#define WISP_SHADERS_SHARED_VIEW_H
#include "enums.h"
#include "step.h"
#ifdef __cplusplus
#include "engine/members.h"

#include <glm/vec2.hpp>
namespace wisp::gpu {
using ivec2 = glm::ivec2;
using uvec3 = glm::uvec3;
#endif

#define WISP_MAX_LIGHTS 4
#define WISP_NEAR_CELLS 6       // cells of the light volume that are ray-marched from each cell towards suns
#define WISP_BRICK 8            // scalar cells along an edge of an occupancy brick
#define WISP_BRICK_THREADS 128  // threads of the group that processes one brick

struct LightData {
    vec3 towards;  // unit vector to a sun, position of a point or a spot [m]
    int kind;
    vec3 power;      // irradiance [W/m^2] of a sun, intensity [W/sr] of a point
    vec3 axis;       // of a spot: unit vector along its axis
    float cosOuter;  // cosine of the angle where its light ends
    float perCos;    // 1 / (cosine where its falloff begins - cosOuter)
    float width;     // diameter [m]; of a sun, over its distance
};

// A diffuse base under a clear, rough coat, see shared/reflection.glsl.
struct SurfaceData {
    vec3 colour;      // albedo of the base
    float specular;   // Fresnel reflectance of the coat at normal incidence; 0: no coat
    float roughness;  // of the coat
};

struct ViewData {
    vec3 eye;      // [m]
    vec3 right;    // half the width of the image at distance 1, with the aspect ratio
    vec3 up;       // half the height of the image at distance 1
    vec3 forward;  // unit
    vec3 eyeMotion, rightMotion, upMotion, forwardMotion;  // change of the camera while the shutter is open [1/s]
    float shutterFrom;  // when the shutter opens [s] after the time of the fields; raymarch: for one of the moments of a picture
    float shutterSpan;  // for how long it is open [s]
    float shutterShift;  // raymarch: offset of the noise that sets the moment of a pixel, 0 to 1
    ivec2 pixels;
    ivec3 lightCells;  // light volume
    ivec3 skyCells;
    ivec3 bricks;       // bricks of the occupancy grid
    float stepLength;   // [m]
    float minDensity;   // bricks without a larger density count as empty
    float stepDensity;  // [m] of density 1 that a longer step may cross at most; 0: all steps are stepLength
    float footprint;    // 1: the image is filtered over pixels, 0: it is sampled at their centres
    float noiseShift;   // offset of the noise that sets the length of first steps, 0 to 1
    float extinction;   // [1/m per unit density]
    vec3 albedo;
    vec3 emission;  // [W/(m^2 sr)]
    float ambient;   // [K]
    float ignition;  // [K] above ambient
    float glow;      // factor of the light of hot smoke and burning gas; 0: none
    float flame;     // optical density of burning gas, see shared/volume.glsl
    float g;
    float gBack;
    float blend;          // weight of the second lobe
    vec3 environment[9];  // radiance in spherical harmonics: factors of 1, x, y, z, xy, yz, zx, 3y^2 - 1, x^2 - z^2
    // share of a full turn from a direction to the column of its texel, in addition to that of shared/environment.glsl
    float environmentRotation;
    SurfaceData surfaces[WISP_MAX_OBSTACLES + 1];  // the last one is that of the ground
    float groundRadius;                            // [m] from the centre of the box, within which the ground is opaque; 0: unlimited
    float hostFactor, hostOffset;  // composite: a host's depth d is at the distance hostFactor / (d + hostOffset) along `forward` [m]
    float exposure;                                // factor
    int tonemap;                                   // WISP_ACES ...
    LightData lights[WISP_MAX_LIGHTS];
};

// Where there is smoke: bricks of the occupancy grid, along each axis. All 0: there is none.
struct SmokeBox {
    int fromHigh[3];  // from the high side of the grid to the lowest brick with smoke, with that brick
    int end[3];       // the highest brick with smoke, plus 1
};

#define WISP_WINDOW_COMMANDS 9  // for tiles of up to 2^8 work groups
#define WISP_TILE_THREADS 256   // of a tile of 8 x 8 x 4 cells of a light window
#define WISP_WINDOW_CELLS 256   // a light volume of a sparse simulation has at most so many cells along each axis

// The part of the box of a sparse simulation in which light is computed: around all smoke. Volumes of light have the size of the largest
// window. The cells of a smaller one are their first texels.
struct LightWindow {
    uvec3 lightCommands[WISP_WINDOW_COMMANDS], skyCommands[WISP_WINDOW_COMMANDS];  // as of BrickList, for tiles of its cells
    vec3 low, size;                                                                // [m]
    ivec3 lightCells, skyCells;
    ivec3 ordinateCells[3];  // of the discrete ordinates, the coarsest grid first
    float scale;             // edge of a cell, over the smallest edge
};
struct LightWindowPush {
    int lightEdge, ordinateEdge;  // smallest edge of a light cell, and of a cell of the finest ordinates [fine cells]; powers of two
    int ordinates;                // most cells of the finest ordinates along an axis
};

#ifdef __cplusplus
WISP_MEMBERS(LightData, towards, kind, power, axis, cosOuter, perCos, width)
WISP_MEMBERS(SurfaceData, colour, specular, roughness)
WISP_MEMBERS(ViewData, eye, right, up, forward, eyeMotion, rightMotion, upMotion, forwardMotion, shutterFrom, shutterSpan, shutterShift,
             pixels, lightCells, skyCells, bricks, stepLength, minDensity, stepDensity, footprint, noiseShift, extinction, albedo,
             emission, ambient, ignition, glow, flame, g, gBack, blend, environment, environmentRotation, surfaces, groundRadius,
             hostFactor, hostOffset, exposure, tonemap, lights)
WISP_MEMBERS(SmokeBox, fromHigh, end)
WISP_MEMBERS(LightWindow, lightCommands, skyCommands, low, size, lightCells, skyCells, ordinateCells, scale)
WISP_MEMBERS(LightWindowPush, lightEdge, ordinateEdge, ordinates)
}  // namespace wisp::gpu
#endif
#endif
