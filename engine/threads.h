// SPDX-License-Identifier: MIT
#pragma once

#include "engine/resources.h"
#include "engine/shader.h"

#include <glm/vec3.hpp>

#include <cstdint>
#include <utility>

namespace wisp::engine {

/// Units of threads, such as the bricks of a list, whose number only the device knows.
struct ListedUnits {
    const Buffer* commands = nullptr;  ///< VkDispatchIndirectCommands from `offset` on: number n is for units of 2^n work groups
    std::uint64_t offset = 0;          ///< [bytes]
    std::uint32_t threads = 0;         ///< in a unit, a power of two; 0: no units
};

/// The invocations of a dispatch: a box, or listed units.
struct Threads {
    // NOLINTBEGIN(google-explicit-constructor): most dispatches name the size of a box
    Threads(glm::uvec3 box) : count(box) {}
    Threads(glm::ivec3 box) : count(box) {}
    template <class X, class Y, class Z>
    Threads(X x, Y y, Z z) : count(x, y, z) {}
    Threads(glm::uvec3 box, ShaderConstants more) : count(box), constants(std::move(more)) {}
    Threads(const ListedUnits& units, ShaderConstants more) : listed(units), constants(std::move(more)) {}
    // NOLINTEND(google-explicit-constructor)

    glm::uvec3 count{1};
    ListedUnits listed;         ///< replace `count`
    ShaderConstants constants;  ///< in addition to those of the options, such as what units are; the shader must declare them
};

/// Number of commands for ListedUnits: for units of 1 to 2^(n - 1) work groups.
inline constexpr std::uint32_t kUnitSizes = 16;

}  // namespace wisp::engine
