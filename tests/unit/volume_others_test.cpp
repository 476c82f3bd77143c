// SPDX-License-Identifier: MIT
// Volume files of other programs: names and units of their grids, grids that are missing, that wisp cannot read, that are stored with few
// bits.
#include "compute/scene/scene_warnings.h"
#include "compute/scene/settings.h"
#include "files/scene/scene.h"
#include "files/scene/volume_file.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/source_folder.h"
#include "tests/support/vdb_file.h"

#include <fmt/format.h>
#include <glm/common.hpp>
#include <gmock/gmock.h>
#include <openvdb/io/File.h>
#include <openvdb/openvdb.h>
#include <openvdb/tools/Interpolation.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <random>
#include <sstream>

#include <zlib.h>

namespace wisp::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class VolumeOthers : public testing::Test {
protected:
    std::filesystem::path write(const std::string& name, const openvdb::GridPtrVec& grids) {
        return test::writeVdb(scratch.path() / name, grids);
    }
    /// A float grid with this value at (1, 2, 3), which may be an active 0.
    static openvdb::FloatGrid::Ptr grid(const std::string& name, float value, openvdb::Coord at = {1, 2, 3}) {
        openvdb::initialize();
        auto made = openvdb::FloatGrid::create(0.0f);
        made->setName(name);
        made->tree().setValueOn(at, value);
        return made;
    }
    static float valueOf(const VolumeLattice& lattice, glm::ivec3 c = {1, 2, 3}) {
        for (const VolumeLattice::Block& b : lattice.blocks)
            if (b.corner == (c & ~7)) return b.values[static_cast<std::size_t>(((c.x & 7) * 8 + (c.y & 7)) * 8 + (c.z & 7))];
        return 0.0f;
    }
    static VolumeSummary summary(const std::filesystem::path& file, TemperatureUnit unit = TemperatureUnit::Guess) {
        return summaryOf({.file = file, .unit = unit});
    }
    static std::vector<std::string> notesOf(const VolumeRequest& request) { return openVolume(request)->notes(); }
    test::ScratchFolder scratch;
};

// Interpolation reaches a voxel beyond those that are active, in any frame.
TEST_F(VolumeOthers, BoundsAreThoseOfTheSmoke) {
    for (const auto& [name, at] : {std::pair("s_0.vdb", openvdb::Coord(0, 9, 7)), {"s_1.vdb", openvdb::Coord(8, -5, 3)}}) {
        auto density = grid("density", 1.0f, at);
        density->setTransform(openvdb::math::Transform::createLinearTransform(0.5));
        write(name, {density});
    }
    const VolumeBounds bounds = openVolume({.file = scratch.path() / "s_%01d.vdb"})->bounds();
    EXPECT_EQ(bounds.low, 0.5 * glm::dvec3(-1, -6, 2));
    EXPECT_EQ(bounds.high, 0.5 * glm::dvec3(9, 10, 8));
}

TEST_F(VolumeOthers, FireIsFlameThatIsNotZero) {
    const auto density = [] { return grid("density", 1.0f); };
    // Blender writes a flame of active zeros, and shares of 1000 K, for all smoke.
    EXPECT_FALSE(summary(write("a.vdb", {density(), grid("flame", 0.0f), grid("temperature", 1.0f)})).burns);
    EXPECT_FALSE(summary(write("a.vdb", {density(), grid("flame", 0.0f), grid("temperature", 1.5f)})).burns);
    EXPECT_TRUE(summary(write("a.vdb", {density(), grid("flame", 0.1f), grid("temperature", 1.5f)})).burns);
    for (const char* name : {"fuel", "flames", "Flames", "fire", "burn", "heat"})
        EXPECT_TRUE(summary(write("a.vdb", {density(), grid(name, 0.1f), grid("temperature", 1500.0f)})).burns) << name;
    EXPECT_FALSE(summary(write("a.vdb", {density(), grid("flame", 0.1f)})).burns) << "without a temperature nothing shines";
    // pbrt's and OpenVDB's fire is hot smoke. Shares up to 1 are smoke.
    EXPECT_TRUE(summary(write("a.vdb", {density(), grid("temperature", 1500.0f)})).burns);
    EXPECT_FALSE(summary(write("a.vdb", {density(), grid("temperature", 900.0f)})).burns);
    EXPECT_TRUE(summary(write("a.vdb", {density(), grid("temperature", 1.5f)})).burns);
    const auto file = write("a.vdb", {density(), grid("temperature", 1.0f)});
    EXPECT_FALSE(summary(file).burns);
    EXPECT_TRUE(summary(file).temperature);
    // In any file of a sequence.
    write("s_0.vdb", {density()});
    write("s_1.vdb", {density(), grid("flame", 0.0f), grid("temperature", 300.0f)});
    EXPECT_FALSE(summary(scratch.path() / "s_%01d.vdb").burns);
    write("s_2.vdb", {density(), grid("flame", 0.5f), grid("temperature", 300.0f)});
    EXPECT_TRUE(summary(scratch.path() / "s_%01d.vdb").burns);
}

