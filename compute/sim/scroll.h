// SPDX-License-Identifier: MIT
#pragma once

#include "compute/sim/fields.h"

namespace wisp {

/// Shifts the fields after the box has moved by `cells`. Contents keep their world positions. Cells that enter the box get the ambient flow
/// at `time` [s].
void recordScroll(engine::Recorder&, const Domain&, Flow&, PressureSystem&, Smoke&, const Settings&, glm::ivec3 cells, double time);

}  // namespace wisp
