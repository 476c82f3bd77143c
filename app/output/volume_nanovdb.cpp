// SPDX-License-Identifier: MIT
// The only file that uses NanoVDB. It fills the structs of NanoVDB directly, because NanoVDB's grid builder terminates the program if it
// cannot start a thread or allocate memory.
#include "app/base/failure.h"
#include "app/output/volume.h"
#include "compute/domain/bricks.h"
#include "shaders/shared/brick_list.h"

#include <glm/common.hpp>
#include <nanovdb/util/GridChecksum.h>
#include <nanovdb/util/GridStats.h>
#include <nanovdb/util/IO.h>
#include <zlib.h>

#include <array>
#include <cstring>
#include <new>
#include <sstream>
#include <vector>

namespace wisp::app {
namespace {

using nanovdb::Coord;

/// Calls `function` for the low corner of every cube of this edge length in the box from `low` to `high`, in the order of NanoVDB nodes: z
/// fastest.
template <class Function>
void forCubes(const Coord& low, const Coord& high, int edge, Function function) {
    for (int x = low[0]; x < high[0]; x += edge)
        for (int y = low[1]; y < high[1]; y += edge)
            for (int z = low[2]; z < high[2]; z += edge) function(Coord(x, y, z));
}

struct Node {
    Coord corner;
    std::size_t parent;  ///< index of the parent node in the next level up
};

/// Non-empty nodes of the tree: leaf nodes of 8^3 cells, lower nodes of 128^3 cells, upper nodes of 4096^3 cells.
struct Nodes {
    std::vector<Node> upper, lower, leaves;
};

/// World positions and memory indices of the cells of a field.
struct Cells {
    glm::uvec3 count;
    glm::dvec3 first;  ///< centre of cell (0, 0, 0) [m]
    glm::dvec3 edges;  ///< [m]
    [[nodiscard]] Coord end() const { return {static_cast<int>(count.x), static_cast<int>(count.y), static_cast<int>(count.z)}; }
    [[nodiscard]] std::size_t index(const Coord& c) const {
        return (static_cast<std::size_t>(c[2]) * count.y + static_cast<std::size_t>(c[1])) * count.x + static_cast<std::size_t>(c[0]);
    }
    /// Exclusive high corner of the cube with this low corner, clipped to the grid.
    [[nodiscard]] Coord endOf(const Coord& corner, int edge) const { return (corner + Coord(edge)).minComponent(end()); }
};

Cells cellsOf(const GridSettings& grid, glm::uvec3 count) {
    const double h = static_cast<double>(grid.cellSize());
    const glm::dvec3 edges = h * glm::dvec3(grid.cells) / glm::dvec3(count);
    return {count, glm::dvec3(grid.origin) + 0.5 * edges, edges};
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

/// Where the cells of a field are in memory.
struct Places {
    Cells cells;
    const Bricks& bricks;
    std::uint32_t edge;  ///< of a brick [cells]
    bool inImage;        ///< slots are cubes of an image, or else ranges of a buffer

    [[nodiscard]] gpu::BrickSlots slotsAt(glm::uvec3 c) const {
        const glm::uvec3 b = c / edge;
        return bricks.slots[(std::size_t{b.z} * bricks.count.y + b.y) * bricks.count.x + b.x];
    }
    /// Whether the simulation stores this cell. A leaf node lies in one brick.
    [[nodiscard]] bool isStored(const Coord& c) const {
        return bricks.slots.empty() || slotsAt(glm::uvec3(c[0], c[1], c[2])).smoke >= WISP_BLANK_SLOTS;
    }
    [[nodiscard]] std::size_t index(const Coord& c) const {
        if (bricks.slots.empty()) return cells.index(c);
        const glm::uvec3 cell(c[0], c[1], c[2]);
        const gpu::BrickSlots slots = slotsAt(cell);
        glm::uvec3 size(edge), place = cell % edge;
        if (inImage) {
            const std::uint32_t n = slots.smoke, side = edge + 1;  // with the margin
            size = side * glm::uvec3(bricks.row, WISP_SLOTS_Y, 1);
            place += side * glm::uvec3(n % bricks.row, n / bricks.row % WISP_SLOTS_Y, n / (bricks.row * WISP_SLOTS_Y));
        } else {
            place.z += edge * slots.flow;
        }
        return (std::size_t{place.z} * size.y + place.y) * size.x + place.x;
    }
};

template <class Value>
struct Source {
    Places places;
    StoredNumbers numbers;
    std::size_t stride, first;  ///< in numbers: distance between cells, and offset of the first cell
    [[nodiscard]] Value at(const Coord& c) const {
        const std::size_t n = places.index(c) * stride + first;
        if constexpr (std::is_same_v<Value, float>) return numbers.at(n);
        else return {numbers.at(n), numbers.at(n + 1), numbers.at(n + 2)};
    }
};

template <class Value>
Nodes nodesOf(const Source<Value>& source) {
    const Cells& cells = source.places.cells;
    const auto isNonZero = [&](const Coord& leaf) {
        bool any = false;
        if (!source.places.isStored(leaf)) return false;
        forCubes(leaf, cells.endOf(leaf, 8), 1, [&](const Coord& c) { any = any || source.at(c) != Value(0.0f); });
        return any;
    };
    Nodes nodes;
    forCubes(Coord(0), cells.end(), 4096, [&](const Coord& upper) {
        const std::size_t lowerBefore = nodes.lower.size();
        forCubes(upper, cells.endOf(upper, 4096), 128, [&](const Coord& lower) {
            const std::size_t leavesBefore = nodes.leaves.size();
            forCubes(lower, cells.endOf(lower, 128), 8, [&](const Coord& leaf) {
                if (isNonZero(leaf)) nodes.leaves.push_back({leaf, nodes.lower.size()});
            });
            if (nodes.leaves.size() > leavesBefore) nodes.lower.push_back({lower, nodes.upper.size()});
        });
        if (nodes.lower.size() > lowerBefore) nodes.upper.push_back({upper, 0});
    });
    return nodes;
}

/// Memory with the alignment that NanoVDB requires.
struct alignas(NANOVDB_DATA_ALIGNMENT) Block {
    std::array<std::byte, NANOVDB_DATA_ALIGNMENT> bytes;
};

/// Memory of one grid: header, tree, root with one tile per upper node, then the upper, lower and leaf nodes.
template <class Value>
class Grid {
public:
    Grid(const Source<Value>& source, const char* name, nanovdb::GridClass kind) : nodes_(nodesOf(source)) {
        blocks_.resize(static_cast<std::size_t>(end()) / sizeof(Block));  // zero-initialized
        setHead(source.places.cells, name, kind);
        setTree();
        setNodes(source);
        nanovdb::gridStats(*grid(), nanovdb::StatsMode::All);
        nanovdb::updateChecksum(*grid(), nanovdb::ChecksumMode::Partial);
    }
    [[nodiscard]] nanovdb::NanoGrid<Value>* grid() { return at<nanovdb::NanoGrid<Value>>(0); }
    [[nodiscard]] std::span<const std::byte> bytes() const { return std::as_bytes(std::span(blocks_)); }

private:
    using Leaf = nanovdb::NanoLeaf<Value>;
    using Lower = nanovdb::NanoLower<Value>;
    using Upper = nanovdb::NanoUpper<Value>;
    using Root = nanovdb::NanoRoot<Value>;
    using Tree = nanovdb::NanoTree<Value>;

    template <class T>
    T* at(std::uint64_t offset) {
        return reinterpret_cast<T*>(reinterpret_cast<std::byte*>(blocks_.data()) + offset);
    }
    [[nodiscard]] static std::uint64_t treeAt() { return sizeof(nanovdb::GridData); }
    [[nodiscard]] static std::uint64_t rootAt() { return treeAt() + Tree::memUsage(); }
    [[nodiscard]] std::uint64_t upperAt(std::size_t n) const {
        return rootAt() + Root::memUsage(static_cast<std::uint32_t>(nodes_.upper.size())) + n * sizeof(Upper);
    }
    [[nodiscard]] std::uint64_t lowerAt(std::size_t n) const { return upperAt(nodes_.upper.size()) + n * sizeof(Lower); }
    [[nodiscard]] std::uint64_t leafAt(std::size_t n) const { return lowerAt(nodes_.lower.size()) + n * sizeof(Leaf); }
    [[nodiscard]] std::uint64_t end() const { return leafAt(nodes_.leaves.size()); }

    void setHead(const Cells& cells, const char* name, nanovdb::GridClass kind) {
        auto& head = *at<nanovdb::GridData>(0);
        head.mMagic = NANOVDB_MAGIC_NUMBER;
        head.mVersion = nanovdb::Version();
        head.mFlags = static_cast<std::uint32_t>(nanovdb::GridFlags::IsBreadthFirst);
        head.mGridCount = 1;
        head.mGridSize = end();
        std::strncpy(head.mGridName, name, nanovdb::GridData::MaxNameSize - 1);
        std::array<std::array<double, 3>, 3> scale{}, inverse{};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double edge = cells.edges[static_cast<int>(axis)];
            scale[axis][axis] = edge;
            inverse[axis][axis] = 1.0 / edge;
        }
        head.mMap.set(scale, inverse, cells.first, 1.0);
        head.mVoxelSize = {cells.edges.x, cells.edges.y, cells.edges.z};
        head.mGridClass = kind;
        head.mGridType = nanovdb::mapToGridType<Value>();
    }

    void setTree() {
        auto& tree = *at<nanovdb::TreeData<3>>(treeAt());
        const std::array first{leafAt(0), lowerAt(0), upperAt(0), rootAt()};
        const std::array counts{nodes_.leaves.size(), nodes_.lower.size(), nodes_.upper.size(), std::size_t{1}};
        for (std::size_t level = 0; level < 4; ++level) {
            tree.mNodeOffset[level] = counts[level] > 0 ? first[level] - treeAt() : 0;
            if (level < 3) tree.mNodeCount[level] = static_cast<std::uint32_t>(counts[level]);
        }
        auto& root = *at<typename Root::DataType>(rootAt());
        root.mBBox = nanovdb::CoordBBox();  // empty until gridStats fills it
        root.mTableSize = tree.mNodeCount[2];
        for (std::size_t n = 0; n < nodes_.upper.size(); ++n)
            root.tile(static_cast<std::uint32_t>(n))->setChild(nodes_.upper[n].corner, at<Upper>(upperAt(n)), &root);
    }

    /// Registers node `child` in its parent node.
    template <class Parent>
    void adopt(std::uint64_t parent, const Node& child, const void* data) {
        auto& parentData = *at<typename Parent::DataType>(parent);
        const std::uint32_t n = Parent::CoordToOffset(child.corner);
        parentData.mChildMask.setOn(n);
        parentData.setChild(n, data);
    }

    void setNodes(const Source<Value>& source) {
        for (std::size_t n = 0; n < nodes_.upper.size(); ++n) at<typename Upper::DataType>(upperAt(n))->setOrigin(nodes_.upper[n].corner);
        for (std::size_t n = 0; n < nodes_.lower.size(); ++n) {
            const Node& node = nodes_.lower[n];
            at<typename Lower::DataType>(lowerAt(n))->setOrigin(node.corner);
            adopt<Upper>(upperAt(node.parent), node, at<Lower>(lowerAt(n)));
        }
        std::uint64_t active = 0;
        for (std::size_t n = 0; n < nodes_.leaves.size(); ++n) {
            const Node& node = nodes_.leaves[n];
            auto& leaf = *at<typename Leaf::DataType>(leafAt(n));
            leaf.setOrigin(node.corner);
            adopt<Lower>(lowerAt(node.parent), node, &leaf);
            forCubes(node.corner, source.places.cells.endOf(node.corner, 8), 1, [&](const Coord& c) {
                if (const Value value = source.at(c); value != Value(0.0f)) leaf.setValue(Leaf::CoordToOffset(c), value);
            });
            active += leaf.mValueMask.countOn();
        }
        at<nanovdb::TreeData<3>>(treeAt())->mVoxelCount = active;
    }

    Nodes nodes_;
    std::vector<Block> blocks_;
};

/// A file of grids. Each grid is compressed by zlib at its fastest level. The default level takes six times as long for 5 % less data.
class File {
public:
    template <class Value>
    void add(Grid<Value> grid) {
        const std::span<const std::byte> bytes = grid.bytes();
        uLongf size = compressBound(bytes.size());
        std::string packed(size, '\0');
        if (compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(),
                      Z_BEST_SPEED) != Z_OK)
            throw std::bad_alloc();  // with this buffer size, compress2 fails only without memory
        packed.resize(size);
        const std::uint64_t length = size;
        bodies_.append(reinterpret_cast<const char*>(&length), sizeof length).append(packed);
        segment_.meta.emplace_back(bytes.size(), nanovdb::io::Codec::ZIP, *grid.grid());
        segment_.meta.back().fileSize = sizeof length + size;
        ++segment_.header.gridCount;
    }
    [[nodiscard]] std::string bytes() const {
        std::ostringstream head;
        segment_.write(head);
        return head.str() + bodies_;
    }

private:
    nanovdb::io::Segment segment_{nanovdb::io::Codec::ZIP};
    std::string bodies_;
};

}  // namespace