// Values that are not finite refuse a file when it is read.
TEST_F(VolumeOthers, FewFilesAreReadToFindFire) {
    const auto pattern = scratch.path() / "s_%02d.vdb";
    const auto sequence = [&](auto flameOf) {
        for (int n = 0; n < 64; ++n)
            write(fmt::format("s_{:02}.vdb", n), {grid("density", 1.0f), grid("temperature", NAN), grid("flame", flameOf(n))});
        return summary(pattern, TemperatureUnit::Share).burns;
    };
    EXPECT_TRUE(sequence([](int n) { return n == 32 ? 0.5f : NAN; })) << "the one in the middle tells";
    EXPECT_THROW(sequence([](int n) { return n == 32 ? 0.0f : NAN; }), std::runtime_error);
    // 32 of 64, from the first to the last.
    EXPECT_FALSE(sequence([](int n) {
        for (int k = 0; k < 32; ++k)
            if (k * 63 / 31 == n) return 0.0f;
        return NAN;
    }));
    for (int n = 0; n < 64; ++n) write(fmt::format("s_{:02}.vdb", n), {grid("density", 1.0f)});
    EXPECT_FALSE(summary(pattern).burns);
    write("s_37.vdb", {grid("density", 1.0f), grid("temperature", 300.0f), grid("flame", 0.1f)});
    EXPECT_TRUE(summary(pattern).burns) << "the only file with a flame is one of those that are read";
}

// Blender's caches have both: fuel that has not burnt, and the flame that its renderer shows.
TEST_F(VolumeOthers, PicturesShowTheFlameAndSimulationsGoOnWithTheFuel) {
    const auto flame = grid("flame", 0.25f), fuel = grid("fuel", 1.0f);
    for (const bool isFlameFirst : {true, false}) {
        const auto file = write(
            "a.vdb", {grid("density", 1.0f), grid("temperature", 1500.0f), isFlameFirst ? flame : fuel, isFlameFirst ? fuel : flame});
        for (const bool shows : {false, true}) {
            const std::string scene = "[[initial]]\nshape = \"volume\"\nfile = \"" + file.string() + "\"\ntemperature = 1\nfuel = 1\n";
            const Settings s = parseScene(scene, "", {.shows = shows});
            EXPECT_EQ(valueOf(s.initial.at(0).volume.frames->at(0.0)->fuel), shows ? 0.25f : 1.0f) << isFlameFirst;
        }
    }
    EXPECT_FALSE(summary(write("a.vdb", {grid("density", 1.0f), grid("temperature", 1.0f), fuel, grid("flame", 0.0f)})).burns);
    // Where nothing burns, a program may leave out the flame, but not the fuel.
    write("s_0.vdb", {grid("density", 1.0f), grid("temperature", 300.0f), fuel});
    write("s_1.vdb", {grid("density", 1.0f), grid("temperature", 1500.0f), fuel, flame});
    const auto shown = openVolume({.file = scratch.path() / "s_%01d.vdb", .fps = 1.0f, .temperature = true, .fuel = true, .isShown = true});
    EXPECT_TRUE(shown->at(0.0)->fuel.empty());
    EXPECT_EQ(valueOf(shown->at(1.0)->fuel), 0.25f);
}

TEST_F(VolumeOthers, RatesMayBeFractions) {
    const std::string file = write("a.vdb", {grid("density", 1.0f)}).string();
    const Settings s = parseScene("[[initial]]\nshape = \"volume\"\nfps = \"30000/1001\"\ndensity = 1\nfile = \"" + file + "\"", "");
    EXPECT_EQ(s.initial.at(0).volume.fps, static_cast<float>(30000.0 / 1001.0));
}

