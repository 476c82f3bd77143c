// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"

#include <optional>

/// What flows in a scene, for code that need not know which fluids there are.
namespace wisp {

/// What a source holds of smoke.
struct SmokeAmount {
    float density = 1.0f;
    float temperature = 0.0f;  ///< [K] above ambient
    glm::vec3 colour{1.0f};
};
/// Makes an emitter, or what a scene begins with, hold what flows in the scene: so much smoke, or a liquid instead.
void fillWithFluid(EmitterSettings& emitter, const Settings& scene, const SmokeAmount& smoke = {});
void fillWithFluid(InitialSettings& initial, const Settings& scene, const SmokeAmount& smoke = {});

/// What a hand paints with: "smoke", "dye" of a flat grid, or "liquid".
const char* fluidName(const Settings& scene);

/// A key that asks for memory beside the grid's, where a scene may leave the number to wisp.
struct CapacityKey {
    const char* key;
    std::uint32_t* value;
    std::uint64_t wanted, chosen;  ///< what `value` asks for, and what wisp would choose
};
/// Of settings that ask for more than wisp would choose; else none.
std::optional<CapacityKey> excessiveCapacity(Settings& settings);

}  // namespace wisp
