// SPDX-License-Identifier: MIT
#pragma once

#include "files/volume/volume.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

/// Fields of a volume in the index space of .vdb and .nvdb files, as blocks of 8^3 cells.
namespace wisp {

inline constexpr int kBlockEdge = WISP_PACK_EDGE, kBlockCells = WISP_PACK_CELLS;

/// A bit for each cell of a block, in the order of its values.
struct CellMask {
    std::array<std::uint64_t, kBlockCells / 64> words{};  ///< a slab of the block across x each; bit 8 y + z
    [[nodiscard]] bool operator[](std::size_t n) const { return (words[n / 64] >> n % 64 & 1) != 0; }
    void set(std::size_t n) { words[n / 64] |= std::uint64_t{1} << n % 64; }
    [[nodiscard]] bool any() const {
        return std::ranges::any_of(words, [](std::uint64_t w) { return w != 0; });
    }
    [[nodiscard]] std::uint64_t count() const {
        std::uint64_t sum = 0;
        for (const std::uint64_t w : words) sum += static_cast<std::uint64_t>(std::popcount(w));
        return sum;
    }
};

/// Cells of one leaf node: z fastest, as in both formats. Inactive cells are 0.
template <class Value>
struct VolumeBlock {
    glm::ivec3 corner;  ///< multiples of 8
    CellMask active;
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
/// it can be interpolated. The grids replace those in `grids`, whose memory is used again.
void gridsOf(const Volume& volume, VolumeGrids& grids);
/// For the calling thread; valid until its next call. Fresh memory would take longer to get than to fill.
const VolumeGrids& gridsOf(const Volume& volume);

}  // namespace wisp
