// SPDX-License-Identifier: MIT
#pragma once

#include "compute/domain/flow.h"
#include "compute/sim/reduced.h"
#include "wisp/quality.h"

#include <vector>

/// The momentum of smoke's air, and what changes it in a step.
namespace wisp {

/// Records of measure_momentum.comp and measure_acceleration.comp in a step, in its order.
struct MomentumRecords {
    Reduced atStart{}, afterSources{}, force{}, projected{}, advected{};
};

/// Sums of the momentum of a velocity on fine faces, and of the momentum that flows out. `coarse`: the same velocity on coarse faces.
void recordMomentum(engine::Recorder&, const Domain&, const engine::Image& velocity, const engine::Image& coarse,
                    const engine::Buffer& into);
/// Sum of the accelerations that recordForces left. `accelerates`: whether it left any.
void recordForceOnFluid(engine::Recorder&, const Domain&, const Flow&, bool accelerates, const engine::Buffer& into);

/// `cellMass`: rho h^3 [kg]. `keep`: decay factor of the step's advection. `hasSides`: not all axes are periodic.
MomentumBudget momentumBudget(const MomentumRecords&, double cellMass, double h, double dt, double keep, const std::vector<BodyForce>&,
                              bool hasSides);

}  // namespace wisp
