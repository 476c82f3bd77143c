// SPDX-License-Identifier: MIT
#include "app/output/volume_blocks.h"

#include "compute/domain/bricks.h"
#include "shaders/shared/brick_list.h"

#include <glm/common.hpp>
#include <glm/vec3.hpp>

#include <algorithm>
#include <cstring>
#include <optional>
#include <tuple>
#include <unordered_map>

namespace wisp::app {
namespace {

/// Calls `function` for the low corner of every cube of this edge length in the box from `low` to `high`, z fastest.
template <class Function>
void forCubes(glm::ivec3 low, glm::ivec3 high, int edge, Function function) {
    for (int x = low.x; x < high.x; x += edge)
        for (int y = low.y; y < high.y; y += edge)
            for (int z = low.z; z < high.z; z += edge) function(glm::ivec3(x, y, z));
}

/// Bricks of a sparse simulation, see shaders/shared/storage.glsl. A dense one has none.
struct Bricks {
    std::vector<gpu::BrickSlots> slots;
    glm::uvec3 count{0};
    std::uint32_t row = WISP_SLOTS_X;  ///< slots along x in an image
    explicit Bricks(const Volume& volume) : slots(volume.slots.size() / sizeof(gpu::BrickSlots)) {
        if (slots.empty()) return;
        std::memcpy(slots.data(), volume.slots.data(), slots.size() * sizeof(gpu::BrickSlots));
        count = volume.grid.cells / std::uint32_t{WISP_BRICK_EDGE} + 1u;
        row *= wisp::Bricks::columnsOf(volume.grid);
    }
};

/// Where the cells of a field are in memory, and in the index space of the file.
struct Places {
    glm::ivec3 cells;  ///< of the simulation
    const Bricks& bricks;
    std::uint32_t edge;  ///< of a brick [cells]
    bool inImage;        ///< slots are cubes of an image, or else ranges of a buffer
    bool upIsZ;

    [[nodiscard]] glm::ivec3 size() const { return upIsZ ? glm::ivec3(cells.x, cells.z, cells.y) : cells; }
    /// Cell of the simulation of a cell of the file.
    [[nodiscard]] glm::ivec3 cellOf(glm::ivec3 c) const { return upIsZ ? glm::ivec3(c.x, c.z, cells.z - 1 - c.y) : c; }
    /// Index of a cell of the file in memory; std::nullopt if the simulation does not store it.
    [[nodiscard]] std::optional<std::size_t> at(glm::ivec3 ofFile) const {
        const glm::uvec3 c(cellOf(ofFile));
        const auto place = [](glm::uvec3 p, glm::uvec3 n) { return (std::size_t{p.z} * n.y + p.y) * n.x + p.x; };
        if (bricks.slots.empty()) return place(c, glm::uvec3(cells));
        const gpu::BrickSlots slots = bricks.slots[place(c / edge, bricks.count)];
        if (slots.smoke < WISP_BLANK_SLOTS) return std::nullopt;
        if (!inImage) return place(c % edge + glm::uvec3(0, 0, edge * slots.flow), glm::uvec3(edge));
        const std::uint32_t n = slots.smoke, side = edge + 1;  // with the margin
        const glm::uvec3 slot(n % bricks.row, n / bricks.row % WISP_SLOTS_Y, n / (bricks.row * WISP_SLOTS_Y));
        return place(c % edge + side * slot, side * glm::uvec3(bricks.row, WISP_SLOTS_Y, 1));
    }
};

/// The smoke of a frame at cells of the file.
class Smoke {
public:
    Smoke(const Volume& volume, const Bricks& bricks)
        : volume_(volume),
          places_{glm::ivec3(volume.grid.scalarCells()), bricks, WISP_BRICK_EDGE * volume.grid.scalarRatio, true, volume.choice.upIsZ},
          numbers_(volume.scalars, volume.grid.precision) {}

