// SPDX-License-Identifier: MIT
#pragma once

#include "compute/pressure/pressure_system.h"

/// Multigrid for the pressure equation: V-cycles with one sweep before and three after the coarse correction.
namespace wisp {

/// The weights of the coarser levels, from the weights of the pressure grid. Does nothing without a pyramid.
void recordPyramidWeights(engine::Recorder&, PressureSystem&);

/// One V-cycle on the pressure equation, starting from the current pressure. Changes nothing once the residual is within the tolerance.
void recordCycle(engine::Recorder&, const Domain&, PressureSystem&, float tolerance);
/// The same on A q = b, starting from zero: a preconditioner.
void recordCycleFromZero(engine::Recorder&, const Domain&, PressureSystem&, const engine::Buffer& b, const engine::Buffer& q,
                         float tolerance);

}  // namespace wisp