TEST_F(VolumeOthers, TemperaturesAreKelvinOrShares) {
    const auto temperature = [&](float value, TemperatureUnit unit) {
        const auto file = write("a.vdb", {grid("temperature", value)});
        const auto frames = openVolume({.file = file, .density = false, .temperature = true, .ambient = 300.0f, .unit = unit});
        EXPECT_EQ(frames->notes().size(), unit == TemperatureUnit::Guess && value < 100.0f ? 1u : 0u);
        return valueOf(frames->at(0.0)->temperature);
    };
    EXPECT_EQ(temperature(1500.0f, TemperatureUnit::Guess), 1200.0f);
    EXPECT_EQ(temperature(1.5f, TemperatureUnit::Guess), 1200.0f);
    EXPECT_EQ(temperature(1.5f, TemperatureUnit::Share), 1200.0f);
    EXPECT_EQ(temperature(0.25f, TemperatureUnit::Share), 0.0f) << "a share below that of the air is air";
    EXPECT_EQ(temperature(250.0f, TemperatureUnit::Kelvin), -50.0f);
    EXPECT_EQ(temperature(20.0f, TemperatureUnit::Kelvin), -280.0f);
    // The first file with a temperature tells, and the message says so as a warning of the scene.
    write("s_0.vdb", {grid("temperature", 0.0f)});
    write("s_1.vdb", {grid("temperature", 2.0f)});
    Settings s;
    s.initial.resize(1);
    s.initial[0].volume.frames = openVolume({.file = scratch.path() / "s_%01d.vdb", .density = false, .temperature = true});
    const std::vector<Problem> warnings = sceneWarnings(s);
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_EQ(warnings[0].key, "initial[0].file");
    EXPECT_THAT(warnings[0].message, HasSubstr("s_1.vdb has no temperature above 2: temperatures are taken as shares of 1000 K"));
}

// Programs leave out grids that are empty.
TEST_F(VolumeOthers, AGridThatAFileLacksIsEmpty) {
    write("s_0.vdb", {grid("density", 1.0f)});
    write("s_1.vdb", {grid("density", 1.0f), grid("temperature", 1500.0f), grid("flame", 0.5f)});
    write("s_2.vdb", openvdb::GridPtrVec{});
    const VolumeRequest request{.file = scratch.path() / "s_%01d.vdb", .fps = 1.0f, .temperature = true, .fuel = true};
    const auto frames = openVolume(request);
    EXPECT_TRUE(frames->at(0.0)->temperature.empty());
    EXPECT_EQ(valueOf(frames->at(1.0)->fuel), 0.5f);
    EXPECT_TRUE(frames->at(2.0)->density.empty());
    EXPECT_TRUE(frames->notes().empty());
    write("t_0.vdb", {grid("temperature", 500.0f)});
    EXPECT_THROW(openVolume({.file = scratch.path() / "t_%01d.vdb"}), std::runtime_error) << "no file has a density";
    EXPECT_THROW(openVolume({.file = scratch.path() / "t_%01d.vdb", .density = false, .fuel = true}), std::runtime_error);
    EXPECT_THAT(notesOf({.file = scratch.path() / "t_0.vdb", .density = false, .temperature = true, .fuel = true}),
                ElementsAre(HasSubstr("t_0.vdb has no fuel and no flame (fuel, flame, flames, fire, burn, heat): only hot smoke")));
}

