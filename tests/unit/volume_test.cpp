// SPDX-License-Identifier: MIT
// Volume files, read back with the libraries of their formats.
#include "app/output/volume.h"
#include "tests/support/exr_file.h"
#include "tests/support/nanovdb_file.h"

#include <glm/gtc/packing.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

namespace wisp::app {
namespace {

using nanovdb::Coord;
using nanovdb::Vec3f;
using test::Exr;
using test::NanoVdb;

/// A volume with its own bytes. All numbers are exact in 16-bit floats, for both storage formats.
struct Stored {
    Settings settings;
    std::vector<std::byte> velocity, scalars, aperture;

    explicit Stored(glm::uvec3 cells, Precision precision = Precision::Half, std::uint32_t scalarRatio = 1) {
        settings.grid = {.cells = cells,
                         .scalarRatio = scalarRatio,
                         .size = glm::vec3(cells) * 0.125f,
                         .origin = {-3.0f, 0.5f, 2.25f},
                         .precision = precision};
    }
    void put(std::vector<std::byte>& to, float value) const {
        const std::uint16_t half = glm::packHalf1x16(value);
        const float whole = glm::unpackHalf1x16(half);
        const auto bytes = settings.grid.precision == Precision::Half ? std::as_bytes(std::span(&half, 1))
                                                                      : std::as_bytes(std::span(&whole, 1));
        to.insert(to.end(), bytes.begin(), bytes.end());
    }
    [[nodiscard]] Volume volume() const {
        const glm::uvec3 cells = settings.grid.scalarCells();
        const std::size_t number = settings.grid.precision == Precision::Half ? 2 : 4;
        return {settings.grid, velocity, scalars, aperture, {}, scalars.size() / number / (std::size_t{cells.x} * cells.y * cells.z)};
    }
};

std::size_t indexOf(glm::uvec3 size, int x, int y, int z) {
    return (static_cast<std::size_t>(z) * size.y + static_cast<std::size_t>(y)) * size.x + static_cast<std::size_t>(x);
}

/// Multiples of 1/16 up to 8. About `some` of ten numbers are not 0.
std::vector<float> someNumbers(std::size_t count, unsigned some, unsigned seed) {
    std::mt19937 generator(seed);
    std::vector<float> numbers(count);
    for (float& n : numbers) n = generator() % 10 < some ? static_cast<float>(1 + generator() % 128) / 16.0f : 0.0f;
    return numbers;
}

std::size_t count(glm::uvec3 size) { return std::size_t{size.x} * size.y * size.z; }

/// Every cell of the grid, and one layer around it, must have the value of `expected` at its index. Zero voxels must not be active.
template <class Value>
void expectCells(const nanovdb::NanoGrid<Value>& grid, glm::uvec3 size, const std::function<Value(std::size_t)>& expected) {
    const auto values = grid.getAccessor();
    std::uint64_t active = 0;
    const glm::ivec3 end(size);
    for (int z = -1; z <= end.z; ++z)
        for (int y = -1; y <= end.y; ++y)
            for (int x = -1; x <= end.x; ++x) {
                const bool inside = std::min({x, y, z}) >= 0 && x < end.x && y < end.y && z < end.z;
                const Value value = inside ? expected(indexOf(size, x, y, z)) : Value(0.0f);
                ASSERT_EQ(values.getValue(Coord(x, y, z)), value) << x << ' ' << y << ' ' << z;
                ASSERT_EQ(values.isActive(Coord(x, y, z)), value != Value(0.0f)) << x << ' ' << y << ' ' << z;
                active += value != Value(0.0f);
            }
    EXPECT_EQ(grid.activeVoxelCount(), active);
}

void expectPosition(const nanovdb::Map& map, glm::dvec3 index, glm::dvec3 world) {
    const nanovdb::Vec3d place = map.applyMap(nanovdb::Vec3d(index.x, index.y, index.z)), back = map.applyInverseMap(place);
    for (int axis = 0; axis < 3; ++axis) {
        EXPECT_NEAR(place[axis], world[axis], 1e-9) << axis;
        EXPECT_NEAR(back[axis], index[axis], 1e-9) << axis;
    }
}

void expectRoundTrip(glm::uvec3 cells, Precision precision, std::uint32_t scalarRatio, bool burns = false) {
    Stored s(cells, precision, scalarRatio);
    s.settings.flow.buoyancy = 1.0f;
    const glm::uvec3 scalarCells = s.settings.grid.scalarCells();
    const std::vector<float> density = someNumbers(count(scalarCells), 1, 1), temperature = someNumbers(count(scalarCells), 2, 2),
                             velocity = someNumbers(3 * count(cells), 7, 3), fuel = someNumbers(count(scalarCells), 3, 4);
    for (std::size_t n = 0; n < density.size(); ++n) {
        s.put(s.scalars, density[n]);
        s.put(s.scalars, -temperature[n]);
        if (burns) s.put(s.scalars, fuel[n]);
        if (burns) s.put(s.scalars, 77.0f);  // the divergence, which is not written
    }
    for (std::size_t n = 0; n < count(cells); ++n) {
        for (std::size_t axis = 0; axis < 3; ++axis) s.put(s.velocity, velocity[3 * n + axis]);
        s.put(s.velocity, 99.0f);  // an unused component
    }
    const NanoVdb file(encodeVolume(VolumeKind::NanoVdb, s.volume()));
    const bool warm = std::ranges::any_of(temperature, [](float t) { return t != 0.0f; });
    ASSERT_EQ(file.grids.size(), (warm ? 3u : 2u) + (burns ? 1u : 0u));
    if (burns) expectCells<float>(file.grid<float>("fuel"), scalarCells, [&](std::size_t n) { return fuel[n]; });
    expectCells<float>(file.grid<float>("density"), scalarCells, [&](std::size_t n) { return density[n]; });
    if (warm)
        expectCells<float>(file.grid<float>("temperature"), scalarCells,
                           [&](std::size_t n) { return temperature[n] == 0.0f ? 0.0f : -temperature[n]; });
    expectCells<Vec3f>(file.grid<Vec3f>("velocity"), cells,
                       [&](std::size_t n) { return Vec3f(velocity[3 * n], velocity[3 * n + 1], velocity[3 * n + 2]); });
    EXPECT_EQ(file.grid<float>("density").tree().root().maximum(), *std::max_element(density.begin(), density.end()));
}

TEST(VolumeNanoVdb, StoresEveryCellOfOddGrids) {
    for (const Precision precision : {Precision::Half, Precision::Float}) {
        expectRoundTrip({13, 9, 7}, precision, 1);
        expectRoundTrip({13, 9, 7}, precision, 2, true);
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
    s.scalars.resize(2 * count(s.settings.grid.scalarCells()));
    s.velocity.resize(8 * count(s.settings.grid.cells));
    s.settings.flow.buoyancy = 0.0f;
    const NanoVdb file(encodeVolume(VolumeKind::NanoVdb, s.volume()));
    const glm::dvec3 origin(-3.0, 0.5, 2.25);
    const auto& velocity = file.grid<Vec3f>("velocity");
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
    s.scalars.resize(2 * count(s.settings.grid.scalarCells()));
    s.velocity.resize(8 * count(s.settings.grid.cells));
    const NanoVdb file(encodeVolume(VolumeKind::NanoVdb, s.volume()));
    EXPECT_EQ(file.grid<float>("density").voxelSize(), nanovdb::Vec3R(0.0625, 0.0625, 0.125));
    expectPosition(file.grid<float>("density").map(), {1, 2, 0}, {-3.0 + 1.5 / 16, 0.5 + 2.5 / 16, 2.25 + 0.0625});
}

TEST(VolumeNanoVdb, EmptyVolumeCanBeOpened) {
    Stored s({20, 10, 10});
    s.settings.flow.buoyancy = 1.0f;
    const VolumeBytes bytes = bytesOfVolume(VolumeKind::NanoVdb, s.settings);
    EXPECT_EQ(bytes.scalars, 2u * 2u * 2000u);
    EXPECT_EQ(bytes.aperture, 0u);
    s.velocity.resize(bytes.velocity);
    s.scalars.resize(bytes.scalars);
    const NanoVdb file(encodeVolume(VolumeKind::NanoVdb, s.volume()));
    ASSERT_EQ(file.grids.size(), 2u);  // no temperature grid if there is no temperature
    EXPECT_EQ(file.grid<float>("density").activeVoxelCount(), 0u);
    EXPECT_EQ(file.grid<Vec3f>("velocity").tree().getValue(Coord(3)), Vec3f(0.0f));
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
        EXPECT_EQ(bytesOfVolume(VolumeKind::Atlas, s.settings).sum(), s.velocity.size() + s.aperture.size());

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
