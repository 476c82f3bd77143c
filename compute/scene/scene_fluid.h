// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"

#include <map>
#include <optional>
#include <string>

/// Functions that depend on the fluid of a scene. Their callers need not know which fluids exist.
namespace wisp {

/// Smoke of a source.
struct SmokeAmount {
    float density = 1.0f;
    float temperature = 0.0f;  ///< [K] above ambient
    glm::vec3 colour{1.0f};
    float fuel = 0.0f;  ///< share of fuel
};
/// Sets a source's amount: this smoke, or the fluid that the scene has instead of smoke.
void fillWithFluid(EmitterSettings& emitter, const Settings& scene, const SmokeAmount& smoke = {});
void fillWithFluid(InitialSettings& initial, const Settings& scene, const SmokeAmount& smoke = {});

/// Name of what the brush paints: "smoke", or "dye" in a flat grid, or another fluid.
const char* fluidName(const Settings& scene);
/// Copies the keys that change how the fluid is drawn.
void setFluidLook(Settings& settings, const Settings& now);

/// Specialization constants that depend on the fluid, by name.
using FluidConstants = std::map<std::string, std::uint32_t>;
FluidConstants fluidConstants(const Settings& settings);
/// The first key of the fluid that cannot change while a simulation runs and differs between the two; else empty.
std::string fixedFluidKey(const Settings& a, const Settings& b);

/// A key that asks for memory in addition to the grid's, and whose value wisp can choose.
struct CapacityKey {
    const char* key;
    std::uint32_t* value;
    std::uint64_t wanted, chosen;  ///< the value in the scene, and the value that wisp would choose
};
/// The key, if the scene asks for more memory than wisp would choose.
std::optional<CapacityKey> excessiveCapacity(Settings& settings);

}  // namespace wisp
