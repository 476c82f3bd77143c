// SPDX-License-Identifier: MIT
#pragma once

#include "api/simulation_impl.h"

#include <array>
#include <cstddef>
#include <memory>
#include <utility>

namespace wisp {

/// `what` is the name in the message. @throws Error Argument if a number is not finite.
glm::vec3 vectorOf(const std::array<float, 3>& v, const char* what);

struct Obstacle::Access {
    static Obstacle make(std::weak_ptr<void> simulation, std::size_t index) {
        Obstacle obstacle;
        obstacle.simulation_ = std::move(simulation);
        obstacle.index_ = index;
        return obstacle;
    }
};

struct Emitter::Access {
    static Emitter make(std::weak_ptr<void> simulation, std::size_t index) {
        Emitter emitter;
        emitter.simulation_ = std::move(simulation);
        emitter.index_ = index;
        return emitter;
    }
};

}  // namespace wisp
