// SPDX-License-Identifier: MIT
#include "files/volume/volume_blocks.h"

#include "shaders/shared/packed_volume.h"

#include <glm/common.hpp>
#include <glm/vec3.hpp>

#include <algorithm>
#include <cstring>
#include <optional>
#include <unordered_map>

namespace wisp {
namespace {

/// Cells of the simulation in the index space of the file.
struct Turn {
    glm::ivec3 cells;  ///< of the simulation
    bool upIsZ;
    [[nodiscard]] glm::ivec3 size() const { return upIsZ ? glm::ivec3(cells.x, cells.z, cells.y) : cells; }
    [[nodiscard]] glm::ivec3 ofFile(glm::ivec3 c) const { return upIsZ ? glm::ivec3(c.x, cells.z - 1 - c.z, c.y) : c; }
};

/// Sets what a grid is, but not its blocks.
template <class Value>
void setGrid(VolumeGrid<Value>& grid, const Volume& volume, VolumeField field, glm::uvec3 count) {
    grid.field = field;
    const glm::dvec3 edges = double(volume.grid.cellSize()) * glm::dvec3(volume.grid.cells) / glm::dvec3(count);
    const glm::dvec3 low = glm::dvec3(volume.grid.origin) + 0.5 * edges, high = low + (glm::dvec3(count) - 1.0) * edges;
    grid.first = volume.choice.upIsZ ? glm::dvec3(low.x, -high.z, low.y) : low;
    grid.edges = volume.choice.upIsZ ? glm::dvec3(edges.x, edges.z, edges.y) : edges;
}

/// Number of the block around a cell. Blocks in the order of NanoVDB nodes have increasing numbers: the node of 4096^3 cells, the node of
/// 128^3 cells in it, the block in that.
std::uint64_t keyOf(glm::ivec3 cell) {
    const auto digits = [&](int shift, int bits) {
        std::uint64_t number = 0;
        for (int axis = 0; axis < 3; ++axis)
            number = number << bits | (static_cast<std::uint64_t>(cell[axis]) >> shift & ((1u << bits) - 1));
        return number;
    };
    return digits(12, 12) << 27 | digits(7, 5) << 12 | digits(3, 4);
}

/// Cells of a block of the file.
struct Active {
    glm::ivec3 corner;
    CellMask cells;
};

/// Corners of blocks of a file in the order of nodes, and their numbers.
class Corners {
public:
    void add(glm::ivec3 cell) { corners_.push_back(cell / kBlockEdge * kBlockEdge); }
    /// Call it after the last add().
    void sort() {
        std::ranges::sort(corners_, {}, keyOf);
        corners_.erase(std::unique(corners_.begin(), corners_.end()), corners_.end());
        numbers_.reserve(corners_.size());
        for (std::size_t n = 0; n < corners_.size(); ++n) numbers_[keyOf(corners_[n])] = n;
    }
    [[nodiscard]] std::size_t numberOf(glm::ivec3 cell) const { return numbers_.at(keyOf(cell)); }
    [[nodiscard]] std::optional<std::size_t> find(glm::ivec3 cell) const {
        const auto found = numbers_.find(keyOf(cell));
        return found == numbers_.end() ? std::nullopt : std::optional(found->second);
    }
    [[nodiscard]] const std::vector<glm::ivec3>& all() const { return corners_; }

private:
    std::vector<glm::ivec3> corners_;
    std::unordered_map<std::uint64_t, std::size_t> numbers_;
};

/// Records of blocks, see shaders/shared/packed_volume.h, in the index space of the file.
class Records {
public:
    Records(std::span<const std::byte> bytes, std::size_t channels, Precision precision, const Turn& turn)
        : bytes_(bytes),
          head_(WISP_PACK_HEAD * sizeof(std::uint32_t)),
          stride_(head_ + channels * kBlockCells * (precision == Precision::Half ? 2 : 4)),
          precision_(precision),
          turn_(turn) {}

