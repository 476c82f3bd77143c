// SPDX-License-Identifier: MIT
#pragma once

#include "app/output/volume.h"

#include <array>
#include <bitset>
#include <vector>

/// Fields of a volume in the index space of .vdb and .nvdb files, as blocks of 8^3 cells.
namespace wisp::app {

inline constexpr int kBlockEdge = 8, kBlockCells = kBlockEdge * kBlockEdge * kBlockEdge;

/// Cells of one leaf node: z fastest, as in both formats. Inactive cells are 0.
template <class Value>
struct VolumeBlock {
    glm::ivec3 corner;  ///< multiples of 8
    std::bitset<kBlockCells> active;
    std::array<Value, kBlockCells> values{};
    static std::size_t index(glm::ivec3 within) {
        return static_cast<std::size_t>((within.x * kBlockEdge + within.y) * kBlockEdge + within.z);
    }
};

/// One field. Only blocks with active cells are there, in the order of NanoVDB nodes: those of a node of 4096^3 cells together, in it those
/// of a node of 128^3 cells, and z fastest.
template <class Value>
struct VolumeGrid {
    VolumeField field;
    glm::dvec3 first;  ///< centre of cell (0, 0, 0) [m]
    glm::dvec3 edges;  ///< of a cell [m]
    std::vector<VolumeBlock<Value>> blocks;
};

struct VolumeGrids {
    std::vector<VolumeGrid<float>> scalars;       ///< density first; only those that are chosen and simulated
    std::vector<VolumeGrid<glm::vec3>> velocity;  ///< at most one
};

/// Cells are active where there is smoke or burning gas of at least the threshold, those of the velocity also one cell beside them, so that
/// it can be interpolated.
VolumeGrids gridsOf(const Volume& volume);

}  // namespace wisp::app
