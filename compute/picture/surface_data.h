// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "shaders/shared/view.h"

namespace wisp {

/// Sets the surface properties of obstacles and ground.
void setSurfaces(gpu::ViewData& v, const Settings& s);

}  // namespace wisp
