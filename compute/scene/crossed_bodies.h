// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace wisp {

/// Smoke may pass through bodies thinner than this [cells]. A cell holds smoke as long as its centre is at most 0.87 cells in a body, on
/// either side, and takes it from cells that are at most sqrt(3) cells from the end of its path: 3.5 cells, and half a cell for the path,
/// which is nearly parallel to a surface.
inline constexpr float kCrossedCells = 4.0f;

/// Obstacles that may be walls and are thinner than kCrossedCells, or deform. A mesh is, if it is thin behind kThinShare of its surface.
class CrossedBodies {
public:
    /// Looks at the triangles of a mesh only if an obstacle has another mesh or scale than before.
    void update(const Settings& settings);
    [[nodiscard]] std::uint32_t bits() const { return bits_; }  ///< bit n: obstacle n is one of them

private:
    struct ScaledMesh {
        std::shared_ptr<const Mesh> mesh;
        float scale = 0.0f;
        bool operator==(const ScaledMesh&) const = default;
    };
    std::uint32_t bits_ = 0;
    std::vector<ScaledMesh> known_;  ///< of each obstacle; empty if it is no mesh
};

}  // namespace wisp
