// SPDX-License-Identifier: MIT
// The only file that uses NanoVDB. It fills the structs of NanoVDB directly, because NanoVDB's grid builder terminates the program if it
// cannot start a thread or allocate memory.
#include "files/base/failure.h"
#include "files/volume/volume_blocks.h"

#include <nanovdb/util/GridChecksum.h>
#include <nanovdb/util/GridStats.h>
#include <nanovdb/util/IO.h>
#include <zlib.h>

#include <array>
#include <cstring>
#include <new>
#include <sstream>
#include <vector>

namespace wisp {
namespace {

using nanovdb::Coord;

Coord coordOf(glm::ivec3 v) { return {v.x, v.y, v.z}; }

struct Node {
    Coord corner;
    std::size_t parent;  ///< index of the parent node in the next level up
};

/// Nodes of the tree: leaf nodes of 8^3 cells, lower nodes of 128^3 cells, upper nodes of 4096^3 cells.
struct Nodes {
    std::vector<Node> upper, lower, leaves;
};

template <class Value>
Nodes nodesOf(const VolumeGrid<Value>& grid) {
    Nodes nodes;
    const auto add = [](std::vector<Node>& level, glm::ivec3 corner, int edge, std::size_t parent) {
        const Coord node = coordOf(corner / edge * edge);
        if (level.empty() || level.back().corner != node) level.push_back({node, parent});
        return level.size() - 1;
    };
    for (const VolumeBlock<Value>& block : grid.blocks) {
        const std::size_t upper = add(nodes.upper, block.corner, 4096, 0), lower = add(nodes.lower, block.corner, 128, upper);
        nodes.leaves.push_back({coordOf(block.corner), lower});
    }
    return nodes;
}

/// Type of a value in NanoVDB.
template <class Value>
using Stored = std::conditional_t<std::is_same_v<Value, float>, float, nanovdb::Vec3f>;
float stored(float v) { return v; }
nanovdb::Vec3f stored(glm::vec3 v) { return {v.x, v.y, v.z}; }

/// Memory with the alignment that NanoVDB requires.
struct alignas(NANOVDB_DATA_ALIGNMENT) Block {
    std::array<std::byte, NANOVDB_DATA_ALIGNMENT> bytes;
};

/// Memory of one grid: header, tree, root with one tile per upper node, then the upper, lower and leaf nodes.
template <class Value>
class Grid {
public:
    explicit Grid(const VolumeGrid<Value>& source) : nodes_(nodesOf(source)) {
        blocks_.resize(static_cast<std::size_t>(end()) / sizeof(Block));  // zero-initialized
        setHead(source);
        setTree();
        setNodes(source);
        nanovdb::gridStats(*grid(), nanovdb::StatsMode::All);
        nanovdb::updateChecksum(*grid(), nanovdb::ChecksumMode::Partial);
    }
    [[nodiscard]] nanovdb::NanoGrid<Stored<Value>>* grid() { return at<nanovdb::NanoGrid<Stored<Value>>>(0); }
    [[nodiscard]] std::span<const std::byte> bytes() const { return std::as_bytes(std::span(blocks_)); }

private:
    using Leaf = nanovdb::NanoLeaf<Stored<Value>>;
    using Lower = nanovdb::NanoLower<Stored<Value>>;
    using Upper = nanovdb::NanoUpper<Stored<Value>>;
    using Root = nanovdb::NanoRoot<Stored<Value>>;
    using Tree = nanovdb::NanoTree<Stored<Value>>;

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

    void setHead(const VolumeGrid<Value>& source) {
        auto& head = *at<nanovdb::GridData>(0);
        head.mMagic = NANOVDB_MAGIC_NUMBER;
        head.mVersion = nanovdb::Version();
        head.mFlags = static_cast<std::uint32_t>(nanovdb::GridFlags::IsBreadthFirst);
        head.mGridCount = 1;
        head.mGridSize = end();
        std::strncpy(head.mGridName, kVolumeFields[static_cast<std::size_t>(source.field)], nanovdb::GridData::MaxNameSize - 1);
        std::array<std::array<double, 3>, 3> scale{}, inverse{};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double edge = source.edges[static_cast<int>(axis)];
            scale[axis][axis] = edge;
            inverse[axis][axis] = 1.0 / edge;
        }
        head.mMap.set(scale, inverse, source.first, 1.0);
        head.mVoxelSize = {source.edges.x, source.edges.y, source.edges.z};
        const bool fog = source.field != VolumeField::Temperature && source.field != VolumeField::Velocity;
        head.mGridClass = fog ? nanovdb::GridClass::FogVolume : nanovdb::GridClass::Unknown;
        head.mGridType = nanovdb::mapToGridType<Stored<Value>>();
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

    void setNodes(const VolumeGrid<Value>& source) {
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
            const VolumeBlock<Value>& block = source.blocks[n];
            for (std::size_t i = 0; i < block.values.size(); ++i)
                if (block.active[i]) leaf.setValue(static_cast<std::uint32_t>(i), stored(block.values[i]));
            active += block.active.count();
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
    const VolumeGrids& grids = gridsOf(volume);
    File file;
    for (const VolumeGrid<float>& g : grids.scalars) file.add(Grid<float>(g));
    for (const VolumeGrid<glm::vec3>& g : grids.velocity) file.add(Grid<glm::vec3>(g));
    return file.bytes();
}

}  // namespace wisp
