// SPDX-License-Identifier: MIT
// Writes OpenVDB files. Only the files of this folder use OpenVDB: they are a module that the program loads when it reads or writes its
// first .vdb file. OpenVDB's libraries take 40 ms and 30 MB to load, and start threads.
#include "files/openvdb/guarded.h"
#include "files/volume/volume_blocks.h"

#include <openvdb/io/Archive.h>
#include <openvdb/openvdb.h>
#include <xxhash.h>

#include <algorithm>
#include <iomanip>
#include <memory>
#include <sstream>
#include <stdexcept>

namespace wisp::app {
namespace {

/// OpenVDB writes files that readers can seek in, or streams. This is such a file in memory.
class Archive : public openvdb::io::Archive {
public:
    [[nodiscard]] std::string bytes(const openvdb::GridCPtrVec& grids, const openvdb::MetaMap& meta) const {
        std::ostringstream out;
        write(out, grids, true, meta);
        return out.str();
    }
};

float stored(float v) { return v; }
openvdb::Vec3s stored(glm::vec3 v) { return {v.x, v.y, v.z}; }

template <class Grid, class Value>
openvdb::GridBase::Ptr gridOf(const VolumeGrid<Value>& source) {
    using Leaf = typename Grid::TreeType::LeafNodeType;
    typename Grid::Ptr grid = Grid::create();
    for (const VolumeBlock<Value>& block : source.blocks) {
        auto leaf = std::make_unique<Leaf>(openvdb::Coord(block.corner.x, block.corner.y, block.corner.z));
        std::ranges::transform(block.values, leaf->buffer().data(), [](const Value& v) { return stored(v); });
        typename Leaf::NodeMaskType mask;
        for (openvdb::Index n = 0; n < Leaf::NodeMaskType::WORD_COUNT; ++n) mask.template getWord<std::uint64_t>(n) = block.active.words[n];
        leaf->setValueMask(mask);
        grid->tree().addLeaf(leaf.release());
    }
    return grid;
}

openvdb::GridBase::Ptr gridOf(const VolumeGrid<float>& source) { return gridOf<openvdb::FloatGrid>(source); }
openvdb::GridBase::Ptr gridOf(const VolumeGrid<glm::vec3>& source) { return gridOf<openvdb::Vec3SGrid>(source); }

template <class Value>
openvdb::GridBase::Ptr describe(const VolumeGrid<Value>& source, const Volume& volume) {
    openvdb::GridBase::Ptr grid = gridOf(source);
    grid->setName(kVolumeFields[static_cast<std::size_t>(source.field)]);
    grid->setCreator("wisp " WISP_VERSION);
    const auto vector = [](glm::dvec3 v) { return openvdb::Vec3d(v.x, v.y, v.z); };
    const glm::dvec3 e = source.edges;
    const openvdb::math::MapBase::Ptr map =
        e.x == e.y && e.y == e.z ? openvdb::math::MapBase::Ptr(new openvdb::math::UniformScaleTranslateMap(e.x, vector(source.first)))
                                 : openvdb::math::MapBase::Ptr(new openvdb::math::ScaleTranslateMap(vector(e), vector(source.first)));
    grid->setTransform(openvdb::math::Transform::Ptr(new openvdb::math::Transform(map)));
    const bool isVector = source.field == VolumeField::Velocity, isTemperature = source.field == VolumeField::Temperature;
    if (isVector) grid->setVectorType(openvdb::VEC_CONTRAVARIANT_RELATIVE);
    else if (!isTemperature) grid->setGridClass(openvdb::GRID_FOG_VOLUME);
    // Halves hold the velocity of a simulation in halves exactly, but not a temperature in kelvin.
    grid->setSaveFloatAsHalf(!isTemperature && (!isVector || volume.grid.precision == Precision::Half));
    return grid;
}

/// OpenVDB gives each file a random number. The same fields have the same file here: the number is a hash.
void setIdentity(std::string& file) {
    constexpr std::size_t kAt = 21, kLength = 36;  // after the magic number, three versions and the flag of a file
    if (file.size() < kAt + kLength || file[kAt + 8] != '-' || file[kAt + 23] != '-')
        throw std::logic_error("unknown layout of OpenVDB files");
    const XXH128_hash_t hash = XXH3_128bits(file.data() + kAt + kLength, file.size() - kAt - kLength);
    std::ostringstream digits;  // as a UUID of version 8
    digits << std::hex << std::setfill('0') << std::setw(16) << hash.high64 << std::setw(16) << hash.low64;
    const std::string d = digits.str();
    file.replace(kAt, kLength,
                 d.substr(0, 8) + '-' + d.substr(8, 4) + "-8" + d.substr(13, 3) + "-8" + d.substr(17, 3) + '-' + d.substr(20, 12));
}

std::string encode(const VolumeGrids& grids, const Volume& volume) {
    openvdb::GridCPtrVec all;
    for (const VolumeGrid<float>& g : grids.scalars) all.push_back(describe(g, volume));
    for (const VolumeGrid<glm::vec3>& g : grids.velocity) all.push_back(describe(g, volume));
    openvdb::MetaMap meta;
    meta.insertMeta("creator", openvdb::StringMetadata("wisp " WISP_VERSION));
    meta.insertMeta("fps", openvdb::FloatMetadata(static_cast<float>(volume.choice.fps)));
    meta.insertMeta("time", openvdb::FloatMetadata(static_cast<float>(volume.time)));
    meta.insertMeta("frame", openvdb::Int32Metadata(static_cast<std::int32_t>(volume.frame)));
    std::string file = Archive().bytes(all, meta);
    setIdentity(file);
    return file;
}

}  // namespace

/// See files/volume/volume_openvdb.cpp.
extern "C" void wispEncodeOpenVdb(const VolumeGrids& grids, const Volume& volume, std::string& file, std::string& error) {
    guarded(error, [&] { file = encode(grids, volume); });
}

}  // namespace wisp::app
