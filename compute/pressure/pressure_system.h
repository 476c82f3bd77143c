// SPDX-License-Identifier: MIT
#pragma once

#include "compute/domain/domain.h"
#include "compute/pressure/pyramid.h"
#include "shaders/shared/level.h"

#include <array>
#include <optional>

namespace wisp {

/// Fields for the upsampling of a pressure correction from a grid, whose cells are blocks of 2x2x2 finer cells, to the finer grid.
struct Blocks {
    engine::Buffer openFaces, smoothFaces;  ///< bits per block, see open_faces.comp, smooth_faces.comp
    std::array<engine::Image, 3> changes;   ///< of the correction on faces of each axis [m/s], see correction_changes.comp
};

/// With pressure_ratio 4 the correction is upsampled in two rounds. The intermediate grid has cells twice as large as the fine grid.
/// All fields are floats.
struct MiddleGrid {
    glm::uvec3 cells{0};
    engine::Image velocity;     ///< flux-weighted mean on faces [m/s], before the projection; w: see restrict_velocity.comp
    engine::Image projected;    ///< velocity after the projection
    engine::Image aperture;     ///< as Domain::aperture
    engine::Buffer correction;  ///< as PressureSystem::correction
    Blocks blocks;              ///< as PressureSystem::blocks
};

/// Vectors of preconditioned conjugate gradients on the pressure grid.
struct ConjugateGradient {
    engine::Buffer remainder;       ///< r = b - A q
    engine::Buffer preconditioned;  ///< z, the result of one multigrid cycle for r
    engine::Buffer direction;       ///< p
    engine::Buffer applied;         ///< A p
    engine::Buffer products, dots;  ///< records of cg_apply.comp and cg_dot.comp
};

/// The pressure equation A q = b on the coarse grid, the memory of its solver, and fields for the upsampling of its solution.
struct PressureSystem {
    /// `cycles`: allocates a pyramid for every solver.
    PressureSystem(engine::Device& device, const Settings& settings, const Domain& domain, bool cycles);

    [[nodiscard]] gpu::Level fineLevel() const { return {.cells = cells, .fineCells = 1, .keep = 1.0f, .first = {}}; }
    [[nodiscard]] gpu::Level middleLevel() const { return {.cells = middle->cells, .fineCells = 2, .keep = 1.0f, .first = {}}; }

    glm::uvec3 cells;        ///< of the fine grid
    engine::Buffer weights;  ///< a vec4 per coarse face texel, see coarse_aperture.comp
    engine::Buffer regular;  ///< two bits per coarse cell: it has six neighbours and weights of 1; it has an equation
    engine::Buffer rhs;      ///< b = -H^2 div [m^2/s] at coarse cells, in the order of shaders/shared/pressure_level.h
    /// q [m^2/s]. [0] is the latest, and the initial guess of the next step. [1] is for jacobi, and for cycles on small grids.
    std::array<engine::Buffer, 2> pressure;
    Pyramid pyramid;                   ///< coarser levels, for cycles
    ConjugateGradient gradient;        ///< for mgpcg
    engine::Buffer correction;         ///< a float per coarse face [m/s], axis by axis, see pressure_gradient.comp
    engine::Buffer means;              ///< three floats per pressure cell: velocity through its low faces [m/s], see downsample.comp
    Blocks blocks;                     ///< of the fine grid, with pressure_ratio 2 or 4
    std::optional<MiddleGrid> middle;  ///< with pressure_ratio 4
    engine::Buffer potential;  ///< a float per fine cell [m/s], the share of the pressure that pre-smoothing found, see presmooth.cpp
    engine::Buffer residual;   ///< record of pressure_residual.comp
};

}  // namespace wisp
