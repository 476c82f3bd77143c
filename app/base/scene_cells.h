// SPDX-License-Identifier: MIT
#pragma once

#include "wisp/scene.h"

#include <array>
#include <cstdint>

namespace wisp::app {

using Cells = std::array<std::uint32_t, 3>;  ///< along x, y, z

/// Numbers of cells of a scene, by its keys (docs/scenes.md).
struct SceneCells {
    explicit SceneCells(const Scene& scene);

    Cells velocity{};  ///< grid.cells
    Cells pressure{};  ///< whole ones that cover the box
    Cells scalars{};   ///< of density and temperature
};

}  // namespace wisp::app
