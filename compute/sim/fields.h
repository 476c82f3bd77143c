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

/// How a field of a sparse simulation lies in slots, see shaders/shared/storage.glsl.
struct SlotLayout {
    bool isSmoke;     ///< in the slots of smoke
    bool isImage;     ///< its slots have margins
    glm::uvec3 edge;  ///< elements along each edge of a brick
    glm::uvec3 size;  ///< of the field in a dense simulation
};

/// A field of a checkpoint: texels in memory order, x fastest.
struct StateField {
    const char* name;
    glm::uvec3 size;
    VkFormat format;
    const engine::Image* image;  ///< exactly one of image and buffer is null
    const engine::Buffer* buffer;
    bool isNew = false;  ///< checkpoints of older versions lack it; it is then 0
    std::optional<SlotLayout> slots = std::nullopt;
};

/// All fields that the passes of a simulation read and write, grouped by owner.
struct Fields {
    Fields(engine::Device& device, const Settings& settings);

    /// The fields that a checkpoint must store: a step starts from them, and they cannot be computed from settings and RunState.
    [[nodiscard]] std::vector<StateField> state() const;

    Domain domain;
    Flow flow;
    PressureSystem pressure;
    Smoke smoke;
    std::optional<Liquid> liquid;  ///< only in a scene with liquid; smoke is then 0 everywhere
};

}  // namespace wisp
