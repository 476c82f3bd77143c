// SPDX-License-Identifier: MIT
#include "compute/picture/picture.h"

#include "compute/scene/view_fields.h"

#include <algorithm>

namespace wisp {

bool looksAlike(const Settings& a, const Settings& b) {
    return a.grid == b.grid && a.medium == b.medium && a.lights == b.lights && a.environment == b.environment && a.render == b.render &&
           a.view == b.view && viewScale(a) == viewScale(b) && a.meshes == b.meshes && a.usesColour() == b.usesColour() &&
           a.usesTemperature() == b.usesTemperature() &&
           std::ranges::equal(a.obstacles, b.obstacles, {}, &ObstacleSettings::colour, &ObstacleSettings::colour) &&
           a.usesSplats() == b.usesSplats() && a.usesShutter() == b.usesShutter() && a.showsSurface() == b.showsSurface();
}

}  // namespace wisp