TEST_F(VolumeOthers, TheFirstOfSeveralGridsWithANameThatIsNotEmptyIsRead) {
    openvdb::initialize();
    auto empty = openvdb::FloatGrid::create(0.0f);
    empty->setName("Density");
    auto vectors = openvdb::Vec3SGrid::create();
    vectors->setName("vel");
    vectors->tree().setValueOn(openvdb::Coord(1, 2, 3), openvdb::Vec3s(3.0f, 0.0f, 4.0f));
    const auto mixed = openVolume({.file = write("b.vdb", {empty, grid("density", 0.5f), grid("vel", 1.0f), vectors}), .velocity = true});
    EXPECT_EQ(valueOf(mixed->at(0.0)->density), 0.5f);
    EXPECT_EQ(mixed->at(0.0)->velocity.fastest, 5.0f);
    EXPECT_THAT(mixed->notes(), ElementsAre(HasSubstr("b.vdb has 2 grids with the name density: only number 2 is read")));
    EXPECT_TRUE(openVolume({.file = write("b.vdb", {empty})})->at(0.0)->density.empty());
    const auto file = write("a.vdb", {grid("density", 0.25f), grid("density", 0.5f), grid("", 1.0f)});
    const auto frames = openVolume({.file = file});
    EXPECT_EQ(valueOf(frames->at(0.0)->density), 0.25f);
    EXPECT_THAT(frames->notes(), ElementsAre(HasSubstr("a.vdb has 2 grids with the name density: only number 1 is read")));
    try {
        openVolume({.file = write("a.vdb", {grid("", 1.0f)})});
        FAIL();
    } catch (const std::runtime_error& e) {
        EXPECT_STREQ(e.what(), "has no grid density, but only one without a name");
    }
}

// A grid that is not needed may have any type, place, transform or value.
TEST_F(VolumeOthers, OnlyGridsThatAreNeededRefuseAFile) {
    auto far = grid("far", 1.0f, {1 << 28, 0, 0});
    auto large = grid("large", 1.0f);
    large->setTransform(openvdb::math::Transform::createLinearTransform(1e9));
    auto mask = openvdb::BoolGrid::create();
    mask->setName("mask");
    mask->tree().setValueOn(openvdb::Coord(0), true);
    const auto file = write("a.vdb", {grid("density", 0.5f), far, large, mask, grid("temperature", NAN)});
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    std::string bytes = text.str();
    const std::size_t type = bytes.find("Tree_bool_5_4_3");
    ASSERT_NE(type, std::string::npos);
    bytes.replace(type, 15, "Tree_half_5_4_3");  // which this version of OpenVDB does not know
    std::ofstream(file, std::ios::binary) << bytes;
    EXPECT_EQ(valueOf(openVolume({.file = file})->at(0.0)->density), 0.5f);
    EXPECT_THROW(openVolume({.file = file, .temperature = true}), std::runtime_error);
}

TEST_F(VolumeOthers, VelocitiesHaveOtherNamesOrThreeGrids) {
    const auto velocity = [&](const openvdb::GridPtrVec& grids) {
        openvdb::GridPtrVec all{grid("density", 1.0f)};
        all.insert(all.end(), grids.begin(), grids.end());
        const auto frames = openVolume({.file = write("a.vdb", all), .velocity = true});
        const auto data = frames->at(0.0);
        EXPECT_EQ(frames->hasVelocity(), !data->velocity.empty());
        if (data->velocity.empty()) return glm::vec3(NAN);
        const auto& block = data->velocity.blocks.front();
        constexpr std::size_t kPoint = (1 * 8 + 2) * 8 + 3;
        EXPECT_EQ(block.known[kPoint / 32], 1u << kPoint % 32);
        EXPECT_EQ(data->velocity.fastest, 5.0f);
        return block.values[kPoint];
    };
    for (const char* name : {"vel", "velocity", "v", "Velocity"}) {
        auto vectors = openvdb::Vec3SGrid::create();
        vectors->setName(name);
        vectors->tree().setValueOn(openvdb::Coord(1, 2, 3), openvdb::Vec3s(3.0f, 0.0f, 4.0f));
        EXPECT_EQ(velocity({vectors}), glm::vec3(3.0f, 0.0f, 4.0f)) << name;
    }
    for (const std::string name : {"vel", "v"})
        EXPECT_EQ(velocity({grid(name + ".x", 3.0f), grid(name + ".y", 0.0f), grid(name + ".z", 4.0f)}), glm::vec3(3.0f, 0.0f, 4.0f));
    auto shifted = grid("vel.y", 0.0f);
    shifted->setTransform(openvdb::math::Transform::createLinearTransform(0.5));
    EXPECT_TRUE(std::isnan(velocity({grid("vel.x", 3.0f), shifted, grid("vel.z", 4.0f)}).x));
}

