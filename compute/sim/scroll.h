// SPDX-License-Identifier: MIT
#pragma once

#include "compute/sim/fields.h"

namespace wisp {

/// The box has gone so many cells: what is in it keeps its place in the world, and what comes in is the ambient flow at a time [s].
void recordScroll(engine::Recorder&, const Domain&, Flow&, PressureSystem&, Smoke&, const Settings&, glm::ivec3 cells, double time);

}  // namespace wisp
