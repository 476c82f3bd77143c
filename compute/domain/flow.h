// SPDX-License-Identifier: MIT
#pragma once

#include "compute/domain/domain.h"

#include <memory>

namespace wisp {

struct CoarseFlow;

/// The velocity of the fluid on fine faces [m/s]; rgba, a is 0.
struct Flow {
    /// Number of texels and elements of the fields on a grid.
    struct Sizes {
        glm::uvec3 faces, cells;
        std::uint64_t vectors, groups;
    };
    Flow(engine::Device& device, const Domain& domain);
    /// `prefix`: of the names of the fields.
    Flow(engine::Device& device, const Domain& domain, const std::string& prefix, const Sizes& size);
    static std::uint64_t groupsOf(glm::uvec3 cells);  ///< number of work groups of backtrace.comp, at most
    ~Flow();

    /// The latest velocity that was made divergence-free.
    [[nodiscard]] const engine::Image& divergenceFree() const { return isProjected ? projected : velocity; }
    /// The same on coarse faces. In a dense simulation it is a placeholder that shaders do not read.
    [[nodiscard]] const engine::Image& coarseDivergenceFree() const;
    /// Accelerations at cell centres [m/s^2], within a step from the forces until advection. The memory is that of paths.
    [[nodiscard]] const engine::Buffer& acceleration() const { return ahead; }

    engine::Image velocity;        ///< at the start of a step; forces and emitters act on it, or particles provide it
    engine::Image projected;       ///< divergence-free; advects the fluid in a step
    engine::Image scratch;         ///< within a stage
    engine::Image centre;          ///< the divergence-free velocity at cell centres, for backtraces and the next step's vorticity
    engine::Buffer centreVectors;  ///< the same in a buffer, see shaders/shared/vectors.glsl
    /// Displacements [cells] of the fluid at cell centres to its departure and arrival points in a step.
    engine::Buffer back, ahead;
    engine::Buffer
        reach;  ///< a float per group of backtrace.comp, of at least 8x4x2 cells, see shaders/shared/reach.glsl; padded to whole rows
    bool isProjected = false;            ///< `projected` is newer than `velocity`
    std::unique_ptr<CoarseFlow> coarse;  ///< of a sparse simulation
};

/// The velocity on the coarse grid of a sparse simulation. It is stored everywhere. Where bricks are active it is the mean of the fine
/// velocity, and elsewhere the fine velocity is its upsampling.
struct CoarseFlow {
    CoarseFlow(engine::Device& device, const Domain& domain);
    /// Uploads the step's uniforms for passes over the coarse grid. Obstacles are in active bricks, so this grid knows none.
    void upload(engine::Recorder& rec, const gpu::StepData& fine) const;

    Flow flow;
    engine::Buffer step;  ///< gpu::StepData whose fine cells are the coarse cells
};

/// Fills Flow::velocity with the ambient flow at a time [s].
void recordAmbientFlow(engine::Recorder&, const Domain&, Flow&, const Settings&, double time);
/// `velocity` on faces -> Flow::centre.
void recordCentreVelocity(engine::Recorder&, const Domain&, Flow&, const engine::Image& velocity);

}  // namespace wisp
