// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "wisp/volume.h"

namespace wisp {

/// The initial smoke that shows these files. @throws Failure Usage naming what is wrong with them.
InitialSettings smokeOf(const VolumeSequence& sequence);

}  // namespace wisp
