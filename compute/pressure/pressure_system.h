// SPDX-License-Identifier: MIT
#pragma once

#include "compute/domain/domain.h"
#include "compute/pressure/pyramid.h"
#include "shaders/shared/level.h"

#include <array>
#include <optional>

namespace wisp {

/// Carries a pressure correction from a coarser grid, whose cells are blocks of 2x2x2 cells, to the next finer one.
struct Blocks {
    engine::Buffer openFaces, smoothFaces;  ///< bits of a block, see open_faces.comp, smooth_faces.comp
    std::array<engine::Image, 3> changes;   ///< of the correction on faces of each axis [m/s], see correction_changes.comp
};

/// With pressure_ratio 4 the correction reaches the fine grid in two rounds, by way of a grid of cells twice as large. All in float.
struct MiddleGrid {
    glm::uvec3 cells{0};
    engine::Image velocity;     ///< mean by flux on faces [m/s], before the projection; w: see restrict_velocity.comp
    engine::Image projected;    ///< after it
    engine::Image openness;     ///< as Domain::openness
    engine::Buffer correction;  ///< as PressureSystem::correction
    Blocks blocks;              ///< as PressureSystem::blocks
};

/// What preconditioned conjugate gradients keep of the pressure grid.
struct ConjugateGradient {
    engine::Buffer remainder;       ///< r = b - A q
    engine::Buffer preconditioned;  ///< z, what one cycle makes of r
    engine::Buffer direction;       ///< p
    engine::Buffer applied;         ///< A p
    engine::Buffer products, dots;  ///< records of cg_apply.comp and cg_dot.comp
};

/// The pressure equation A q = b of the coarse grid, its solver's memory, and the way of its solution back to the fine grid.
struct PressureSystem {
    /// `cycles`: a pyramid is wanted whatever the solver.
    PressureSystem(engine::Device& device, const Settings& settings, const Domain& domain, bool cycles);

    [[nodiscard]] gpu::Level fineLevel() const { return {.cells = cells, .fineCells = 1, .keep = 1.0f, .first = {}}; }
    [[nodiscard]] gpu::Level middleLevel() const { return {.cells = middle->cells, .fineCells = 2, .keep = 1.0f, .first = {}}; }

    glm::uvec3 cells;                        ///< of the fine grid
    engine::Buffer weights;                  ///< vec4 a coarse face texel, see coarse_openness.comp
    engine::Buffer regular;                  ///< bits of a coarse cell: it has six neighbours and weights of 1; it has an equation
    engine::Buffer rhs;                      ///< b = -H^2 div [m^2/s] at coarse cells, in the order of shaders/shared/pressure_level.h
    std::array<engine::Buffer, 2> pressure;  ///< q [m^2/s]; [0] is the newest, kept for the warm start; [1]: jacobi and small grids' cycles
    Pyramid pyramid;                         ///< coarser levels, for cycles
    ConjugateGradient gradient;              ///< for mgpcg
    engine::Buffer correction;               ///< a float for each coarse face [m/s], axis by axis, see pressure_gradient.comp
    engine::Buffer means;                    ///< three floats a pressure cell: velocity through its low faces [m/s], see downsample.comp
    Blocks blocks;                           ///< of the fine grid, with pressure_ratio 2 or 4
    std::optional<MiddleGrid> middle;        ///< with pressure_ratio 4
    engine::Buffer residual;                 ///< record of pressure_residual.comp
};

}  // namespace wisp
