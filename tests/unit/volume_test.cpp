// SPDX-License-Identifier: MIT
// Volume files, read back with the libraries of their formats.
#include "files/volume/volume.h"
#include "tests/support/exr_file.h"
#include "tests/support/nanovdb_file.h"
#include "tests/unit/volume_model.h"

#include <glm/gtc/packing.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

namespace wisp::app {
namespace {

using nanovdb::Vec3f;
using test::count;
using test::Exr;
using test::indexOf;
using test::NanoVdb;
using test::someNumbers;
using test::VolumeModel;
using Stored = test::StoredVolume;

/// Every cell of the grid, and one layer around it.
template <class Value>
void expectCells(const NanoVdb& file, const VolumeModel& model, VolumeField field) {
    using Theirs = std::conditional_t<std::is_same_v<Value, float>, float, Vec3f>;
    const auto& grid = file.grid<Theirs>(kVolumeFields[static_cast<std::size_t>(field)]);
    const auto values = grid.getAccessor();
    std::uint64_t active = 0;
    model.forCells<Value>(field, [&](glm::ivec3 c, std::optional<Value> expected) {
        const Value none{};
        const Value value = expected.value_or(none);
        if constexpr (std::is_same_v<Value, float>)
            ASSERT_EQ(values.getValue(nanovdb::Coord(c.x, c.y, c.z)), value) << c.x << ' ' << c.y << ' ' << c.z;
        else ASSERT_EQ(values.getValue(nanovdb::Coord(c.x, c.y, c.z)), Vec3f(value.x, value.y, value.z)) << c.x << ' ' << c.y << ' ' << c.z;
        ASSERT_EQ(values.isActive(nanovdb::Coord(c.x, c.y, c.z)), expected.has_value()) << c.x << ' ' << c.y << ' ' << c.z;
        active += expected.has_value();
    });
    EXPECT_EQ(grid.activeVoxelCount(), active);
}

void expectPosition(const nanovdb::Map& map, glm::dvec3 index, glm::dvec3 world) {
    const nanovdb::Vec3d place = map.applyMap(nanovdb::Vec3d(index.x, index.y, index.z)), back = map.applyInverseMap(place);
    for (int axis = 0; axis < 3; ++axis) {
        EXPECT_NEAR(place[axis], world[axis], 1e-9) << axis;
        EXPECT_NEAR(back[axis], index[axis], 1e-9) << axis;
    }
}

void expectRoundTrip(glm::uvec3 cells, Precision precision, std::uint32_t scalarRatio, bool burns = false, bool upIsZ = false) {
    for (const bool withFuel : {false, true}) {
        VolumeModel model(cells, precision, scalarRatio, burns);
        model.volume.choice.upIsZ = upIsZ;
        model.volume.choice.fields.set(static_cast<std::size_t>(VolumeField::Fuel), withFuel);
        const NanoVdb file(encodeVolume(VolumeKind::NanoVdb, model.volume));
        ASSERT_EQ(file.grids.size(), burns ? (withFuel ? 5u : 4u) : 3u);
        expectCells<float>(file, model, VolumeField::Density);
        expectCells<float>(file, model, VolumeField::Temperature);
        expectCells<glm::vec3>(file, model, VolumeField::Velocity);
        if (burns) expectCells<float>(file, model, VolumeField::Flame);
        if (burns && withFuel) expectCells<float>(file, model, VolumeField::Fuel);
    }
}

TEST(VolumeNanoVdb, StoresEveryCellOfOddGrids) {
    for (const Precision precision : {Precision::Half, Precision::Float}) {
        expectRoundTrip({13, 9, 7}, precision, 1);
        expectRoundTrip({13, 9, 7}, precision, 2, true);
        expectRoundTrip({13, 9, 7}, precision, 2, true, true);
        expectRoundTrip({67, 3, 5}, precision, 2);  // 134 scalar cells: two nodes of 128
        expectRoundTrip({1, 1, 1}, precision, 1);
        expectRoundTrip({5, 6, 1}, precision, 4);  // flat
    }
}

TEST(VolumeNanoVdb, SpansNodesOfEverySize) {
    expectRoundTrip({2, 131, 9}, Precision::Half, 1);
    expectRoundTrip({2, 3, 4101}, Precision::Half, 1);
    expectRoundTrip({4101, 1, 2}, Precision::Float, 1);
}

TEST(VolumeNanoVdb, HasThePositionOfTheGrid) {
    Stored s({6, 5, 4}, Precision::Half, 2);
    const NanoVdb file(encodeVolume(VolumeKind::NanoVdb, s.volume()));
    const glm::dvec3 origin(-3.0, 0.5, 2.25);
    const auto& velocity = file.grid<Vec3f>("vel");
    EXPECT_EQ(velocity.voxelSize(), nanovdb::Vec3R(0.125));
    expectPosition(velocity.map(), {0, 0, 0}, origin + 0.0625);
    expectPosition(velocity.map(), {5, 4, 3}, origin + 0.125 * glm::dvec3(5.5, 4.5, 3.5));
    const auto& density = file.grid<float>("density");
    EXPECT_EQ(density.voxelSize(), nanovdb::Vec3R(0.0625));
    EXPECT_EQ(density.gridClass(), nanovdb::GridClass::FogVolume);
    expectPosition(density.map(), {0, 0, 0}, origin + 0.03125);
    expectPosition(density.map(), {11, 9, 7}, origin + 0.0625 * glm::dvec3(11.5, 9.5, 7.5));
}

TEST(VolumeNanoVdb, OfAFlatGridIsOneCellDeep) {
    Stored s({6, 5, 1}, Precision::Half, 2);
    const NanoVdb file(encodeVolume(VolumeKind::NanoVdb, s.volume()));
    EXPECT_EQ(file.grid<float>("density").voxelSize(), nanovdb::Vec3R(0.0625, 0.0625, 0.125));
    expectPosition(file.grid<float>("density").map(), {1, 2, 0}, {-3.0 + 1.5 / 16, 0.5 + 2.5 / 16, 2.25 + 0.0625});
}

TEST(VolumeNanoVdb, EmptyVolumeCanBeOpened) {
    Stored s({20, 10, 10});
    s.channels = 2;
    const NanoVdb file(encodeVolume(VolumeKind::NanoVdb, s.volume()));
    ASSERT_EQ(file.grids.size(), 3u);
    EXPECT_EQ(file.grid<float>("density").activeVoxelCount(), 0u);
    EXPECT_EQ(file.grid<Vec3f>("vel").tree().getValue(nanovdb::Coord(3)), Vec3f(0.0f));
}

TEST(VolumeAtlas, HasSlicesBelowEachOther) {
    for (const Precision precision : {Precision::Half, Precision::Float}) {
        Stored s({7, 5, 3}, precision);
        const glm::uvec3 cells = s.settings.grid.cells;
        const std::vector<float> velocity = someNumbers(3 * count(cells), 9, 4);
        for (std::size_t n = 0; n < count(cells); ++n) {
            for (std::size_t axis = 0; axis < 3; ++axis) s.put(s.velocity, velocity[3 * n + axis]);
            s.put(s.velocity, 99.0f);
        }
        s.aperture.resize(4 * count(cells + 1u), std::byte{77});
        const auto open = [](int x, int y, int z) { return static_cast<unsigned>(x + 50 * y + 17 * z) % 256; };
        for (int z = 0; z < 3; ++z)
            for (int y = 0; y < 5; ++y)
                for (int x = 0; x < 7; ++x) s.aperture[4 * indexOf(cells + 1u, x, y, z) + 3] = static_cast<std::byte>(open(x, y, z));
        const Exr exr(encodeVolume(VolumeKind::Atlas, s.volume()));
        ASSERT_EQ(exr.image.width, 7);
        ASSERT_EQ(exr.image.height, 15);
        ASSERT_EQ(exr.channels.size(), 4u);
        for (int c = 0; c < 4; ++c) ASSERT_EQ(exr.header.pixel_types[c], TINYEXR_PIXELTYPE_HALF);
        const auto at = [&](const char* channel, std::size_t pixel) { return glm::unpackHalf1x16(exr.at<std::uint16_t>(channel, pixel)); };
        for (int z = 0; z < 3; ++z)
            for (int y = 0; y < 5; ++y)
                for (int x = 0; x < 7; ++x) {
                    const auto pixel = static_cast<std::size_t>((z * 5 + y) * 7 + x);
                    const std::size_t cell = indexOf(cells, x, y, z);
                    ASSERT_EQ(at("R", pixel), velocity[3 * cell]) << x << ' ' << y << ' ' << z;
                    ASSERT_EQ(at("G", pixel), velocity[3 * cell + 1]) << x << ' ' << y << ' ' << z;
                    ASSERT_EQ(at("B", pixel), velocity[3 * cell + 2]) << x << ' ' << y << ' ' << z;
                    // Numbers between 0.5 and 1 have an error of 2^-12 in 16-bit floats.
                    ASSERT_NEAR(at("A", pixel), static_cast<float>(open(x, y, z)) / 255.0f, 1.0f / 4096) << x << ' ' << y << ' ' << z;
                }
        EXPECT_EQ(exr.attribute<glm::vec3>("gridOrigin", "v3f"), glm::vec3(-3.0f, 0.5f, 2.25f));
        EXPECT_EQ(exr.attribute<float>("cellSize", "float"), 0.125f);
        EXPECT_EQ(exr.attribute<glm::ivec3>("gridCells", "v3i"), glm::ivec3(7, 5, 3));
    }
}

TEST(VolumeAtlas, RoundsFloatsToTheNearestHalf) {
    Stored s({1, 1, 1}, Precision::Float);
    const std::array<float, 4> velocity{1.0f + 0.0007f, -0.1f, 1e-3f, 0.0f};
    const auto bytes = std::as_bytes(std::span(velocity));
    s.velocity.assign(bytes.begin(), bytes.end());
    s.aperture.resize(32, std::byte{255});
    const Exr exr(encodeVolume(VolumeKind::Atlas, s.volume()));
    EXPECT_EQ(glm::unpackHalf1x16(exr.at<std::uint16_t>("R", 0)), 1.0f + 1.0f / 1024);
    EXPECT_NEAR(glm::unpackHalf1x16(exr.at<std::uint16_t>("G", 0)), -0.1f, 0.1f / 2048);
    EXPECT_NEAR(glm::unpackHalf1x16(exr.at<std::uint16_t>("B", 0)), 1e-3f, 1e-3f / 2048);
    EXPECT_EQ(glm::unpackHalf1x16(exr.at<std::uint16_t>("A", 0)), 1.0f);
}

}  // namespace
}  // namespace wisp::app
