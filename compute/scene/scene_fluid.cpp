// SPDX-License-Identifier: MIT
#include "compute/scene/scene_fluid.h"

#include <utility>

namespace wisp {
namespace {

template <class Source>
void fill(Source& source, const Settings& scene, const SmokeAmount& smoke) {
    source.liquid = scene.usesLiquid();
    source.density = source.liquid ? 0.0f : smoke.density;
    source.temperature = source.liquid ? 0.0f : smoke.temperature;
    source.colour = source.liquid ? glm::vec3(1.0f) : smoke.colour;
}

}  // namespace

void fillWithFluid(EmitterSettings& emitter, const Settings& scene, const SmokeAmount& smoke) { fill(emitter, scene, smoke); }
void fillWithFluid(InitialSettings& initial, const Settings& scene, const SmokeAmount& smoke) { fill(initial, scene, smoke); }

const char* fluidName(const Settings& scene) { return scene.usesLiquid() ? "liquid" : scene.grid.isFlat() ? "dye" : "smoke"; }

std::optional<CapacityKey> excessiveCapacity(Settings& settings) {
    std::uint32_t& capacity = settings.liquid.capacity;
    const std::uint32_t wanted = std::exchange(capacity, 0u);
    const std::uint64_t chosen = settings.liquidCapacity();
    capacity = wanted;
    if (chosen == 0 || chosen >= wanted) return std::nullopt;
    return CapacityKey{"liquid.capacity", &capacity, wanted, chosen};
}

}  // namespace wisp
