// SPDX-License-Identifier: MIT
// Push constants of the passes over the particles of a liquid. Shared by C++ and GLSL (scalar layout).
#ifndef WISP_SHADERS_SHARED_LIQUID_H
#define WISP_SHADERS_SHARED_LIQUID_H
#include "../step.h"
#ifdef __cplusplus
#include "engine/members.h"

#include <cstdint>
namespace wisp::gpu {
using uint = std::uint32_t;
#endif

#define WISP_LIQUID_GROUP 256     // threads of passes over particles
#define WISP_SCAN_THREADS 256     // threads of a work group of the prefix sums
#define WISP_SCAN_CELLS 4         // cells of each of these threads
#define WISP_LIQUID_LAYERS 8      // maximum number of extrapolation layers
#define WISP_LIQUID_UNKNOWN 255   // layer of a face whose velocity is not known
#define WISP_LIQUID_HERE 1.0      // fourth component of a position: the particle exists,
#define WISP_LIQUID_LEFT 0.0      // has left through an open side,
#define WISP_LIQUID_SURPLUS -1.0  // or was removed as surplus
#define WISP_LIQUID_LEAST 0.01    // minimum of |phi| [cells]: smaller values would make the pressure system stiff

struct LiquidSource {  // where particles are spawned in a step
    ShapeData shape;
    ivec3 first;  // cell of the first thread
    int edge;     // sub-cells of a cell along each edge
};

struct LiquidSpawn {
    int edge;
    float jitter;  // [half sub-cells]
    uint seed;
    uint step;
};

struct LiquidSetVelocity {  // sets the velocity of the particles inside a shape
    ShapeData shape;
    ivec3 first;
    vec3 velocity;  // [m/s]
};

struct LiquidMove {
    float flip;      // share of FLIP in the new velocity, the rest is PIC
    uint most;       // maximum number of particles in a cell
    int thirdOrder;  // third-order Runge-Kutta; otherwise the midpoint rule
};

#ifdef __cplusplus
WISP_MEMBERS(LiquidSource, shape, first, edge)
WISP_MEMBERS(LiquidSpawn, edge, jitter, seed, step)
WISP_MEMBERS(LiquidSetVelocity, shape, first, velocity)
WISP_MEMBERS(LiquidMove, flip, most, thirdOrder)
}  // namespace wisp::gpu
#endif
#endif
