// SPDX-License-Identifier: MIT
#pragma once

#include "compute/domain/domain.h"

namespace wisp {

/// The velocity of the fluid on fine faces [m/s]; rgba, a is 0.
struct Flow {
    Flow(engine::Device& device, const Domain& domain);

    /// The latest velocity that was made divergence-free.
    [[nodiscard]] const engine::Image& divergenceFree() const { return isProjected ? projected : velocity; }

    engine::Image velocity;        ///< at the start of a step; forces and emitters act on it, or particles provide it
    engine::Image projected;       ///< divergence-free; advects the fluid in a step
    engine::Image scratch;         ///< within a stage
    engine::Image centre;          ///< the divergence-free velocity at cell centres, for backtraces and the next step's vorticity
    engine::Buffer centreVectors;  ///< the same in a buffer, see shaders/shared/vectors.glsl
    bool isProjected = false;      ///< `projected` is newer than `velocity`
};

/// Fills Flow::velocity with the ambient flow at a time [s].
void recordAmbientFlow(engine::Recorder&, const Domain&, Flow&, const Settings&, double time);
/// `velocity` on faces -> Flow::centre.
void recordCentreVelocity(engine::Recorder&, const Domain&, Flow&, const engine::Image& velocity);

}  // namespace wisp
