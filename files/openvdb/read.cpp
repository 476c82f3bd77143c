// SPDX-License-Identifier: MIT
// Reads OpenVDB files. See app/scene/volume_openvdb_file.cpp.
#include "compute/scene/volume_data.h"
#include "files/openvdb/guarded.h"
#include "files/scene/volume_head.h"

#include <fmt/format.h>
#include <openvdb/io/Archive.h>
#include <openvdb/io/GridDescriptor.h>
#include <openvdb/openvdb.h>

#include <cmath>
#include <cstdint>
#include <fstream>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

namespace wisp::app {
namespace {

/// An open file.
class File {
public:
    explicit File(const std::string& path) : file_(path) {
        file_.setCopyMaxBytes(0);
        file_.open(false);
    }
    openvdb::io::File* operator->() { return &file_; }

private:
    openvdb::io::File file_;
};

/// OpenVDB reads what is left of a file that is cut short. This finds the end that each grid should have. And OpenVDB opens no file that
/// has a grid of an unknown type. This makes such types known as another type, so that the grids beside it can be read.
class Contents : public openvdb::io::Archive {
public:
    std::set<std::string> unknown;  ///< keys of grids of an unknown type

    void read(const std::string& path) {
        std::ifstream in(path, std::ios::binary);
        in.seekg(0, std::ios::end);
        const auto size = static_cast<std::int64_t>(in.tellg());
        in.seekg(0);
        readHeader(in);
        setFormatVersion(in);
        setLibraryVersion(in);
        openvdb::MetaMap().readMeta(in);
        if (!inputHasGridOffsets()) return;
        const std::int32_t count = readGridCount(in);
        for (std::int32_t n = 0; n < count; ++n) {
            const auto start = in.tellg();
            (void)openvdb::readString(in);  // its name
            const bool isUnknown = in && makeKnown(openvdb::readString(in));
            in.seekg(start);
            openvdb::io::GridDescriptor grid;
            grid.read(in);
            if (isUnknown) unknown.insert(openvdb::io::GridDescriptor::nameAsString(grid.uniqueName()));
            const auto end = static_cast<std::int64_t>(grid.getEndPos());
            if (!in || end > size || end < static_cast<std::int64_t>(in.tellg())) throw std::runtime_error("is cut short or damaged");
            grid.seekToEnd(in);
        }
    }

private:
    struct Types : openvdb::GridBase {
        using openvdb::GridBase::registerGrid;
    };
    /// Returns whether OpenVDB did not know this type by itself.
    static bool makeKnown(std::string type) {
        constexpr std::string_view kHalf = "_HalfFloat";  // how values are stored
        if (type.ends_with(kHalf)) type.resize(type.size() - kHalf.size());
        static std::mutex mutex;
        static std::set<std::string> made;
        const std::lock_guard lock(mutex);
        if (made.contains(type)) return true;
        constexpr std::size_t kMost = 256;  // names come from files
        if (openvdb::GridBase::isRegistered(type) || made.size() >= kMost) return false;
        Types::registerGrid(type, [] { return openvdb::GridBase::Ptr(openvdb::FloatGrid::create()); });
        made.insert(type);
        return true;
    }
};

/// OpenVDB multiplies row vectors, so the rows of its matrix are columns.
glm::dmat4 matrixOf(const openvdb::math::Transform& transform) {
    const openvdb::Mat4R m = transform.baseMap()->getAffineMap()->getMat4();
    glm::dmat4 matrix;
    for (int row = 0; row < 4; ++row)
        for (int column = 0; column < 4; ++column) matrix[row][column] = m[row][column];
    return matrix;
}

glm::ivec3 indexOf(const openvdb::Coord& c) { return {c.x(), c.y(), c.z()}; }

/// @param head has its key
void readHead(File& file, VolumeGridHead& head) {
    openvdb::GridBase::ConstPtr grid = file->readGridMetadata(head.key);
    head.name = grid->getName();
    head.type = grid->valueType();
    head.isFloat = grid->isType<openvdb::FloatGrid>() || grid->isType<openvdb::DoubleGrid>();
    head.isLevelSet = grid->getGridClass() == openvdb::GRID_LEVEL_SET;
    head.isStaggered = grid->getGridClass() == openvdb::GRID_STAGGERED;
    head.isVector = grid->isType<openvdb::Vec3SGrid>() || grid->isType<openvdb::Vec3DGrid>();
    if (!head.isFloat && !head.isVector) return;
    head.isLinear = grid->transform().isLinear();
    if (!head.isLinear) return;
    head.toWorld = matrixOf(grid->transform());
    const auto low = grid->getMetadata<openvdb::Vec3IMetadata>(openvdb::GridBase::META_FILE_BBOX_MIN),
               high = grid->getMetadata<openvdb::Vec3IMetadata>(openvdb::GridBase::META_FILE_BBOX_MAX);
    const auto count = grid->getMetadata<openvdb::Int64Metadata>(openvdb::GridBase::META_FILE_VOXEL_COUNT);
    if (low && high && count) {
        head.low = indexOf(openvdb::Coord(low->value()));
        head.high = indexOf(openvdb::Coord(high->value()));
        head.activeVoxels = static_cast<std::uint64_t>(count->value());
        return;
    }
    const openvdb::GridBase::ConstPtr whole = file->readGrid(head.key);  // a file without statistics
    const openvdb::CoordBBox box = whole->evalActiveVoxelBoundingBox();
    head.low = indexOf(box.min());
    head.high = indexOf(box.max());
    head.activeVoxels = whole->activeVoxelCount();
}

/// A grid of a type that OpenVDB does not know, or a damaged one, is one that cannot be read: the file may have others.
/// @param key the name, with a number if several grids have it
VolumeGridHead headOf(File& file, const std::string& key, bool isUnknown) {
    VolumeGridHead head{.name = key, .key = key};
    if (isUnknown) {
        head.problem = fmt::format("{}: has values of a type that OpenVDB does not know", key);
        return head;
    }
    try {
        readHead(file, head);
    } catch (const openvdb::Exception& e) {
        head.problem = fmt::format("{}: {}", key, e.what());
    }
    return head;
}

VolumeHead headsOf(const std::string& path) {
    Contents contents;
    contents.read(path);
    File file(path);
    VolumeHead head;
    for (auto name = file->beginName(); name != file->endName(); ++name)
        head.grids.push_back(headOf(file, name.gridName(), contents.unknown.contains(name.gridName())));
    const openvdb::MetaMap::Ptr meta = file->getMetadata();
    if (const auto fps = meta->getMetadata<openvdb::FloatMetadata>("fps")) head.fps = fps->value();
    return head;
}

/// Calls `fill` with a block, the index of an active voxel in it, and its value.
template <class Grid, class Lattice, class Fill>
void takeBlocks(Grid& grid, std::size_t most, Lattice& lattice, Fill fill) {
    // Tiles stand for blocks of one value. The number of voxels is checked before, from the head of the file, which may be wrong.
    if (grid.activeVoxelCount() > std::uint64_t{most} * 512) throw std::runtime_error("has more voxels than it says");
    grid.tree().voxelizeActiveTiles();
    if (grid.tree().leafCount() > most) throw std::runtime_error("has more voxels than it says");
    lattice.blocks.reserve(grid.tree().leafCount());
    for (auto leaf = grid.tree().cbeginLeaf(); leaf; ++leaf) {
        if (leaf->isEmpty()) continue;  // may be outside of the bounds of active voxels
        auto& block = lattice.blocks.emplace_back();
        block.corner = indexOf(leaf->origin());
        for (openvdb::Index i = 0; i < 512; ++i)
            if (leaf->isValueOn(i)) fill(block, i, leaf->getValue(i));
    }
}

template <class Grid, class Lattice, class Fill>
bool tookBlocks(const openvdb::GridBase::Ptr& base, std::size_t most, Lattice& lattice, Fill fill) {
    const auto grid = openvdb::gridPtrCast<Grid>(base);
    if (grid) takeBlocks(*grid, most, lattice, fill);
    return static_cast<bool>(grid);
}

/// @param zero what active voxels with the value 0 get
VolumeLattice latticeOf(const std::string& path, const std::string& name, float zero) {
    File file(path);
    const openvdb::GridBase::Ptr grid = file->readGrid(name);
    VolumeLattice lattice{.toWorld = matrixOf(grid->transform()), .blocks = {}};
    const auto fill = [&](VolumeLattice::Block& block, std::size_t n, auto value) {
        block.values[n] = static_cast<float>(value) == 0.0f ? zero : static_cast<float>(value);
    };
    if (!tookBlocks<openvdb::FloatGrid>(grid, kMaxVolumeBlocks, lattice, fill) &&
        !tookBlocks<openvdb::DoubleGrid>(grid, kMaxVolumeBlocks, lattice, fill))
        throw std::runtime_error(fmt::format("{}: has values of type {}, must be float or double", name, grid->valueType()));
    return lattice;
}

VolumeVelocity velocityOf(const std::string& path, const std::string& name) {
    File file(path);
    const openvdb::GridBase::Ptr grid = file->readGrid(name);
    VolumeVelocity velocity{.toWorld = matrixOf(grid->transform()), .blocks = {}};
    const auto fill = [](VolumeVelocity::Block& block, std::size_t n, const auto& value) {
        block.values[n] = glm::vec3(value.x(), value.y(), value.z());
        block.known[n / 32] |= 1u << n % 32;
    };
    if (!tookBlocks<openvdb::Vec3SGrid>(grid, kMaxVelocityBlocks, velocity, fill) &&
        !tookBlocks<openvdb::Vec3DGrid>(grid, kMaxVelocityBlocks, velocity, fill))
        throw std::runtime_error(fmt::format("{}: has values of type {}, must be vec3s or vec3d", name, grid->valueType()));
    return velocity;
}

}  // namespace

extern "C" void wispHeadOfOpenVdb(const std::string& path, VolumeHead& head, std::string& error) {
    guarded(error, [&] { head = headsOf(path); });
}

extern "C" void wispReadOpenVdb(const std::string& path, const std::string& name, float zero, VolumeLattice& lattice, std::string& error) {
    guarded(error, [&] { lattice = latticeOf(path, name, zero); });
}

extern "C" void wispReadVelocityOfOpenVdb(const std::string& path, const std::string& name, VolumeVelocity& velocity, std::string& error) {
    guarded(error, [&] { velocity = velocityOf(path, name); });
}

}  // namespace wisp::app
