// SPDX-License-Identifier: MIT
#pragma once

#include "compute/domain/flow.h"
#include "compute/pressure/pressure_system.h"

#include <memory>
#include <vector>

/// Stages of a step around the pressure: obstacles -> A, velocity -> b, solve, velocity - gradient.
namespace wisp {

/// Closes fluid that obstacles cut off within the blocks of pressure_ratio 2 and 4. Call it after recordObstacles.
void recordClosePieces(engine::Recorder&, Domain&, PressureSystem&);
/// Apertures of fine faces -> weights of the pressure equation, and bits of the open fine faces of each block.
void recordCoarseAperture(engine::Recorder&, const Domain&, PressureSystem&);

/// In a sparse simulation: what obstacles and sides leave open in bricks that were just opened or put into the halo. No surface of an
/// obstacle is there unless obstacles have moved, and then recordObstacles follows.
void recordApertureOfFilled(engine::Recorder&, const Domain&, const PressureSystem&);
/// The apertures in slots that bricks share, see Bricks.
void recordBlankApertures(engine::Recorder&, const Domain&, const PressureSystem&);

/// Weight of sweep k of the `ratio` sweeps of pre-smoothing: Chebyshev's, for eigenvalues of the fine equation from 2 / ratio^2, which the
/// pressure grid still resolves, to 2.
float presmoothOmega(int k, std::uint32_t ratio);
/// Pre-smoothing with pressure_ratio 2 and 4, see docs/passes/pressure.md: flow.velocity -> PressureSystem::potential, whose gradient
/// recordForces adds. The velocity is that after advection, without forces. Overwrites flow.back and flow.ahead.
void recordPresmooth(engine::Recorder&, const Domain&, PressureSystem&, Flow&);

/// Fine divergence of `flow.velocity` -> right-hand side.
void recordDownsample(engine::Recorder&, const Domain&, const Flow&, PressureSystem&, const Settings&);

/// Solves A q = b, starting from the last step's q. `closed`: no side has q = 0, so q is determined up to a constant, and b must sum to 0.
/// `trace`, if given, gets relative residuals once the frame has run: before the solve, and after every cycle or every ten sweeps (less
/// often if that were more than a hundred). This costs time.
void recordPressure(engine::Recorder&, const Domain&, PressureSystem&, const PressureSettings&, bool closed,
                    const std::shared_ptr<std::vector<double>>& trace = nullptr);
/// |b - A q|^2 and |b|^2 into PressureSystem::residual.
void recordResidual(engine::Recorder&, const Domain&, PressureSystem&);
/// Whether the box has no open side, so that q = 0 nowhere.
bool isClosed(const GridSettings& grid);

/// Coarse faces of active bricks: all, or those near to other bricks, which coarse paths and the halo may read.
enum class Restricted { All, Border };
/// In a sparse simulation: fine faces of active bricks -> coarse faces.
void recordRestrictFaces(engine::Recorder&, const Domain&, const PressureSystem&, const engine::Image& fine, const engine::Image& coarse,
                         Restricted);
/// In a sparse simulation: fills the fine faces of opened bricks and of the halo with the upsampled coarse velocity. `writesCentres`: also
/// Flow::centre and centreVectors.
void recordFill(engine::Recorder&, const Domain&, PressureSystem&, const Flow&, const engine::Image& coarse, const engine::Image& fine,
                bool writesCentres);

/// flow.velocity -> flow.projected: subtracts the upsampled gradient of q, applies solids, and repairs blocks around them.
void recordProject(engine::Recorder&, const Domain&, PressureSystem&, Flow&, const Settings&);

}  // namespace wisp
