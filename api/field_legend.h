// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "wisp/renderer.h"

#include <optional>

namespace wisp {

/// What a picture with these settings shows by colours; none if it shows smoke, or the dye of a flat grid.
std::optional<FieldLegend> legendOf(const Settings& settings);

}  // namespace wisp
