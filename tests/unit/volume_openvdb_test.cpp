// SPDX-License-Identifier: MIT
// .vdb files, read back with OpenVDB's own reader.
#include "tests/support/scratch_folder.h"
#include "tests/unit/volume_model.h"

#include <gmock/gmock.h>
#include <openvdb/io/File.h>
#include <openvdb/openvdb.h>

#include <filesystem>
#include <fstream>

namespace wisp::app {
namespace {

using openvdb::Coord;
using test::VolumeModel;

/// A file on disk, because readers seek in files.
class OpenVdb {
public:
    explicit OpenVdb(const std::string& bytes) {
        openvdb::initialize();
        std::ofstream(path_, std::ios::binary) << bytes;
        openvdb::io::File file(path_);
        file.open();
        EXPECT_TRUE(file.hasBloscCompression());
        EXPECT_NE(file.getUniqueTag(), "");
        meta = file.getMetadata();
        for (auto name = file.beginName(); name != file.endName(); ++name) grids[*name] = file.readGrid(*name);
        file.close();
    }
    template <class Grid>
    [[nodiscard]] typename Grid::Ptr grid(VolumeField f) const {
        return openvdb::gridPtrCast<Grid>(grids.at(kVolumeFields[static_cast<std::size_t>(f)]));
    }
    std::map<std::string, openvdb::GridBase::Ptr> grids;
    openvdb::MetaMap::Ptr meta;

private:
    test::ScratchFolder scratch_;
    std::string path_ = (scratch_.path() / "a.vdb").string();
};

template <class Grid, class Value>
void expectCells(const OpenVdb& file, const VolumeModel& model, VolumeField field) {
    const auto grid = file.grid<Grid>(field);
    ASSERT_TRUE(grid);
    const auto values = grid->getConstAccessor();
    std::uint64_t active = 0;
    model.forCells<Value>(field, [&](glm::ivec3 c, std::optional<Value> expected) {
        const Value value = expected.value_or(Value{});
        const Coord at(c.x, c.y, c.z);
        if constexpr (std::is_same_v<Value, float>) ASSERT_EQ(values.getValue(at), value) << at;
        else ASSERT_EQ(values.getValue(at), openvdb::Vec3s(value.x, value.y, value.z)) << at;
        ASSERT_EQ(values.isValueOn(at), expected.has_value()) << at;
        active += expected.has_value();
    });
    EXPECT_EQ(grid->activeVoxelCount(), active);
    EXPECT_GT(active, 0u);
}

TEST(VolumeOpenVdb, StoresEveryCell) {
    for (const Precision precision : {Precision::Half, Precision::Float})
        for (const bool upIsZ : {false, true})
            for (const std::uint32_t ratio : {1u, 2u}) {
                VolumeModel model({13, 9, 7}, precision, ratio, true);
                model.volume.choice.upIsZ = upIsZ;
                model.volume.choice.fields.set();
                const OpenVdb file(encodeVolume(VolumeKind::OpenVdb, model.volume));
                ASSERT_EQ(file.grids.size(), 5u);
                expectCells<openvdb::FloatGrid, float>(file, model, VolumeField::Density);
                expectCells<openvdb::FloatGrid, float>(file, model, VolumeField::Temperature);
                expectCells<openvdb::FloatGrid, float>(file, model, VolumeField::Flame);
                expectCells<openvdb::FloatGrid, float>(file, model, VolumeField::Fuel);
                expectCells<openvdb::Vec3SGrid, glm::vec3>(file, model, VolumeField::Velocity);
            }
}

// A cell stores its velocity if a cell beside it has smoke, also one in the next block.
TEST(VolumeOpenVdb, ThinSmokeHasVelocityAroundIt) {
    for (const bool upIsZ : {false, true}) {
        VolumeModel model({13, 11, 12}, Precision::Half, 1);
        model.volume.choice.upIsZ = upIsZ;
        const OpenVdb file(encodeVolume(VolumeKind::OpenVdb, model.volume));
        expectCells<openvdb::FloatGrid, float>(file, model, VolumeField::Density);
        expectCells<openvdb::Vec3SGrid, glm::vec3>(file, model, VolumeField::Velocity);
    }
}

TEST(VolumeOpenVdb, SaysWhatItIs) {
    const VolumeModel model({13, 9, 7}, Precision::Half, 2, true);
    const OpenVdb file(encodeVolume(VolumeKind::OpenVdb, model.volume));
    ASSERT_EQ(file.grids.size(), 4u) << "fuel was not asked for";
    EXPECT_THAT(file.meta->metaValue<std::string>("creator"), testing::StartsWith("wisp "));
    EXPECT_EQ(file.meta->metaValue<float>("fps"), 24.0f);
    EXPECT_EQ(file.meta->metaValue<float>("time"), 1.25f);
    EXPECT_EQ(file.meta->metaValue<std::int32_t>("frame"), 7);
    for (const VolumeField f : {VolumeField::Density, VolumeField::Flame})
        EXPECT_EQ(file.grid<openvdb::FloatGrid>(f)->getGridClass(), openvdb::GRID_FOG_VOLUME);
    EXPECT_TRUE(file.grid<openvdb::FloatGrid>(VolumeField::Density)->saveFloatAsHalf());
    EXPECT_FALSE(file.grid<openvdb::FloatGrid>(VolumeField::Temperature)->saveFloatAsHalf()) << "300 K + 1/16 K is no half";
    EXPECT_EQ(file.grid<openvdb::Vec3SGrid>(VolumeField::Velocity)->getVectorType(), openvdb::VEC_CONTRAVARIANT_RELATIVE);
}

// With z up a point (x, y, z) of the scene is at (x, -z, y).
TEST(VolumeOpenVdb, HasThePositionOfTheGrid) {
    for (const bool upIsZ : {false, true}) {
        VolumeModel model({13, 9, 7}, Precision::Half, 2);
        model.volume.choice.upIsZ = upIsZ;
        const OpenVdb file(encodeVolume(VolumeKind::OpenVdb, model.volume));
        const auto density = file.grid<openvdb::FloatGrid>(VolumeField::Density);
        EXPECT_EQ(density->voxelSize(), openvdb::Vec3d(0.0625));
        EXPECT_TRUE(density->hasUniformVoxels());
        const openvdb::Vec3d first = density->indexToWorld(Coord(1, 2, 3));
        const glm::dvec3 y(-3.0 + 1.5 * 0.0625, 0.5 + 2.5 * 0.0625, 2.25 + 3.5 * 0.0625);
        const glm::dvec3 z(-3.0 + 1.5 * 0.0625, -(2.25 + (14 - 2.5) * 0.0625), 0.5 + 3.5 * 0.0625), expected = upIsZ ? z : y;
        for (int a = 0; a < 3; ++a) EXPECT_NEAR(first[a], expected[a], 1e-9) << a;
        const openvdb::Vec3d fine = file.grid<openvdb::Vec3SGrid>(VolumeField::Velocity)->indexToWorld(Coord(0));
        EXPECT_NEAR(fine[0], -3.0 + 0.0625, 1e-9);
    }
}

TEST(VolumeOpenVdb, TheSameFieldsAreTheSameFile) {
    VolumeModel model({13, 9, 7}, Precision::Half, 2, true);
    const std::string once = encodeVolume(VolumeKind::OpenVdb, model.volume);
    EXPECT_EQ(encodeVolume(VolumeKind::OpenVdb, model.volume), once);
    model.volume.frame = 8;
    EXPECT_NE(encodeVolume(VolumeKind::OpenVdb, model.volume), once);
}

TEST(VolumeOpenVdb, OnlyChosenFieldsAndNoSmokeAtAll) {
    VolumeModel model({13, 9, 7}, Precision::Half, 1);
    model.volume.choice.fields = 1u << static_cast<unsigned>(VolumeField::Velocity);
    EXPECT_EQ(OpenVdb(encodeVolume(VolumeKind::OpenVdb, model.volume)).grids.size(), 1u);
    model.volume.choice = {.threshold = 1e6f};
    const OpenVdb empty(encodeVolume(VolumeKind::OpenVdb, model.volume));
    ASSERT_EQ(empty.grids.size(), 3u);
    for (const auto& [name, grid] : empty.grids) EXPECT_EQ(grid->activeVoxelCount(), 0u) << name;
}

}  // namespace
}  // namespace wisp::app