    /// The blocks of the file that have any of these cells. A turned grid may have a record in two of them.
    [[nodiscard]] Corners corners() const {
        Corners corners;
        for (std::size_t n = 0; n < count(); ++n) {
            const glm::ivec3 first = cornerOf(n), last = glm::min(first + kBlockEdge, turn_.cells) - 1;
            corners.add(turn_.ofFile(first));
            corners.add(turn_.ofFile(last));
        }
        corners.sort();
        return corners;
    }
    /// Calls `function` for each cell of the box: with the number of its block in `corners`, its index in the block, the numbers of its
    /// record, and its index in a channel of the record.
    template <class Function>
    void forCells(const Corners& corners, Function function) const {
        for (std::size_t n = 0; n < count(); ++n) {
            const StoredNumbers numbers(bytes_.subspan(n * stride_ + head_, stride_ - head_), precision_);
            const glm::ivec3 corner = cornerOf(n), end = glm::min(corner + kBlockEdge, turn_.cells) - corner;
            glm::ivec3 known(-1);
            std::size_t block = 0;
            for (int z = 0; z < end.z; ++z)
                for (int y = 0; y < end.y; ++y) {
                    const glm::ivec3 row = turn_.ofFile(corner + glm::ivec3(0, y, z)),
                                     of = row / kBlockEdge;  // a row along x is in one block
                    if (of != known) block = corners.numberOf(row);
                    known = of;
                    const std::size_t at = VolumeBlock<char>::index(row - kBlockEdge * of),
                                      first = static_cast<std::size_t>(z * kBlockEdge + y) * kBlockEdge;
                    for (std::size_t x = 0; x < static_cast<std::size_t>(end.x); ++x)
                        function(block, at + x * kBlockEdge * kBlockEdge, numbers, first + x);
                }
        }
    }

private:
    [[nodiscard]] std::size_t count() const { return bytes_.size() / stride_; }
    [[nodiscard]] glm::ivec3 cornerOf(std::size_t n) const {
        glm::ivec3 corner;
        std::memcpy(&corner, bytes_.data() + n * stride_, sizeof corner);
        return corner;
    }
    std::span<const std::byte> bytes_;
    std::size_t head_, stride_;
    Precision precision_;
    Turn turn_;
};

template <class Value>
void setBlocks(VolumeGrid<Value>& grid, const Corners& corners) {
    grid.blocks.assign(corners.all().size(), {});
    for (std::size_t n = 0; n < grid.blocks.size(); ++n) grid.blocks[n].corner = corners.all()[n];
}

/// Numbers of a cell with smoke.
struct Cell {
    float density, temperature = 0.0f, fuel = 0.0f;  ///< temperature above ambient [K]
    bool burns = false;
    [[nodiscard]] float flame() const { return burns ? fuel : 0.0f; }
};

/// The smoke of a frame.
class SmokeGrids {
public:
    explicit SmokeGrids(const Volume& volume)
        : volume_(volume),
          turn_{glm::ivec3(volume.grid.scalarCells()), volume.choice.upIsZ},
          records_(volume.blocks.smoke, volume.channels, volume.grid.precision, turn_),
          corners_(records_.corners()) {}

