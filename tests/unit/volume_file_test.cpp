// SPDX-License-Identifier: MIT
// Reading of volume files: those of wisp, those that OpenVDB writes, and bad ones.
#include "files/scene/volume_file.h"
#include "compute/scene/mesh_report.h"
#include "files/scene/mesh_file.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/source_folder.h"
#include "tests/support/vdb_file.h"
#include "tests/unit/volume_model.h"

#include <glm/geometric.hpp>
#include <gmock/gmock.h>
#include <nanovdb/NanoVDB.h>
#include <openvdb/io/File.h>
#include <openvdb/openvdb.h>
#include <zlib.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <random>
#include <tuple>

namespace wisp::app {
namespace {

using test::VolumeModel;
using testing::HasSubstr;

class VolumeRead : public testing::Test {
protected:
    std::filesystem::path write(const std::string& name, const std::string& bytes) {
        std::ofstream(scratch.path() / name, std::ios::binary) << bytes;
        return scratch.path() / name;
    }
    std::filesystem::path write(const std::string& name, const openvdb::GridPtrVec& grids) {
        return test::writeVdb(scratch.path() / name, grids);
    }
    /// Files that OpenVDB wrote, by code that takes half a minute to compile: grids of doubles, createLevelSetSphere, openToNanoVDB.
    static std::filesystem::path written(const std::string& name) {
        return std::filesystem::path(test::sourceFolder()) / "tests/unit/volumes" / name;
    }
    /// A float grid `density` with one active voxel.
    static openvdb::FloatGrid::Ptr smallGrid() {
        openvdb::initialize();
        auto grid = openvdb::FloatGrid::create(0.0f);
        grid->setName("density");
        grid->setGridClass(openvdb::GRID_FOG_VOLUME);
        grid->tree().setValue(openvdb::Coord(1, 2, 3), 0.5f);
        return grid;
    }
    /// All values that are not 0.
    using Values = std::map<std::tuple<int, int, int>, float>;
    static Values valuesOf(const VolumeLattice& lattice) {
        Values values;
        for (const VolumeLattice::Block& b : lattice.blocks)
            for (int n = 0; n < 512; ++n)
                if (b.values[static_cast<std::size_t>(n)] != 0.0f) {
                    const glm::ivec3 c = b.corner + glm::ivec3(n / 64, n / 8 % 8, n % 8);
                    EXPECT_TRUE(values.emplace(std::tuple(c.x, c.y, c.z), b.values[static_cast<std::size_t>(n)]).second);
                }
        return values;
    }
    static void expectVelocity(const VolumeModel& model, const VolumeVelocity& velocity) {
        std::map<std::tuple<int, int, int>, glm::vec3> known;
        for (const VolumeVelocity::Block& b : velocity.blocks)
            for (int n = 0; n < 512; ++n) {
                const glm::ivec3 c = b.corner + glm::ivec3(n / 64, n / 8 % 8, n % 8);
                const glm::vec3 u = b.values[static_cast<std::size_t>(n)];
                if ((b.known[static_cast<std::size_t>(n / 32)] >> n % 32 & 1u) != 0u) known[{c.x, c.y, c.z}] = u;
                else EXPECT_EQ(u, glm::vec3(0.0f));
            }
        float fastest = 0.0f;
        model.forCells<glm::vec3>(VolumeField::Velocity, [&](glm::ivec3 c, std::optional<glm::vec3> value) {
            const auto found = known.find({c.x, c.y, c.z});
            ASSERT_EQ(found != known.end(), value.has_value());
            if (!value) return;
            fastest = std::max(fastest, glm::length(*value));
            EXPECT_EQ(found->second, *value);
            known.erase(found);
        });
        EXPECT_TRUE(known.empty());
        EXPECT_NEAR(velocity.fastest, fastest, 1e-5f * fastest);
        EXPECT_NEAR(velocity.toWorld[0][0], 0.125, 1e-12);
        EXPECT_NEAR(velocity.toWorld[3][0], -3.0 + 0.0625, 1e-12);
    }
    static const VolumeGridHead& gridOf(const VolumeHead& head, const std::string& name) {
        return *std::ranges::find(head.grids, name, &VolumeGridHead::name);
    }
    static VolumeLattice latticeOf(const std::filesystem::path& file, const std::string& name) {
        return readVolumeLattice(file, gridOf(readVolumeHead(file), name));
    }
    /// The error of opening the file as smoke, or of reading it at t = 0.
    static std::string problemOf(const std::filesystem::path& file) {
        try {
            openVolume({.file = file})->at(0.0);
        } catch (const std::runtime_error& e) {
            return e.what();
        }
        return "";
    }
    test::ScratchFolder scratch;
};

TEST_F(VolumeRead, FilesOfWispHaveWhatWasWritten) {
    for (const bool upIsZ : {false, true})
        for (const VolumeKind kind : {VolumeKind::OpenVdb, VolumeKind::NanoVdb}) {
            VolumeModel model({20, 9, 13}, Precision::Half, 2, true);
            model.volume.choice.upIsZ = upIsZ;
            const auto file = write(kind == VolumeKind::OpenVdb ? "a.vdb" : "a.nvdb", encodeVolume(kind, model.volume));
            const VolumeHead head = readVolumeHead(file);
            EXPECT_EQ(head.fps.value_or(0.0f), kind == VolumeKind::OpenVdb ? 24.0f : 0.0f);
            EXPECT_EQ(gridOf(head, "vel").isFloat, false);
            for (const VolumeField f : {VolumeField::Density, VolumeField::Temperature, VolumeField::Flame}) {
                const std::string name = kVolumeFields[static_cast<std::size_t>(f)];
                const VolumeLattice lattice = readVolumeLattice(file, gridOf(head, name));
                Values expected;
                model.forCells<float>(f, [&](glm::ivec3 c, std::optional<float> value) {
                    if (value) expected[{c.x, c.y, c.z}] = *value;
                });
                EXPECT_EQ(valuesOf(lattice), expected) << name;
                EXPECT_EQ(gridOf(head, name).activeVoxels, expected.size());
                // The centre of the first cell, and a cell further along each axis.
                const double h = 0.0625;
                const glm::dvec3 low(-3.0 + h / 2, 0.5 + h / 2, 2.25 + h / 2);
                const glm::dvec3 first = upIsZ ? glm::dvec3(low.x, -(low.z + 25 * h), low.y) : low;
                for (int axis = 0; axis < 3; ++axis) {
                    EXPECT_NEAR(lattice.toWorld[3][axis], first[axis], 1e-12);
                    EXPECT_NEAR(lattice.toWorld[axis][axis], h, 1e-12);
                }
            }
            expectVelocity(model, readVolumeVelocity(file, {&gridOf(head, "vel")}));
        }
}

// Cells without smoke are as warm as the air, although files do not store their temperature.
TEST_F(VolumeRead, TemperaturesAreAboveThatOfTheAir) {
    const VolumeModel model({20, 9, 13}, Precision::Float, 1);
    const auto file = write("a.vdb", encodeVolume(VolumeKind::OpenVdb, model.volume));
    const auto data = openVolume({.file = file, .temperature = true, .ambient = model.volume.ambient})->at(0.0);
    Values expected;
    model.forCells<float>(VolumeField::Temperature, [&](glm::ivec3 c, std::optional<float> value) {
        if (value && *value != model.volume.ambient) expected[{c.x, c.y, c.z}] = *value - model.volume.ambient;
    });
    EXPECT_FALSE(expected.empty());
    EXPECT_EQ(valuesOf(data->temperature), expected);
}

TEST_F(VolumeRead, AnyTransformTilesAndDoubles) {
    openvdb::initialize();
    openvdb::io::File theirFile(written("doubles.vdb").string());  // a voxel, and two tiles
    theirFile.open();
    const openvdb::GridBase::Ptr grid = theirFile.readGrid("density");
    EXPECT_EQ(grid->valueType(), "double");
    EXPECT_EQ(grid->baseTree().activeTileCount(), 2u);
    const VolumeLattice lattice = latticeOf(written("doubles.vdb"), "density");
    Values expected{{{-5, 3, 100}, 2.0f}};
    for (int x = 128; x < 144; ++x)
        for (int y = 0; y < 8; ++y)
            for (int z = 0; z < 8; ++z) expected[{x, y, z}] = 0.5f;
    EXPECT_EQ(valuesOf(lattice), expected);
    for (const glm::ivec3 c : {glm::ivec3(0), glm::ivec3(7, -3, 11)}) {
        const openvdb::Vec3d theirs = grid->transform().indexToWorld(openvdb::Coord(c.x, c.y, c.z));
        const glm::dvec3 ours(lattice.toWorld * glm::dvec4(c, 1.0));
        for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(ours[axis], theirs[axis], 1e-12);
    }
}

TEST_F(VolumeRead, BadFilesAreRefused) {
    EXPECT_THAT(problemOf(scratch.path() / "none.vdb"), HasSubstr("does not exist"));
    EXPECT_THAT(problemOf(scratch.path() / "none.obj"), HasSubstr("must be a .vdb or .nvdb file"));
    EXPECT_THAT(problemOf(write("text.vdb", "not a volume at all, but long enough for a head")), HasSubstr("VDB"));
    EXPECT_THAT(problemOf(write("text.nvdb", "not a volume at all, but long enough for a head")), HasSubstr("is not a NanoVDB file"));
    auto grid = smallGrid();
    grid->setName("smoke");
    EXPECT_THAT(problemOf(write("name.vdb", {grid})), HasSubstr("has no grid density, but only smoke"));
    auto vector = openvdb::Vec3SGrid::create();
    vector->setName("density");
    EXPECT_THAT(problemOf(write("vector.vdb", {vector})), HasSubstr("density: has values of type vec3s, must be float"));
    grid = smallGrid();
    grid->setGridClass(openvdb::GRID_LEVEL_SET);
    EXPECT_THAT(problemOf(write("level.vdb", {grid})), HasSubstr("is a level set, must be a fog volume"));
    grid = smallGrid();
    grid->tree().setValue(openvdb::Coord(4, 4, 4), std::numeric_limits<float>::quiet_NaN());
    EXPECT_THAT(problemOf(write("nan.vdb", {grid})), HasSubstr("density: has a value that is not finite"));
    grid = smallGrid();
    grid->fill(openvdb::CoordBBox(openvdb::Coord(0), openvdb::Coord(1439)), 1.0f);  // three thousand million voxels in tiles
    EXPECT_THAT(problemOf(write("large.vdb", {grid})), HasSubstr("has 2985984000 active voxels, which need 11.1 GiB; at most"));
    grid = smallGrid();
    grid->tree().setValue(openvdb::Coord(1 << 28, 0, 0), 1.0f);
    EXPECT_THAT(problemOf(write("far.vdb", {grid})), HasSubstr("density: its voxels have indices from 1 to 268435456 along x"));
    grid = smallGrid();
    grid->setTransform(openvdb::math::Transform::createLinearTransform(1e12));
    EXPECT_THAT(problemOf(write("size.vdb", {grid})), HasSubstr("its voxels have an edge of 1e+12 m"));
    grid = smallGrid();
    openvdb::math::Transform::Ptr transform = openvdb::math::Transform::createLinearTransform(0.1);
    transform->postTranslate(openvdb::Vec3d(0.0, 1e9, 0.0));
    grid->setTransform(transform);
    EXPECT_THAT(problemOf(write("away.vdb", {grid})), HasSubstr("its origin is at 1e+09 m"));
    grid = smallGrid();
    grid->setTransform(openvdb::math::Transform::createFrustumTransform(openvdb::BBoxd(openvdb::Vec3d(0), openvdb::Vec3d(10)), 0.5, 3.0));
    EXPECT_THAT(problemOf(write("frustum.vdb", {grid})), HasSubstr("the transform is not linear"));
}

// Other programs leave nodes without active voxels. They are outside of the bounds of the file.
TEST_F(VolumeRead, NodesWithoutActiveVoxelsAreLeftOut) {
    auto grid = smallGrid();
    grid->tree().setValueOff(openvdb::Coord(100, 0, 0), 0.25f);
    for (const auto& file : {write("a.vdb", {grid}), written("empty_node.nvdb")})
        EXPECT_EQ(valuesOf(latticeOf(file, "density")), (Values{{{1, 2, 3}, 0.5f}})) << file;
}

// A tile of a few bytes stands for many voxels: a file may have no more than its head says.
TEST_F(VolumeRead, TilesOfNanoVdbAreCounted) {
    auto grid = smallGrid();
    grid->fill(openvdb::CoordBBox(openvdb::Coord(8, 0, 0), openvdb::Coord(23, 7, 7)), 0.25f);
    EXPECT_EQ(grid->tree().activeTileCount(), 2u);
    const auto file = scratch.path() / "a.nvdb";
    std::filesystem::copy_file(written("tiles.nvdb"), file);
    EXPECT_EQ(valuesOf(latticeOf(write("a.vdb", {grid}), "density")).size(), 1025u);
    EXPECT_EQ(valuesOf(latticeOf(file, "density")).size(), 1025u);
    std::fstream(file, std::ios::binary | std::ios::in | std::ios::out).seekp(16 + 24).write("\xff\x03\0\0\0\0\0\0", 8);  // 1023 voxels
    EXPECT_THAT(problemOf(file), HasSubstr("has more voxels than it says"));
}

// A velocity is only read if it is wanted.
TEST_F(VolumeRead, BadVelocitiesAreRefused) {
    const auto problem = [&](const openvdb::GridBase::Ptr& velocity) -> std::string {
        velocity->setName("vel");
        const auto file = write("a.vdb", {smallGrid(), velocity});
        EXPECT_EQ(problemOf(file), "");
        try {
            const auto data = openVolume({.file = file, .velocity = true})->at(0.0);
            return data->velocity.empty() ? "empty" : "";
        } catch (const std::runtime_error& e) {
            return e.what();
        }
    };
    const auto small = [] {
        auto grid = openvdb::Vec3SGrid::create();
        grid->tree().setValue(openvdb::Coord(1, 2, 3), openvdb::Vec3s(3.0f, 4.0f, 12.0f));
        return grid;
    };
    EXPECT_EQ(problem(small()), "");
    EXPECT_EQ(problem(openvdb::Vec3SGrid::create()), "empty");
    EXPECT_FALSE(openVolume({.file = written("doubles.vdb"), .velocity = true})->at(0.0)->velocity.empty());  // a tile
    EXPECT_EQ(problem(openvdb::GridBase::createGrid("Tree_vec3i_5_4_3")), "vel: has values of type vec3i, must be vectors of floats");
    EXPECT_EQ(problem(openvdb::FloatGrid::create()), "vel: has values of type float, must be vectors of floats");
    auto bad = small();
    bad->tree().setValue(openvdb::Coord(0), openvdb::Vec3s(0.0f, std::numeric_limits<float>::infinity(), 0.0f));
    EXPECT_THAT(problem(bad), HasSubstr("vel: has a value that is not finite"));
    bad = small();
    bad->fill(openvdb::CoordBBox(openvdb::Coord(0), openvdb::Coord(1439)), openvdb::Vec3s(1.0f));
    EXPECT_THAT(problem(bad), HasSubstr("vel: has 2985984000 active voxels, which need 33.4 GiB; at most 536870912 are allowed"));
    bad = small();
    bad->setTransform(openvdb::math::Transform::createFrustumTransform(openvdb::BBoxd(openvdb::Vec3d(0), openvdb::Vec3d(10)), 0.5, 3.0));
    EXPECT_THAT(problem(bad), HasSubstr("vel: the transform is not linear"));
}

// Memory is that of the file with the most voxels.
TEST_F(VolumeRead, TheLargestFrameIsKnown) {
    for (int n = 0; n < 3; ++n) {
        auto grid = smallGrid();
        auto velocity = openvdb::Vec3SGrid::create();
        velocity->setName("vel");
        if (n == 1) {
            for (const int x : {20, 40}) grid->tree().setValue(openvdb::Coord(x, 0, 0), 1.0f);
            velocity->tree().setValue(openvdb::Coord(0), openvdb::Vec3s(1.0f));
        }
        write("s_" + std::to_string(n) + ".vdb", {grid, velocity});
    }
    const auto frames = openVolume({.file = scratch.path() / "s_%01d.vdb", .velocity = true});
    const VolumeRoom room = frames->room();
    EXPECT_EQ(room.blocks, 3u);
    EXPECT_EQ(room.table, 6u);  // from x = 0 to 47
    EXPECT_EQ(room.velocityBlocks, 1u);
    EXPECT_EQ(room.velocityTable, 1u);
}

/// Cut at any length, and with any byte changed, a file is read or refused.
TEST_F(VolumeRead, DamagedNanoVdbFilesDoNoHarm) {
    VolumeModel model({9, 5, 7}, Precision::Half, 1, true);
    const std::string good = encodeVolume(VolumeKind::NanoVdb, model.volume);
    const auto use = [&](const std::string& bytes) { return problemOf(write("damaged.nvdb", bytes)); };
    EXPECT_EQ(use(good), "");
    std::mt19937 generator(5);
    for (std::size_t n = 0; n < 60; ++n) EXPECT_NE(use(good.substr(0, n * good.size() / 60)), "") << n;
    for (std::size_t n = 0; n < 400; ++n) {
        std::string bytes = good;
        const std::size_t at = n < 200 ? n * 4 : generator() % bytes.size();
        bytes[at] = static_cast<char>(generator());
        use(bytes);
    }
}

/// The first grid of a file of wisp, stored without compression: its head of 16 bytes, the 176 bytes about the grid, its name, the grid.
std::string uncompressed(const std::string& file) {
    const auto wordAt = [&](std::size_t at) {
        std::uint64_t word = 0;
        std::memcpy(&word, file.data() + at, sizeof word);
        return word;
    };
    constexpr std::size_t kHead = 16, kMeta = 176, kCodec = 168;
    std::string result = file.substr(0, kHead + kMeta + 8);  // "density" and its 0
    std::size_t body = kHead;
    for (int grid = 0; grid < static_cast<int>(static_cast<unsigned char>(file[12])); ++grid)
        body += kMeta + static_cast<std::uint32_t>(wordAt(body + 136));
    std::string grid(wordAt(kHead), '\0');
    uLongf size = grid.size();
    EXPECT_EQ(
        uncompress(reinterpret_cast<Bytef*>(grid.data()), &size, reinterpret_cast<const Bytef*>(file.data() + body + 8), wordAt(body)),
        Z_OK);
    result[12] = 1;              // grids
    result[kHead + kCodec] = 0;  // none
    const std::uint64_t bytes = grid.size();
    std::memcpy(result.data() + kHead + 8, &bytes, sizeof bytes);
    return result + grid;
}

// The nodes of a tree must be in the file.
TEST_F(VolumeRead, NumbersOfNodesAreChecked) {
    VolumeModel model({9, 5, 7}, Precision::Half, 1, true);
    const std::string good = uncompressed(encodeVolume(VolumeKind::NanoVdb, model.volume));
    EXPECT_EQ(problemOf(write("a.nvdb", good)), "");
    const std::size_t tree = 16 + 176 + 8 + sizeof(nanovdb::GridData);
    // Of three levels: nodes 4 MB further, and 256 more.
    for (const std::size_t at : {tree + 2, tree + 10, tree + 18, tree + 33, tree + 37, tree + 41}) {
        std::string bytes = good;
        bytes[at] = at < tree + 32 ? 64 : 1;
        EXPECT_THAT(problemOf(write("a.nvdb", bytes)), HasSubstr("is cut short or damaged")) << at - tree;
    }
}

TEST_F(VolumeRead, VdbFilesThatAreCutShortAreRefused) {
    VolumeModel model({9, 5, 7}, Precision::Half, 1, true);
    const std::string good = encodeVolume(VolumeKind::OpenVdb, model.volume);
    EXPECT_EQ(problemOf(write("a.vdb", good)), "");
    for (std::size_t n = 0; n < 60; ++n) EXPECT_NE(problemOf(write("a.vdb", good.substr(0, n * good.size() / 60))), "") << n;
}

// Dual contouring of a distance that is known at points h apart. Where edges cross the sphere, linear interpolation is off by h^2 / (8 R).
// A vertex is the mean of such points of a cell, at most half its diagonal away: it lies inside by 3 h^2 / (8 R).
TEST_F(VolumeRead, TheSurfaceOfALevelSetIsAClosedMesh) {
    constexpr double kRadius = 0.4, kVoxel = 0.04;
    // The fog is 1/2 - distance / (4 voxels), from 0 to 1. One point of the grids lies on the surface.
    for (const char* name : {"surface.vdb", "density.vdb", "surface.nvdb", "density.nvdb"}) {
        const Mesh mesh = readMesh(written(name));
        EXPECT_EQ(leakProblem(inspectMesh(mesh, 0.0)), "");
        for (const glm::vec3 p : mesh.positions)
            ASSERT_NEAR(glm::distance(p, glm::vec3(1.0f, -2.0f, 0.48f)), kRadius, kVoxel * kVoxel / (2.0 * kRadius) + 1e-5) << name;
        EXPECT_GT(mesh.triangles.size(), 500u);
    }
    EXPECT_THROW(readMesh(write("none.vdb", {openvdb::Vec3SGrid::create()})), std::runtime_error);
}

TEST_F(VolumeRead, SequencesRunInTime) {
    const auto pattern = scratch.path() / "s_%03d.vdb";
    EXPECT_THAT(problemOf(pattern), HasSubstr("no file has a name like this"));
    for (int n = 7; n < 10; ++n) {
        auto grid = smallGrid();
        grid->tree().setValue(openvdb::Coord(0), static_cast<float>(n));
        write("s_00" + std::to_string(n) + ".vdb", {grid});
    }
    write("s_7.vdb", {smallGrid()});  // has another name
    const auto frames = openVolume({.file = pattern, .fps = 10.0f});
    const auto at = [&](double time) {
        const auto data = frames->at(time);
        return data ? valuesOf(data->density)[{0, 0, 0}] : 0.0f;
    };
    EXPECT_EQ(at(-0.05), 0.0f);
    EXPECT_EQ(at(0.0), 7.0f);
    EXPECT_EQ(at(0.095), 7.0f);
    EXPECT_EQ(at(0.1), 8.0f);
    EXPECT_EQ(at(0.25), 9.0f);
    EXPECT_EQ(at(0.3), 0.0f);
    EXPECT_EQ(at(0.15), 8.0f);
    std::filesystem::remove(scratch.path() / "s_008.vdb");
    EXPECT_THAT(problemOf(pattern), HasSubstr("s_008.vdb is missing"));
    write("s_008.vdb", std::string("no volume"));
    EXPECT_THAT(problemOf(pattern), HasSubstr("s_008.vdb: "));
}

}  // namespace
}  // namespace wisp::app
