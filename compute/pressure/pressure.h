// SPDX-License-Identifier: MIT
#pragma once

#include "compute/domain/flow.h"
#include "compute/pressure/pressure_system.h"

#include <memory>
#include <vector>

/// Stages of a step around the pressure: obstacles -> A, velocity -> b, solve, velocity - gradient.
namespace wisp {

/// Closes fluid that obstacles cut off within the blocks of pressure_ratio 2 and 4; after recordObstacles.
void recordClosePieces(engine::Recorder&, Domain&, PressureSystem&);
/// Openness of fine faces -> weights of the pressure equation, and which fine faces of a block are open.
void recordCoarseOpenness(engine::Recorder&, const Domain&, PressureSystem&);

/// Fine divergence of `flow.velocity` -> right-hand side.
void recordDownsample(engine::Recorder&, const Domain&, const Flow&, PressureSystem&, const Settings&);

/// Solves A q = b from the last step's q. `closed`: no face has q = 0 beyond it, so that q is known but for a constant, and b must sum to
/// 0. `trace`, if given, gets the relative residual before the solve and then after every cycle or every ten sweeps (rarer if there would
/// be more than a hundred) once the frame has run; this costs time.
void recordPressure(engine::Recorder&, const Domain&, PressureSystem&, const PressureSettings&, bool closed,
                    const std::shared_ptr<std::vector<double>>& trace = nullptr);
/// |b - A q|^2 and |b|^2 into PressureSystem::residual.
void recordResidual(engine::Recorder&, const Domain&, PressureSystem&);
/// Whether nothing leaves the box: no side has q = 0.
bool isClosed(const GridSettings& grid);

/// flow.velocity -> flow.projected: u -= grad q, upsampled; solids; local repair.
void recordProject(engine::Recorder&, const Domain&, PressureSystem&, Flow&, const Settings&);

}  // namespace wisp