    [[nodiscard]] glm::ivec3 size() const { return turn_.size(); }
    /// Fills a grid for each scalar field that is chosen and simulated. Returns the cells with smoke.
    std::vector<Active> fill(std::vector<VolumeGrid<float>>& grids) const {
        std::size_t count = 0;
        for (const VolumeField f : {VolumeField::Density, VolumeField::Temperature, VolumeField::Flame, VolumeField::Fuel}) {
            if (!volume_.choice.has(f) || !isSimulated(f)) continue;
            if (++count > grids.size()) grids.emplace_back();
            setGrid(grids[count - 1], volume_, f, volume_.grid.scalarCells());
        }
        grids.resize(count);
        std::vector<Active> active;
        for (const glm::ivec3 corner : corners_.all()) active.push_back({corner, {}});
        for (VolumeGrid<float>& grid : grids) setBlocks(grid, corners_);
        records_.forCells(corners_, [&](std::size_t block, std::size_t at, const StoredNumbers& numbers, std::size_t n) {
            const Cell cell = cellOf(numbers, n);
            if (!isActive(cell)) return;
            active[block].cells.set(at);
            for (VolumeGrid<float>& grid : grids) {
                const float value = valueOf(grid.field, cell);
                grid.blocks[block].values[at] = value;
                // The density of burning gas without smoke is 0, and smoke that does not burn has no flame.
                if (grid.field == VolumeField::Temperature || value != 0.0f) grid.blocks[block].active.set(at);
            }
        });
        for (VolumeGrid<float>& grid : grids) std::erase_if(grid.blocks, [](const VolumeBlock<float>& b) { return !b.active.any(); });
        return active;
    }

private:
    [[nodiscard]] bool isSimulated(VolumeField f) const {
        return f == VolumeField::Density || volume_.channels > (f == VolumeField::Temperature ? 1 : 2);
    }
    [[nodiscard]] Cell cellOf(const StoredNumbers& numbers, std::size_t n) const {
        Cell cell{numbers.at(n)};
        if (volume_.channels > 1) cell.temperature = numbers.at(kBlockCells + n);
        if (volume_.channels > 2) cell.fuel = numbers.at(std::size_t{2} * kBlockCells + n);
        cell.burns = volume_.channels > 2 && cell.temperature >= volume_.ignition;
        return cell;
    }
    [[nodiscard]] bool isActive(const Cell& cell) const {
        const float burning = volume_.choice.has(VolumeField::Fuel) ? cell.fuel : cell.flame();
        return cell.density > volume_.choice.threshold || burning > volume_.choice.threshold;
    }
    [[nodiscard]] float valueOf(VolumeField f, const Cell& cell) const {
        switch (f) {
            case VolumeField::Temperature: return volume_.ambient + cell.temperature;
            case VolumeField::Flame: return cell.flame();
            case VolumeField::Fuel: return cell.fuel;
            default: return cell.density;
        }
    }
    const Volume& volume_;
    Turn turn_;
    Records records_;
    Corners corners_;
};

/// Cells of the velocity that have smoke in them, in the order of `corners`. `ratio`: cells of the smoke in one, along each axis.
std::vector<CellMask> cellsWithSmoke(const std::vector<Active>& active, glm::ivec3 ratio, const Corners& corners) {
    std::vector<CellMask> masks(corners.all().size());
    glm::ivec3 known(-1);
    CellMask* mask = nullptr;
    for (const Active& block : active)
        for (std::size_t x = 0; x < block.cells.words.size(); ++x)
            for (std::uint64_t rest = block.cells.words[x]; rest != 0; rest &= rest - 1) {
                const int bit = std::countr_zero(rest);
                const glm::ivec3 cell = (block.corner + glm::ivec3(static_cast<int>(x), bit / kBlockEdge, bit % kBlockEdge)) / ratio;
                if (cell / kBlockEdge != known) mask = &masks[corners.numberOf(cell)];
                known = cell / kBlockEdge;
                mask->set(VolumeBlock<char>::index(cell - kBlockEdge * known));
            }
    return masks;
}

/// The cells of a mask and those beside them along an axis; `low` and `high`: masks of the next blocks along it.
CellMask widened(const CellMask& mask, const CellMask& low, const CellMask& high, int axis) {
    constexpr std::uint64_t kFirstZ = 0x0101010101010101, kLastZ = kFirstZ << 7;
    constexpr std::size_t kLast = kBlockEdge - 1;
    CellMask wide = mask;
    for (std::size_t x = 0; x <= kLast; ++x) {
        const std::uint64_t w = mask.words[x], l = low.words[x], h = high.words[x];
        if (axis == 0) {
            wide.words[x] |= (x > 0 ? mask.words[x - 1] : low.words[kLast]) | (x < kLast ? mask.words[x + 1] : high.words[0]);
        } else if (axis == 1) {
            wide.words[x] |= w << 8 | w >> 8 | l >> 56 | h << 56;
        } else {
            wide.words[x] |= (w << 1 & ~kFirstZ) | (w >> 1 & ~kLastZ) | (l >> 7 & kFirstZ) | (h << 7 & kLastZ);
        }
    }
    return wide;
}

/// The cells of these masks and all cells beside them.
std::vector<CellMask> widened(std::vector<CellMask> masks, const Corners& corners) {
    for (int axis = 0; axis < 3; ++axis) {
        const std::vector<CellMask> before = masks;
        for (std::size_t n = 0; n < masks.size(); ++n) {
            const auto beside = [&](int offset) {
                glm::ivec3 cell = corners.all()[n];
                cell[axis] += offset;
                const auto block = cell[axis] < 0 ? std::nullopt : corners.find(cell);
                return block ? before[*block] : CellMask{};
            };
            masks[n] = widened(before[n], beside(-kBlockEdge), beside(kBlockEdge), axis);
        }
    }
    return masks;
}

/// Active are the cells with smoke in them or beside them.
void fillVelocity(VolumeGrid<glm::vec3>& grid, const Volume& volume, const std::vector<Active>& active, glm::ivec3 smokeSize) {
    setGrid(grid, volume, VolumeField::Velocity, volume.grid.cells);
    const Turn turn{glm::ivec3(volume.grid.cells), volume.choice.upIsZ};
    const Records records(volume.blocks.velocity, 3, volume.grid.precision, turn);
    const Corners corners = records.corners();
    setBlocks(grid, corners);
    const std::vector<CellMask> beside = widened(cellsWithSmoke(active, smokeSize / turn.size(), corners), corners);
    records.forCells(corners, [&](std::size_t block, std::size_t at, const StoredNumbers& numbers, std::size_t n) {
        if (!beside[block][at]) return;
        const glm::vec3 u(numbers.at(n), numbers.at(kBlockCells + n), numbers.at(std::size_t{2} * kBlockCells + n));
        grid.blocks[block].values[at] = volume.choice.upIsZ ? glm::vec3(u.x, -u.z, u.y) : u;
        grid.blocks[block].active.set(at);
    });
    std::erase_if(grid.blocks, [](const VolumeBlock<glm::vec3>& b) { return !b.active.any(); });
}

}  // namespace

void gridsOf(const Volume& volume, VolumeGrids& grids) {
    const SmokeGrids smoke(volume);
    const std::vector<Active> active = smoke.fill(grids.scalars);
    grids.velocity.resize(volume.choice.has(VolumeField::Velocity) ? 1 : 0);
    if (!grids.velocity.empty()) fillVelocity(grids.velocity[0], volume, active, smoke.size());
}

const VolumeGrids& gridsOf(const Volume& volume) {
    thread_local VolumeGrids grids;
    gridsOf(volume, grids);
    return grids;
}

}  // namespace wisp