std::string encodeNanoVdb(const Volume& volume) {
    const GridSettings& grid = volume.grid;
    const Cells fine = cellsOf(grid, grid.cells), scalar = cellsOf(grid, grid.scalarCells());
    const StoredNumbers scalars(volume.scalars, grid.precision);
    const Bricks bricks(volume);
    const Places smoke{scalar, bricks, WISP_BRICK_EDGE * grid.scalarRatio, true}, flow{fine, bricks, WISP_BRICK_EDGE, false};
    File file;
    file.add(Grid<float>({smoke, scalars, volume.channels, 0}, "density", nanovdb::GridClass::FogVolume));
    const auto add = [&](std::size_t channel, const char* name, nanovdb::GridClass kind) {
        if (channel >= volume.channels) return;
        Grid<float> field({smoke, scalars, volume.channels, channel}, name, kind);
        if (field.grid()->activeVoxelCount() > 0) file.add(std::move(field));
    };
    add(1, "temperature", nanovdb::GridClass::Unknown);
    add(2, "fuel", nanovdb::GridClass::FogVolume);
    file.add(Grid<nanovdb::Vec3f>({flow, StoredNumbers(volume.velocity, grid.precision), 4, 0}, "velocity", nanovdb::GridClass::Unknown));
    return file.bytes();
}

}  // namespace wisp::app
