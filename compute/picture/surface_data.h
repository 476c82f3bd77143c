// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "shaders/shared/view.h"

namespace wisp {

/// What the obstacles and the ground look like.
void setSurfaces(gpu::ViewData& v, const Settings& s);

}  // namespace wisp