// Houdini's face-sampled fields: 4 x 3 x 5 voxels of 0.5 m, whose components are at their faces. The velocity is linear along each axis, so
// means of faces are its values at the centres. A program that divides sizes by numbers of voxels gets edges that differ by a rounding.
TEST_F(VolumeOthers, ThreeGridsAtFacesAreMovedToCentres) {
    openvdb::initialize();
    const glm::ivec3 size(4, 3, 5), first(5, -2, 7);
    openvdb::GridPtrVec grids{grid("density", 1.0f)};
    for (int axis = 0; axis < 3; ++axis) {
        auto component = openvdb::FloatGrid::create(0.0f);
        component->setName(std::string("vel.") + "xyz"[axis]);
        auto transform = openvdb::math::Transform::createLinearTransform(axis == 1 ? double{std::nextafter(0.5f, 1.0f)} : 0.5);
        openvdb::Vec3d shift(0.25);
        shift[axis] -= 0.25;
        transform->postTranslate(shift);
        component->setTransform(transform);
        glm::ivec3 count = size;
        ++count[axis];
        for (int n = 0; n < count.x * count.y * count.z; ++n) {
            const glm::ivec3 c = first + glm::ivec3(n % count.x, n / count.x % count.y, n / count.x / count.y);
            component->tree().setValueOn(openvdb::Coord(c.x, c.y, c.z), static_cast<float>(c[axis] * (axis + 1)));
        }
        grids.push_back(component);
    }
    const auto data = openVolume({.file = write("a.vdb", grids), .velocity = true})->at(0.0);
    EXPECT_EQ(data->velocity.toWorld[3], glm::dvec4(0.25, 0.25, 0.25, 1.0)) << "of the centres";
    int found = 0;
    for (const VolumeVelocity::Block& b : data->velocity.blocks)
        for (int n = 0; n < 512; ++n) {
            const glm::ivec3 c = b.corner + glm::ivec3(n / 64, n / 8 % 8, n % 8);
            const bool isKnown = (b.known[static_cast<std::size_t>(n / 32)] >> n % 32 & 1u) != 0;
            EXPECT_EQ(isKnown, glm::all(glm::greaterThanEqual(c, first)) && glm::all(glm::lessThan(c, first + size)));
            const glm::vec3 value = b.values[static_cast<std::size_t>(n)];
            EXPECT_EQ(value, isKnown ? (glm::vec3(c) + 0.5f) * glm::vec3(1.0f, 2.0f, 3.0f) : glm::vec3(0.0f));
            found += isKnown ? 1 : 0;
        }
    EXPECT_EQ(found, size.x * size.y * size.z);
}

// OpenVDB's own sampler is the reference. Houdini and others write velocities so; faces that a block shares with the next one are among
// them.
TEST_F(VolumeOthers, StaggeredVelocitiesAreMovedToCentres) {
    openvdb::initialize();
    auto vectors = openvdb::Vec3SGrid::create();
    vectors->setName("vel");
    std::mt19937 generator(5);
    const auto number = [&] { return static_cast<float>(generator() % 64) / 16.0f; };
    for (int x = 4; x < 12; ++x)
        for (int y = -3; y < 4; ++y)
            for (int z = 0; z < 10; ++z) vectors->tree().setValueOn(openvdb::Coord(x, y, z), openvdb::Vec3s(number(), number(), number()));
    for (const bool staggered : {false, true}) {
        vectors->setGridClass(staggered ? openvdb::GRID_STAGGERED : openvdb::GRID_UNKNOWN);
        const auto data = openVolume({.file = write("a.vdb", {grid("density", 1.0f), vectors}), .velocity = true})->at(0.0);
        std::size_t found = 0;
        for (const VolumeVelocity::Block& b : data->velocity.blocks)
            for (int n = 0; n < 512; ++n) {
                const glm::ivec3 c = b.corner + glm::ivec3(n / 64, n / 8 % 8, n % 8);
                if ((b.known[static_cast<std::size_t>(n / 32)] >> n % 32 & 1u) == 0) continue;
                ++found;
                const glm::vec3 value = b.values[static_cast<std::size_t>(n)];
                openvdb::Vec3s expected = vectors->tree().getValue({c.x, c.y, c.z});
                if (staggered) {
                    const openvdb::Vec3s own = expected;
                    openvdb::tools::StaggeredBoxSampler::sample(vectors->tree(), openvdb::Vec3R(c.x, c.y, c.z), expected);
                    const glm::ivec3 last(11, 3, 9);  // has no upper face: that of the lower one
                    for (int axis = 0; axis < 3; ++axis)
                        if (c[axis] == last[axis]) expected[axis] = own[axis];
                }
                // Multiples of 1/16, whose means are exact.
                EXPECT_EQ(value, glm::vec3(expected.x(), expected.y(), expected.z())) << c.x << ' ' << c.y << ' ' << c.z;
            }
        EXPECT_EQ(found, 8u * 7 * 10);
    }
}

