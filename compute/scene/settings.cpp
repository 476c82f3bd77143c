// SPDX-License-Identifier: MIT
#include "compute/scene/settings.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>

namespace wisp {

bool Settings::usesDeformation() const {
    return std::ranges::any_of(meshes, [](const auto& mesh) { return mesh->motion != nullptr; });
}

bool Settings::usesTemperature() const {
    return flow.buoyancy != 0.0f || usesFuel() ||
           std::any_of(emitters.begin(), emitters.end(),
                       [](const EmitterSettings& e) { return e.temperature != 0.0f || e.temperatureRate != 0.0f; }) ||
           std::any_of(strokes.begin(), strokes.end(), [](const StrokeSettings& stroke) { return stroke.temperature != 0.0f; }) ||
           std::any_of(initial.begin(), initial.end(), [](const InitialSettings& i) { return i.temperature != 0.0f; });
}

bool Settings::usesFuel() const {
    return std::ranges::any_of(emitters, [](const EmitterSettings& e) { return e.fuel > 0.0f || e.fuelRate > 0.0f; }) ||
           std::ranges::any_of(strokes, [](const StrokeSettings& stroke) { return stroke.fuel > 0.0f; }) ||
           std::ranges::any_of(initial, [](const InitialSettings& i) { return i.fuel > 0.0f; });
}

bool Settings::hasNearLamps() const {
    const glm::vec3 low = grid.origin, high = low + grid.size;
    const float near = 0.25f * std::max({grid.size.x, grid.size.y, grid.size.z});
    return std::ranges::any_of(lights, [&](const LightSettings& l) {
        if (l.kind == LightKind::Sun) return false;
        return !follow.keys.empty() || glm::distance(l.position, glm::clamp(l.position, low, high)) < near;
    });
}

bool Settings::usesColour() const {
    const auto isColoured = [](const auto& source) { return source.colour != glm::vec3(1.0f); };
    const bool colouredSoot = usesFuel() && fire.soot > 0.0f && fire.sootColour != glm::vec3(1.0f);
    return coloured || colouredSoot || std::ranges::any_of(emitters, isColoured) || std::ranges::any_of(strokes, isColoured) ||
           std::ranges::any_of(initial, isColoured) ||
           std::ranges::any_of(initial, [](const InitialSettings& i) { return i.image && i.image->isColoured(); });
}

}  // namespace wisp
