// SPDX-License-Identifier: MIT
#include "compute/picture/surface_data.h"

namespace wisp {

void setSurfaces(gpu::ViewData& v, const Settings& s) {
    const RenderSettings& r = s.render;
    for (std::size_t n = 0; n < s.obstacles.size(); ++n)
        v.surfaces[n] = {s.obstacles[n].colour.value_or(r.obstacleColour), r.obstacleSpecular, r.obstacleRoughness};
    v.surfaces[WISP_MAX_OBSTACLES] = {r.groundColour, 0.0f, 1.0f};  // the ground is diffuse
}

}  // namespace wisp
