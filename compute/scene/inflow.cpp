// SPDX-License-Identifier: MIT
#include "compute/scene/inflow.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>

namespace wisp {

gpu::InflowPush inflowPush(const Settings& s, double time, glm::vec4 channels) {
    const FlowSettings& flow = s.flow;
    const glm::dvec3 u(glm::dvec2(flow.inflow), s.grid.isFlat() ? 0.0 : static_cast<double>(flow.inflow.z));
    const double speed = glm::length(u), period = 2.0 * static_cast<double>(flow.inflowWidth);
    const glm::dvec3 along = speed > 0.0 ? u / speed : glm::dvec3(0.0);
    // Whole periods are removed in double precision, so that a pattern is as sharp after a day as at the start.
    const glm::dvec3 shift = flow.inflowPattern == InflowPattern::Stripes ? along * glm::mod(speed * time, period)
                                                                          : glm::mod(u * time, glm::dvec3(period));
    return {.value = flow.inflowDensity * channels,
            .shift = shift,
            .width = flow.inflowWidth,
            .along = along,
            .pattern = static_cast<int>(flow.inflowPattern)};
}

}  // namespace wisp