// Packages from version 32.7 on begin files with "NanoVDB2" and grids with "NanoVDB1". All else is as before.
TEST_F(VolumeOthers, NanoVdbWithNewMagicNumbers) {
    std::ifstream in(std::filesystem::path(test::sourceFolder()) / "tests/unit/volumes/double.nvdb", std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    std::string bytes = text.str();
    // The head of the file, that of its grid with the size in memory and in the file, the name of the grid, and the grid: a number and a
    // stream of zlib. This unpacks it.
    constexpr std::size_t kHead = 16, kMeta = 176, kCodecOfHead = 14, kCodecOfMeta = kHead + 168, kNameSize = kHead + 136;
    std::uint32_t nameSize = 0;
    std::uint64_t size = 0;
    std::memcpy(&nameSize, &bytes[kNameSize], sizeof nameSize);
    std::memcpy(&size, &bytes[kHead], sizeof size);
    const std::size_t grid = kHead + kMeta + nameSize;
    std::string unpacked(size, '\0');
    const std::string packed = bytes.substr(grid + 8);
    uLongf length = size;
    ASSERT_EQ(
        ::uncompress(reinterpret_cast<Bytef*>(unpacked.data()), &length, reinterpret_cast<const Bytef*>(packed.data()), packed.size()),
        Z_OK);
    bytes[kCodecOfHead] = bytes[kCodecOfMeta] = 0;
    std::memcpy(&bytes[kHead + 8], &size, sizeof size);
    ASSERT_TRUE(unpacked.starts_with("NanoVDB0"));
    unpacked[7] = '1';
    bytes = bytes.substr(0, grid) + unpacked;
    bytes[7] = '2';
    const auto write = [&](const std::string& content) {
        std::ofstream(scratch.path() / "a.nvdb", std::ios::binary) << content;
        return scratch.path() / "a.nvdb";
    };
    EXPECT_NEAR(valueOf(openVolume({.file = write(bytes)})->at(0.0)->density, {5, 0, 1}), 0.59f, 1e-6f);
    try {
        openVolume({.file = write(unpacked)});
        FAIL();
    } catch (const std::runtime_error& e) {
        EXPECT_THAT(e.what(), HasSubstr("is a NanoVDB grid without the head of a file"));
    }
}

// A block of the file spans from `low` to `high`, of which n bits keep the nearest of 2^n values. Blocks of the file also have voxels that
// are not active, with the value 0. That of FpN was made with an error of at most 0.02.
TEST_F(VolumeOthers, QuantizedNanoVdbAndDoubles) {
    for (const auto& [name, error] :
         {std::pair("fp4", 0.5 / 15), {"fp8", 0.5 / 255}, {"fp16", 0.5 / 65535}, {"fpn", 0.02}, {"double", 0.0}}) {
        const auto file = std::filesystem::path(test::sourceFolder()) / "tests/unit/volumes" / (std::string(name) + ".nvdb");
        const VolumeLattice lattice = openVolume({.file = file})->at(0.0)->density;
        std::size_t blocks = 0;
        for (int x = 5; x < 14; ++x)
            for (int y = 0; y < 5; ++y)
                for (int z = 1; z < 8; ++z) {
                    const double value = 0.5 + 0.01 * x + 0.02 * y + 0.04 * z;
                    // Values are from 0 to 1, and so are those of codes; 1e-7 is a rounding of floats.
                    ASSERT_NEAR(double(valueOf(lattice, {x, y, z})), value, error + 1e-7) << name << x << y << z;
                }
        for (const VolumeLattice::Block& b : lattice.blocks) {
            blocks++;
            const bool isTile = b.corner == glm::ivec3(16, 0, 0);
            EXPECT_TRUE(!isTile || b.values[511] == 0.25f) << name;
        }
        EXPECT_EQ(blocks, 3u) << name;
        EXPECT_EQ(valueOf(lattice, {4, 0, 1}), 0.0f) << name << ": not active";
    }
}

}  // namespace
}  // namespace wisp::app