    [[nodiscard]] glm::ivec3 size() const { return places_.size(); }
    [[nodiscard]] bool has(VolumeField f) const {
        if (f == VolumeField::Temperature) return volume_.channels > 1;
        return f == VolumeField::Density || burns_;
    }
    [[nodiscard]] std::optional<std::size_t> at(glm::ivec3 c) const { return places_.at(c); }
    [[nodiscard]] bool isActive(std::size_t place) const {
        if (number(place, 0) > volume_.choice.threshold) return true;
        return burns_ && (volume_.choice.has(VolumeField::Fuel) ? number(place, 2) : flame(place)) > volume_.choice.threshold;
    }
    [[nodiscard]] float value(VolumeField f, std::size_t place) const {
        switch (f) {
            case VolumeField::Temperature: return volume_.ambient + number(place, 1);
            case VolumeField::Flame: return flame(place);
            case VolumeField::Fuel: return number(place, 2);
            default: return number(place, 0);
        }
    }

private:
    [[nodiscard]] float number(std::size_t place, std::size_t channel) const { return numbers_.at(place * volume_.channels + channel); }
    [[nodiscard]] float flame(std::size_t place) const { return burns_ && number(place, 1) >= volume_.ignition ? number(place, 2) : 0.0f; }
    const Volume& volume_;
    bool burns_ = volume_.channels > 2;
    Places places_;
    StoredNumbers numbers_;
};

template <class Value>
VolumeGrid<Value> emptyGrid(const Volume& volume, VolumeField field, glm::uvec3 count) {
    const glm::dvec3 edges = double(volume.grid.cellSize()) * glm::dvec3(volume.grid.cells) / glm::dvec3(count);
    const glm::dvec3 low = glm::dvec3(volume.grid.origin) + 0.5 * edges, high = low + (glm::dvec3(count) - 1.0) * edges;
    if (volume.choice.upIsZ) return {field, {low.x, -high.z, low.y}, {edges.x, edges.z, edges.y}, {}};
    return {field, low, edges, {}};
}

/// Calls `function` for the cells of a block that are in the grid and that the simulation stores, x fastest, as in memory: with the index
/// in the block and the place in memory. A row of a block lies in one brick, so that its cells are beside each other.
template <class Function>
void forCells(glm::ivec3 corner, glm::ivec3 size, const auto& at, Function function) {
    const glm::ivec3 end = glm::min(corner + kBlockEdge, size) - corner;
    for (int z = 0; z < end.z; ++z)
        for (int y = 0; y < end.y; ++y) {
            const std::optional<std::size_t> row = at(corner + glm::ivec3(0, y, z));
            if (!row) continue;
            for (int x = 0; x < end.x; ++x) function(VolumeBlock<char>::index({x, y, z}), *row + static_cast<std::size_t>(x));
        }
}

/// A block with smoke.
struct Active {
    glm::ivec3 corner;
    std::bitset<kBlockCells> cells;
};

/// Order of NanoVDB nodes.
auto nodeOrder(const Active& block) {
    const auto key = [&](int edge) { return std::tuple(block.corner.x / edge, block.corner.y / edge, block.corner.z / edge); };
    return std::tuple(key(4096), key(128), key(kBlockEdge));
}

/// Visits blocks in the order of memory, x fastest, because neighbours share cache lines; returns them in the order of nodes.
std::vector<Active> activeBlocks(const Smoke& smoke) {
    std::vector<Active> blocks;
    const glm::ivec3 size = smoke.size();
    const auto at = [&](glm::ivec3 c) { return smoke.at(c); };
    for (int z = 0; z < size.z; z += kBlockEdge)
        for (int y = 0; y < size.y; y += kBlockEdge)
            for (int x = 0; x < size.x; x += kBlockEdge) {
                Active block{{x, y, z}, {}};
                forCells(block.corner, size, at, [&](std::size_t n, std::size_t place) {
                    if (smoke.isActive(place)) block.cells.set(n);
                });
                if (block.cells.any()) blocks.push_back(block);
            }
    std::ranges::sort(blocks, {}, nodeOrder);
    return blocks;
}

VolumeGrid<float> scalarGrid(const Volume& volume, const Smoke& smoke, const std::vector<Active>& active, VolumeField field) {
    VolumeGrid<float> grid = emptyGrid<float>(volume, field, volume.grid.scalarCells());
    grid.blocks.reserve(active.size());
    const auto at = [&](glm::ivec3 c) { return smoke.at(c); };
    for (const Active& b : active) {
        VolumeBlock<float>& block = grid.blocks.emplace_back(VolumeBlock<float>{.corner = b.corner, .active = b.cells});
        forCells(b.corner, smoke.size(), at, [&](std::size_t n, std::size_t place) {
            if (!b.cells[n]) return;
            block.values[n] = smoke.value(field, place);
            // The density of burning gas without smoke is 0, and smoke that does not burn has no flame.
            if (field != VolumeField::Temperature && block.values[n] == 0.0f) block.active.reset(n);
        });
        if (block.active.none()) grid.blocks.pop_back();
    }
    return grid;
}

/// Blocks of the velocity whose active cells have smoke in or beside them. `ratio`: cells of the smoke in one of the velocity, along each
/// axis.
std::vector<Active> besideSmoke(const std::vector<Active>& active, glm::ivec3 size, glm::ivec3 ratio) {
    std::unordered_map<std::uint64_t, Active> blocks;
    constexpr int kEdge = kBlockEdge + 2;  // cells that a block of smoke can reach
    for (const Active& b : active) {
        const glm::ivec3 low = b.corner / ratio - 1, last = glm::min((b.corner + kBlockEdge - 1) / ratio + 1, size - 1);
        const auto cell = [](glm::ivec3 c) { return static_cast<std::size_t>((c.x * kEdge + c.y) * kEdge + c.z); };
        std::array<bool, kEdge * kEdge * kEdge> reached{};
        forCubes(glm::ivec3(0), glm::ivec3(kBlockEdge), 1, [&](glm::ivec3 within) {
            if (b.cells[VolumeBlock<char>::index(within)]) reached[cell((b.corner + within) / ratio - low)] = true;
        });
        for (const std::size_t step : {std::size_t{1}, std::size_t{kEdge}, std::size_t{kEdge * kEdge}}) {  // along z, y, x
            const auto before = reached;
            for (std::size_t n = 0; n < reached.size(); ++n)
                reached[n] = before[n] || (n >= step && before[n - step]) || (n + step < reached.size() && before[n + step]);
        }
        const glm::ivec3 first = glm::max(low, 0) / kBlockEdge * kBlockEdge;
        forCubes(first, last + 1, kBlockEdge, [&](glm::ivec3 corner) {
            const glm::u64vec3 n(corner / kBlockEdge);
            Active& block = blocks[n.x << 40 | n.y << 20 | n.z];
            block.corner = corner;
            forCubes(glm::max(corner, low), glm::min(corner + kBlockEdge, last + 1), 1, [&](glm::ivec3 c) {
                if (c.x >= 0 && c.y >= 0 && c.z >= 0 && reached[cell(c - low)]) block.cells.set(VolumeBlock<char>::index(c - corner));
            });
        });
    }
    std::vector<Active> sorted;
    for (const auto& [key, block] : blocks) sorted.push_back(block);
    std::ranges::sort(sorted, {}, nodeOrder);
    return sorted;
}

VolumeGrid<glm::vec3> velocityGrid(const Volume& volume, const Bricks& bricks, const std::vector<Active>& active, glm::ivec3 smokeSize) {
    VolumeGrid<glm::vec3> grid = emptyGrid<glm::vec3>(volume, VolumeField::Velocity, volume.grid.cells);
    const Places places{glm::ivec3(volume.grid.cells), bricks, WISP_BRICK_EDGE, false, volume.choice.upIsZ};
    const StoredNumbers numbers(volume.velocity, volume.grid.precision);
    const auto at = [&](glm::ivec3 c) { return places.at(c); };
    for (const Active& b : besideSmoke(active, places.size(), smokeSize / places.size())) {
        VolumeBlock<glm::vec3>& block = grid.blocks.emplace_back(VolumeBlock<glm::vec3>{.corner = b.corner});
        forCells(b.corner, places.size(), at, [&](std::size_t n, std::size_t place) {
            if (!b.cells[n]) return;
            const glm::vec3 u(numbers.at(4 * place), numbers.at(4 * place + 1), numbers.at(4 * place + 2));
            block.values[n] = volume.choice.upIsZ ? glm::vec3(u.x, -u.z, u.y) : u;
            block.active.set(n);
        });
        if (block.active.none()) grid.blocks.pop_back();
    }
    return grid;
}

}  // namespace

VolumeGrids gridsOf(const Volume& volume) {
    const Bricks bricks(volume);
    const Smoke smoke(volume, bricks);
    const std::vector<Active> active = activeBlocks(smoke);
    VolumeGrids grids;
    for (const VolumeField f : {VolumeField::Density, VolumeField::Temperature, VolumeField::Flame, VolumeField::Fuel})
        if (volume.choice.has(f) && smoke.has(f)) grids.scalars.push_back(scalarGrid(volume, smoke, active, f));
    if (volume.choice.has(VolumeField::Velocity)) grids.velocity.push_back(velocityGrid(volume, bricks, active, smoke.size()));
    return grids;
}

}  // namespace wisp::app
