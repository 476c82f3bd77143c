// SPDX-License-Identifier: MIT
// Shape of an emitter or an initial field.
#ifndef WISP_SHADERS_SHARED_SHAPE_PUSH_H
#define WISP_SHADERS_SHARED_SHAPE_PUSH_H
#include "enums.h"
#include "step.h"
#ifdef __cplusplus
#include "engine/members.h"
namespace wisp::gpu {
#endif

struct ShapePush {
    ShapeData shape;
    ivec3 first;            // first cell of the box of cells that the shape touches
    float density;          // minimum density of an emitter, or density of an initial field
    float densityRate;      // [1/s]
    float temperature;      // [K]
    float temperatureRate;  // [K/s]
    float fuel;             // minimum share of an emitter, or share of an initial field
    float fuelRate;         // [1/s]
    vec3 velocity;          // [m/s]
    int field;              // WISP_FIELD_SHAPE ...
    vec3 colour;            // of the smoke, 0 to 1
    float shell;            // of an emitter: half of the thickness of a layer on its surface [m]; 0: the emitter is solid
};

struct JetPush {  // velocity of an emitter
    ShapeData shape;
    ivec3 first;
    vec3 velocity;          // [m/s]
    float turbulence;       // rms of the velocity noise over |velocity|
    float turbulenceScale;  // [m]
    vec3 carried;           // distance [turbulenceScale] that the velocity has carried the noise: the fraction ...
    ivec3 carriedCells;     // ... and the whole number, so that the noise is as smooth after a day as at the start
    int seed;
    float shell;    // as in ShapePush
    float inherit;  // share of the velocity of a mesh's surface that is added
};

#ifdef __cplusplus
WISP_MEMBERS(ShapePush, shape, first, density, densityRate, temperature, temperatureRate, fuel, fuelRate, velocity, field, colour, shell)
WISP_MEMBERS(JetPush, shape, first, velocity, turbulence, turbulenceScale, carried, carriedCells, seed, shell, inherit)
}  // namespace wisp::gpu
#endif
#endif
