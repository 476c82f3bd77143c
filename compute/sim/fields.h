// SPDX-License-Identifier: MIT
#pragma once

#include "compute/domain/domain.h"
#include "compute/domain/flow.h"
#include "compute/liquid/liquid.h"
#include "compute/pressure/pressure_system.h"
#include "compute/smoke/smoke.h"

#include <optional>
#include <vector>

namespace wisp {

/// A field as a checkpoint knows it: texels in the order of memory, x fastest.
struct StateField {
    const char* name;
    glm::uvec3 size;
    VkFormat format;
    const engine::Image* image;  ///< one of the two is null
    const engine::Buffer* buffer;
};

/// The states that stages read and write, by their owners.
struct Fields {
    Fields(engine::Device& device, const Settings& settings);

    /// The fields that a step begins with and nothing else determines (see RunState).
    [[nodiscard]] std::vector<StateField> state() const;

    Domain domain;
    Flow flow;
    PressureSystem pressure;
    Smoke smoke;
    std::optional<Liquid> liquid;  ///< instead of smoke, which is then 0 everywhere
};

}  // namespace wisp
