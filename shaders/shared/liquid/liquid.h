// SPDX-License-Identifier: MIT
// What passes over the particles of a liquid are told. Included by C++ and by GLSL (scalar layout).
#ifndef WISP_SHADERS_SHARED_LIQUID_H
#define WISP_SHADERS_SHARED_LIQUID_H
#include "../step.h"
#ifdef __cplusplus
#include "engine/members.h"

#include <cstdint>
namespace wisp::gpu {
using uint = std::uint32_t;
#endif

#define WISP_LIQUID_GROUP 256   // threads of passes over particles
#define WISP_SCAN_THREADS 256   // of a work group of the prefix sums, each with
#define WISP_SCAN_CELLS 4       // so many cells
#define WISP_LIQUID_LAYERS 8    // of extrapolation at most
#define WISP_LIQUID_UNKNOWN 255 // layer of a face that is not known
#define WISP_LIQUID_HERE 1.0     // fourth number of a place: it is there,
#define WISP_LIQUID_LEFT 0.0     // has left through an open side,
#define WISP_LIQUID_SURPLUS -1.0 // or was one too many
#define WISP_LIQUID_LEAST 0.01  // of |phi| [cells]: less would make the pressure system stiff

struct LiquidBirths {  // where particles are born in a step
    ShapeData shape;
    ivec3 first;   // cell of the first thread
    int edge;      // parts of a cell along each edge
};

struct LiquidNewborn {
    int edge;
    float jitter;  // [halves of a part]
    uint seed;
    uint step;
};

struct LiquidHold {  // particles inside move so
    ShapeData shape;
    ivec3 first;
    vec3 velocity;  // [m/s]
};

struct LiquidMove {
    float flip;     // share of FLIP in the new velocity, the rest is PIC
    uint most;      // particles of a cell
    int thirdOrder; // Runge-Kutta of third order, else the midpoint rule
};

#ifdef __cplusplus
WISP_MEMBERS(LiquidBirths, shape, first, edge)
WISP_MEMBERS(LiquidNewborn, edge, jitter, seed, step)
WISP_MEMBERS(LiquidHold, shape, first, velocity)
WISP_MEMBERS(LiquidMove, flip, most, thirdOrder)
}  // namespace wisp::gpu
#endif
#endif
