// SPDX-License-Identifier: MIT
#pragma once

#include "compute/domain/domain.h"

namespace wisp {

/// The velocity of the fluid on fine faces [m/s]; rgba, a is 0.
struct Flow {
    Flow(engine::Device& device, const Domain& domain);

    /// The velocity that was last made free of divergence.
    [[nodiscard]] const engine::Image& divergenceFree() const { return isProjected ? projected : velocity; }

    engine::Image velocity;        ///< what a step begins with; forces and emitters act on it, or particles bring it
    engine::Image projected;       ///< free of divergence: what carries the fluid in a step
    engine::Image scratch;         ///< within a stage
    engine::Image centre;          ///< the divergence-free velocity at cell centres, for paths and for the next step's vorticity
    engine::Buffer centreVectors;  ///< the same as vectors in memory, see shaders/shared/vectors.glsl
    bool isProjected = false;      ///< `projected` is newer than `velocity`
};

/// The ambient flow everywhere, as it is at a time [s], into `velocity`.
void recordAmbientFlow(engine::Recorder&, const Domain&, Flow&, const Settings&, double time);
/// `velocity` on faces -> at cell centres.
void recordCentreVelocity(engine::Recorder&, const Domain&, Flow&, const engine::Image& velocity);

}  // namespace wisp
