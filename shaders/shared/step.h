// SPDX-License-Identifier: MIT
// Data that every pass of a step may read. Shared by C++ and GLSL (scalar layout).
#ifndef WISP_SHADERS_SHARED_STEP_H
#define WISP_SHADERS_SHARED_STEP_H
#include "enums.h"
#ifdef __cplusplus
#include "engine/members.h"

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
namespace wisp::gpu {
using vec3 = glm::vec3;
using vec4 = glm::vec4;
using ivec3 = glm::ivec3;
#endif

#define WISP_MAX_OBSTACLES 16
#define WISP_FAR_CELLS 64.0  // larger distances to obstacles are stored as this
#define WISP_ENDLESS 1e9f    // half edge of a box that touches its own periodic images [m]

struct ShapeData {
    vec3 centre;      // [m]
    int kind;         // WISP_SPHERE ...
    vec3 halfExtent;  // [m]; of a mesh: of its distance grid
    float radius;     // [m]; of a mesh: edge of a voxel of that grid
    vec4 rotation;    // quaternion (x, y, z, w), body to world
    int slice;        // of a mesh: first slice of its grid in the image of all grids
};

struct ObstacleData {
    ShapeData shape;
    vec3 velocity;         // [m/s] of its centre
    vec3 angularVelocity;  // [rad/s]
    float swept;           // [s]: positions up to this time before the end of the step are solid, too (see compute/scene/motion.h)
    int positions;         // number of positions at which a swept body other than a sphere is evaluated, 2 or more
};

struct StepData {
    ivec3 cells;          // fine cells: velocity
    ivec3 pressureCells;  // coarse cells
    ivec3 scalarCells;
    int ratio;                         // fine cells per pressure cell along an edge
    int scalarRatio;                   // scalar cells per fine cell along an edge
    float h;                           // edge of a fine cell [m]
    float dt;                          // [s]
    vec3 perCell;                      // 1 / cells
    vec3 perFace;                      // 1 / (cells + 1), the size of fields on faces
    vec3 perScalar;                    // 1 / scalarCells
    vec3 perFlowTexel, perSmokeTexel;  // 1 / size of the images of a sparse simulation, see shared/storage.glsl
    vec3 origin;                       // low corner of the box [m]
    ivec3 sidesLow;                    // WISP_OPEN ... of x0, y0, z0
    ivec3 sidesHigh;                   // ... of x1, y1, z1
    vec3 inflow;                       // velocity through inflow sides [m/s]
    int obstacleCount;
    vec3 solidsLow;  // box of fine cells that obstacles touch now or touched in the previous step [cells]
    vec3 solidsHigh;
#ifdef __cplusplus
    ObstacleData obstacles[WISP_MAX_OBSTACLES];  // in GLSL next to this struct, see grid.glsl
#endif
};

#ifdef __cplusplus
WISP_MEMBERS(ShapeData, centre, kind, halfExtent, radius, rotation, slice)
WISP_MEMBERS(ObstacleData, shape, velocity, angularVelocity, swept, positions)
WISP_MEMBERS(StepData, cells, pressureCells, scalarCells, ratio, scalarRatio, h, dt, perCell, perFace, perScalar, perFlowTexel,
             perSmokeTexel, origin, sidesLow, sidesHigh, inflow, obstacleCount, solidsLow, solidsHigh)
}  // namespace wisp::gpu
#endif
#endif
