// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"

namespace wisp {

/// Whether obstacles at rest cover all cells that an emitter at rest would fill. An emitter that is a mesh or a volume counts as its
/// bounding box, and of a large emitter not all cells are looked at.
bool isCovered(const Settings& settings, const EmitterSettings& emitter);

}  // namespace wisp
