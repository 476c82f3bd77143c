// SPDX-License-Identifier: MIT
#include "compute/picture/picture.h"

#include "compute/scene/view_fields.h"

#include <algorithm>

namespace wisp {

bool looksAlike(const Settings& a, Settings b) {
    if (a.usesColour() != b.usesColour() || a.usesTemperature() != b.usesTemperature() || a.usesSplats() != b.usesSplats() ||
        a.usesShutter() != b.usesShutter() || a.showsSurface() != b.showsSurface() || viewScale(a) != viewScale(b))
        return false;
    if (a.view.field == ViewField::Smoke && !a.grid.isFlat()) VolumeRenderer::copyLiveKeys(a, b);
    return a.grid == b.grid && a.medium == b.medium && a.lights == b.lights && a.environment == b.environment && a.render == b.render &&
           a.view == b.view && a.meshes == b.meshes &&
           std::ranges::equal(a.obstacles, b.obstacles, {}, &ObstacleSettings::colour, &ObstacleSettings::colour);
}

}  // namespace wisp
