// SPDX-License-Identifier: MIT
#pragma once

#include "engine/recorder.h"
#include "engine/resources.h"
#include "shaders/shared/pressure_level.h"

#include <vector>

/// Multigrid for the pressure equation: V-cycles with one sweep before and three after the coarse correction.
namespace wisp {

struct Fields;

/// The levels below the pressure grid, each with half the cells along every axis down to a single one. Their cells and
/// weights lie behind each other in one buffer a kind.
struct Pyramid {
    Pyramid() = default;
    Pyramid(engine::Device& device, const gpu::PressureLevel& finest, bool periodic);

    /// Whether passes on tiles take a level: whole sweeps there cost less than waiting for a dispatch after each half, but more work.
    [[nodiscard]] bool inTiles(const gpu::PressureLevel& level) const { return gpu::cellCount(level) <= tiledCells; }

    int tiledCells = 0;                      ///< of the largest level in tiles; none with periodic axes, or where a CPU does that work
    std::vector<gpu::PressureLevel> levels;  ///< [0] is the pressure grid, which has its own buffers; the others are in those below
    std::size_t bottom = 0;                  ///< the first of the levels that one work group does alone; 0 only for a single cell
    engine::Buffer weights, regular, rhs, pressure;
    engine::Buffer other;  ///< a second one of pressures, for passes that cannot work in place
};

/// What preconditioned conjugate gradients keep of the pressure grid.
struct ConjugateGradient {
    ConjugateGradient() = default;
    ConjugateGradient(engine::Device& device, const gpu::PressureLevel& finest);

    engine::Buffer remainder;       ///< r = b - A q
    engine::Buffer preconditioned;  ///< z, what one cycle makes of r
    engine::Buffer direction;       ///< p
    engine::Buffer applied;         ///< A p
};

/// The weights of the coarser levels, from those of the pressure grid. Nothing without a pyramid.
void recordPyramidWeights(engine::Recorder&, Fields&);

/// One V-cycle on the pressure equation, from the pressure that there is. Changes nothing once Record::Residual is within the tolerance.
void recordCycle(engine::Recorder&, Fields&, float tolerance);
/// The same on A q = b, from zero: a preconditioner.
void recordCycleFromZero(engine::Recorder&, Fields&, const engine::Buffer& b, const engine::Buffer& q, float tolerance);

/// One iteration of conjugate gradients with a cycle as preconditioner; the first one starts from the residual of q.
void recordConjugateGradient(engine::Recorder&, Fields&, bool first, float tolerance);

}  // namespace wisp
