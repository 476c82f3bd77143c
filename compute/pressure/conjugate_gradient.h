// SPDX-License-Identifier: MIT
#pragma once

#include "compute/pressure/pressure_system.h"

namespace wisp {

/// One iteration of conjugate gradients with a multigrid cycle as preconditioner. The first iteration starts from the residual of q.
void recordConjugateGradient(engine::Recorder&, const Domain&, PressureSystem&, bool first, float tolerance);

}  // namespace wisp
