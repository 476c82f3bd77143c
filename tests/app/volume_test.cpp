// SPDX-License-Identifier: MIT
// Volumes of the real binary against results of the library and known results of simple scenes.
#include "compute/sim/fluid_simulator.h"
#include "compute/sim/shaders.h"
#include "files/scene/scene.h"
#include "tests/app/run_program.h"
#include "tests/support/exr_file.h"
#include "tests/support/gpu_test.h"
#include "tests/support/nanovdb_file.h"

#include <glm/gtc/packing.hpp>
#include <gmock/gmock.h>

#include <cmath>
#include <fstream>

namespace wisp::test {
namespace {

using nanovdb::Coord;
using nanovdb::Vec3f;
using testing::ElementsAre;
using testing::HasSubstr;

/// All fields that a volume may contain, on a grid of odd sizes.
constexpr const char* kBusy = R"(
[grid]
cells = [18, 13, 9]
scalar_ratio = 2
pressure_ratio = 1
size = [2.25, 1.625, 1.125]
origin = [-1.0, 0.25, 0.5]
[flow]
buoyancy = 0.02
[[emitter]]
centre = [-0.5, 0.7, 1.0]
radius = 0.25
velocity = [0.8, 0.5, 0.1]
density = 1.0
temperature = 80.0
[[obstacle]]
centre = [0.3, 1.0, 1.0]
radius = 0.3
velocity = [0.2, 0.0, 0.0]
[render]
size = [16, 16]
)";

/// Air at rest in a closed box, with a box of smoke of 3x2x4 cells of 1/8 m.
constexpr const char* kStill = R"(
[grid]
cells = [16, 8, 8]
pressure_ratio = 1
size = [2.0, 1.0, 1.0]
origin = [0.5, -0.25, 1.0]
[time]
step = 0.0625
[flow]
density_decay = 0.0
[[initial]]
shape = "box"
min = [1.0, 0.125, 1.25]
max = [1.375, 0.375, 1.75]
density = 0.75
[render]
size = [16, 16]
)";

class VolumeFiles : public GpuTest {
protected:
    void SetUp() override {
        GpuTest::SetUp();
        std::ofstream(scratch.path() / "busy.toml") << kBusy;
        std::ofstream(scratch.path() / "still.toml") << kStill;
    }
    Outcome wisp(const std::string& arguments) { return runShell(WISP_BINARY " " + arguments, scratch.path()); }
    /// Requires that the run succeeds; returns its output.
    std::string good(const std::string& arguments) {
        const Outcome o = wisp("render " + arguments + " --log-level quiet");
        EXPECT_EQ(o.status, 0) << arguments << "\n" << o.output << o.errors;
        return o.output;
    }
    [[nodiscard]] std::string file(const std::string& name) const { return readFile(scratch.path() / name); }
    ScratchFolder scratch;
};

/// Fields after some steps, computed by the library.
struct FieldsOfScene {
    GridSettings grid;
    std::vector<float> faces, scalars, aperture;  ///< rgba, rg and rgba
    [[nodiscard]] std::size_t face(int x, int y, int z) const {
        const glm::ivec3 size = glm::ivec3(grid.cells) + 1;
        return 4 * static_cast<std::size_t>((z * size.y + y) * size.x + x);
    }
    /// The mean of a cell's two faces along each axis.
    [[nodiscard]] glm::vec3 velocity(int x, int y, int z) const {
        return 0.5f * glm::vec3(faces[face(x, y, z)] + faces[face(x + 1, y, z)], faces[face(x, y, z) + 1] + faces[face(x, y + 1, z) + 1],
                                faces[face(x, y, z) + 2] + faces[face(x, y, z + 1) + 2]);
    }
};

FieldsOfScene fieldsOf(engine::Device& device, const Settings& settings, int steps,
                       const std::function<std::vector<float>(const engine::Image&)>& download) {
    const PooledLibrary shaders = pooledLibrary(device, embeddedShaders(), shaderOptions(settings));
    FluidSimulator simulator(device, settings);
    {
        engine::Recorder rec(device, *shaders, {.timing = engine::Timing::Off});
        rec.begin();
        simulator.reset(rec);
        for (int i = 0; i < steps; ++i) simulator.step(rec);
        rec.submit();
        rec.finish();
    }
    const Fields& f = simulator.fields();
    return {simulator.settings().grid, download(f.flow.divergenceFree()), download(f.smoke.scalars[0]), download(f.domain.aperture)};
}

/// Tolerance for the mean of two numbers stored as halves: half of a relative step of 2^-10, at least that of subnormal numbers.
float halfStep(float value) { return std::max(std::abs(value) / 2048, 6e-8f); }

TEST_F(VolumeFiles, NanoVdbHoldsTheFields) {
    for (const char* precision : {"half", "float"}) {
        good(
            "busy.toml --frames 2 --steps-per-frame 2 --out p --overwrite --validate --volume 'v/%02d.nvdb' --volume-threshold 0 --set "
            "grid.precision=" +
            std::string(precision));
        SceneOptions options;
        options.overrides = {{"test", "grid.precision", precision}};
        const FieldsOfScene expected = fieldsOf(device(), loadScene(scratch.path() / "busy.toml", options), 4,
                                                [this](const engine::Image& i) { return download(i); });
        const NanoVdb volume(file("v/01.nvdb"));
        ASSERT_EQ(volume.grids.size(), 3u);
        const auto density = volume.grid<float>("density").getAccessor(), temperature = volume.grid<float>("temperature").getAccessor();
        std::size_t n = 0, empty = 0;
        for (int z = 0; z < 18; ++z)
            for (int y = 0; y < 26; ++y)
                for (int x = 0; x < 36; ++x, n += 2) {
                    const Coord c(x, y, z);
                    ASSERT_EQ(density.getValue(c), expected.scalars[n]) << x << ' ' << y << ' ' << z;
                    ASSERT_EQ(temperature.getValue(c), expected.scalars[n] != 0.0f ? 293.0f + expected.scalars[n + 1] : 0.0f);
                    ASSERT_EQ(density.isActive(c), expected.scalars[n] != 0.0f) << x << ' ' << y << ' ' << z;
                    empty += expected.scalars[n] == 0.0f;
                }
        EXPECT_GT(empty, 1000u);
        EXPECT_GT(n / 2 - empty, 100u);
        const auto velocity = volume.grid<Vec3f>("vel").getAccessor();
        float fastest = 0.0f;
        std::size_t near = 0;
        for (int z = 0; z < 9; ++z)
            for (int y = 0; y < 13; ++y)
                for (int x = 0; x < 18; ++x) {
                    const glm::vec3 u = expected.velocity(x, y, z);
                    if (!velocity.isActive(Coord(x, y, z))) continue;
                    ++near;
                    for (int axis = 0; axis < 3; ++axis)
                        ASSERT_NEAR(velocity.getValue(Coord(x, y, z))[axis], u[axis], halfStep(u[axis])) << x << ' ' << y << ' ' << z;
                    fastest = std::max(fastest, glm::length(u));
                }
        EXPECT_GT(fastest, 0.5f);
        EXPECT_GT(near, 50u);
        EXPECT_LT(near, 18u * 13u * 9u);
    }
    EXPECT_THAT(scratch.files(), testing::IsSupersetOf({"p/0000.png", "p/0001.png", "v/00.nvdb", "v/01.nvdb"}));
}

TEST_F(VolumeFiles, AtlasHoldsVelocityAndSolids) {
    for (const char* precision : {"half", "float"}) {
        good("busy.toml --frames 2 --steps-per-frame 2 --out p --overwrite --validate --volume 'v%01d.exr' --set grid.precision=" +
             std::string(precision));
        SceneOptions options;
        options.overrides = {{"test", "grid.precision", precision}};
        const FieldsOfScene expected = fieldsOf(device(), loadScene(scratch.path() / "busy.toml", options), 4,
                                                [this](const engine::Image& i) { return download(i); });
        const Exr exr(file("v1.exr"));
        ASSERT_EQ(exr.image.width, 18);
        ASSERT_EQ(exr.image.height, 13 * 9);
        std::size_t solid = 0, open = 0;
        for (int z = 0; z < 9; ++z)
            for (int y = 0; y < 13; ++y)
                for (int x = 0; x < 18; ++x) {
                    const auto pixel = static_cast<std::size_t>((13 * z + y) * 18 + x);
                    const glm::vec3 u = expected.velocity(x, y, z);
                    const char* const names[] = {"R", "G", "B"};
                    for (int axis = 0; axis < 3; ++axis)  // rounding of floats
                        ASSERT_NEAR(glm::unpackHalf1x16(exr.at<std::uint16_t>(names[axis], pixel)), u[axis], halfStep(u[axis]))
                            << x << ' ' << y << ' ' << z;
                    const float a = glm::unpackHalf1x16(exr.at<std::uint16_t>("A", pixel)),
                                share = expected.aperture[expected.face(x, y, z) + 3];
                    ASSERT_NEAR(a, share, share / 2048) << x << ' ' << y << ' ' << z;
                    solid += a == 0.0f;
                    open += a == 1.0f;
                }
        EXPECT_GT(solid, 10u);
        EXPECT_GT(open, 1500u);
        EXPECT_EQ(exr.attribute<glm::vec3>("gridOrigin", "v3f"), glm::vec3(-1.0f, 0.25f, 0.5f));
        EXPECT_EQ(exr.attribute<float>("cellSize", "float"), 0.125f);
        EXPECT_EQ(exr.attribute<glm::ivec3>("gridCells", "v3i"), glm::ivec3(18, 13, 9));
    }
}

/// Smoke in air at rest stays at the position that the scene gives.
TEST_F(VolumeFiles, ABoxOfSmokeHasItsPosition) {
    good("still.toml --frames 3 --out p --volume s%01d.nvdb");
    const NanoVdb volume(file("s2.nvdb"));
    ASSERT_EQ(volume.grids.size(), 2u);
    const auto& density = volume.grid<float>("density");
    EXPECT_EQ(density.activeVoxelCount(), 24u);
    EXPECT_EQ(density.tree().nodeCount(0), 1u) << "empty blocks must not be stored";
    for (auto it = density.tree().root().bbox().begin(); it; ++it) EXPECT_EQ(density.tree().getValue(*it), 0.75f);
    // The centre of the first cell with smoke.
    EXPECT_EQ(density.worldToIndex(nanovdb::Vec3d(1.0625, 0.1875, 1.3125)), nanovdb::Vec3d(4, 3, 2));
    EXPECT_EQ(density.tree().root().bbox(), nanovdb::CoordBBox(Coord(4, 3, 2), Coord(6, 4, 5)));
    EXPECT_EQ(volume.grid<Vec3f>("vel").activeVoxelCount(), 5u * 4u * 6u) << "in and beside the smoke";
}

TEST_F(VolumeFiles, AUniformVelocityIsEverywhere) {
    const std::string uniform =
        "still.toml --frames 1 --steps-per-frame 2 --out p --overwrite --set prescribed.field=uniform --set "
        "prescribed.velocity=[1,0.5,-0.25] --volume ";
    good(uniform + "u.nvdb");
    good(uniform + "u.exr");
    const NanoVdb volume(file("u.nvdb"));
    const Exr exr(file("u.exr"));
    const auto& velocity = volume.grid<Vec3f>("vel");
    EXPECT_GE(velocity.activeVoxelCount(), 5u * 4u * 6u);
    for (auto it = velocity.tree().root().bbox().begin(); it; ++it)
        EXPECT_EQ(velocity.tree().getValue(*it), velocity.tree().isActive(*it) ? Vec3f(1.0f, 0.5f, -0.25f) : Vec3f(0.0f));
    for (std::size_t pixel = 0; pixel < std::size_t{16} * 64; ++pixel) {
        ASSERT_EQ(exr.at<std::uint16_t>("R", pixel), 0x3c00);
        ASSERT_EQ(exr.at<std::uint16_t>("G", pixel), 0x3800);
        ASSERT_EQ(exr.at<std::uint16_t>("B", pixel), 0xb400);
        ASSERT_EQ(exr.at<std::uint16_t>("A", pixel), 0x3c00);
    }
}

/// The box moves by whole cells; its smoke keeps its world position.
TEST_F(VolumeFiles, ABoxThatFollowsSaysWhereItIs) {
    const std::string following =
        "still.toml --frames 3 --steps-per-frame 4 --out p --overwrite --set "
        "'follow.keys=[{t=0,centre=[1.5,0.25,1.5]},{t=1,centre=[2.0,0.25,1.5]}]' --volume ";
    good(following + "f%01d.nvdb");
    good(following + "f%01d.exr");
    std::vector<float> origins;
    for (int frame = 0; frame < 3; ++frame) {
        const NanoVdb volume(file("f" + std::to_string(frame) + ".nvdb"));
        const Exr exr(file("f" + std::to_string(frame) + ".exr"));
        const glm::vec3 origin = exr.attribute<glm::vec3>("gridOrigin", "v3f");
        origins.push_back(origin.x);
        const auto& density = volume.grid<float>("density");
        EXPECT_EQ(density.activeVoxelCount(), 24u);
        const nanovdb::Vec3d first = density.indexToWorld(density.tree().root().bbox().min().asVec3d());
        EXPECT_NEAR(first[0], 1.0625, 1e-6) << frame;
        EXPECT_NEAR(first[1], 0.1875, 1e-6) << frame;
        EXPECT_NEAR(density.indexToWorld(nanovdb::Vec3d(0.0))[0], static_cast<double>(origin.x) + 0.0625, 1e-6) << frame;
    }
    EXPECT_GT(origins[2], origins[0] + 0.2f);
    for (const float origin : origins) EXPECT_NEAR(std::remainder((origin - 0.5f) / 0.125f, 1.0f), 0.0f, 1e-5f) << origin;
}

TEST_F(VolumeFiles, ResumedOnesAreTheSame) {
    for (const char* kind : {"vdb", "nvdb", "exr"}) {
        const std::string names = std::string("/%03d.") + kind, last = std::string("/003.") + kind,
                          all = std::string("busy.toml --steps-per-frame 3 --frames ");
        good(all + "4 --out p --overwrite --volume a" + names);
        good(all + "2 --out p --overwrite --checkpoint x --volume b" + names);
        good("--frames 4 --steps-per-frame 3 --out p --resume x --volume b" + names);
        for (const std::string frame : {"/000.", "/001.", "/002.", "/003."})
            EXPECT_EQ(file("a" + frame + kind), file("b" + frame + kind)) << frame << kind;
        EXPECT_NE(file("a" + last), file(std::string("a/002.") + kind));
    }
}

TEST_F(VolumeFiles, PathTracedVideosHaveThemToo) {
    good("busy.toml --steps-per-frame 2 --frames 2 --out p --volume a%01d.nvdb");
    good("busy.toml --steps-per-frame 2 --frames 2 --out q --volume b%01d.nvdb --set render.mode=path --samples 2 --validate");
    EXPECT_EQ(file("a1.nvdb"), file("b1.nvdb"));
}

TEST_F(VolumeFiles, ThePictureIsOptional) {
    good("busy.toml --steps-per-frame 2 --frames 2 --out p --volume a%01d.vdb --stats a.jsonl");
    good("busy.toml --steps-per-frame 2 --frames 2 --no-picture --volume b%01d.vdb --stats b.jsonl --validate");
    EXPECT_EQ(file("a0.vdb"), file("b0.vdb"));
    EXPECT_EQ(file("a1.vdb"), file("b1.vdb"));
    EXPECT_NE(file("a0.vdb"), file("a1.vdb"));
    good("busy.toml --steps-per-frame 2 --frames 2 --no-picture --volume z%01d.vdb --up z --set render.mode=path");
    EXPECT_NE(file("z1.vdb"), file("b1.vdb"));
    EXPECT_THAT(scratch.files(), ElementsAre("a.jsonl", "a0.vdb", "a1.vdb", "b.jsonl", "b0.vdb", "b1.vdb", "busy.toml", "p/0000.png",
                                             "p/0001.png", "still.toml", "z0.vdb", "z1.vdb"));
}

TEST_F(VolumeFiles, BadChoicesAreNamed) {
    const auto bad = [&](const std::string& arguments, const std::string& message) {
        const Outcome o = wisp("render still.toml --frames 1 " + arguments);
        EXPECT_EQ(o.status, 2) << arguments << "\n" << o.output;
        EXPECT_THAT(o.errors, HasSubstr(message)) << arguments;
    };
    bad("--no-picture", "--no-picture: nothing else would be written");
    bad("--no-picture --out p", "--no-picture");
    bad("--up z", "--up");
    bad("--volume v.vdb --up x", "--up");
    bad("--volume v.vdb --volume-threshold nan", "--volume-threshold");
    bad("--volume v.vdb --volume-fields density,smoke", "--volume-fields density,smoke: \"smoke\" is not a field");
    bad("--volume v.vdb --volume-fields temperature", "--volume-fields temperature: the scene has no temperature");
    bad("--volume v.vdb --volume-fields flame,density", "--volume-fields flame,density: the scene has no fuel");
    EXPECT_THAT(scratch.files(), ElementsAre("busy.toml", "still.toml"));
}

/// Blocks: memory for an eighth of them and one more. Atlas: two frames are in flight, each with its copy of the fields. Copies begin at
/// multiples of 16 bytes.
TEST_F(VolumeFiles, ADryRunCountsThem) {
    const auto total = [&](const std::string& volume) {
        const std::string plan = good("busy.toml --dry-run " + volume);
        return std::stol(plan.substr(plan.find("total") + 5));
    };
    const long without = total(""), velocity = 18 * 13 * 9 * 8, counts = 8;
    const long smokeBlocks = 5 * 4 * 3, velocityBlocks = 3 * 2 * 2, smokeRecord = 16 + 2 * 2 * 512, velocityRecord = 16 + 3 * 2 * 512;
    EXPECT_EQ(total("--volume %01d.nvdb") - without, (smokeBlocks / 8 + 1) * smokeRecord + (velocityBlocks / 8 + 1) * velocityRecord +
                                                         smokeBlocks * 4 + counts + 2 * (counts + 16));
    EXPECT_EQ(total("--volume %01d.exr") - without, 2 * (velocity + 19 * 14 * 10 * 4 + 32));
    EXPECT_THAT(scratch.files(), ElementsAre("busy.toml", "still.toml"));
}

TEST_F(VolumeFiles, UnwritableFilesAreNamed) {
    Outcome o = wisp("render still.toml --frames 1 --out p --volume /proc/nowhere/%02d.nvdb");
    EXPECT_EQ(o.status, 6) << o.errors;
    EXPECT_THAT(o.errors, HasSubstr("/proc/nowhere: the folder cannot be created: "));
    std::filesystem::create_directory(scratch.path() / "here.nvdb");
    o = wisp("render still.toml --frames 1 --out p --volume here.nvdb");
    EXPECT_EQ(o.status, 6) << o.errors;
    EXPECT_THAT(o.errors, HasSubstr("here.nvdb: cannot be written: Is a directory"));
    for (const std::string name : {"x.vdb", "x.nvdb", "x.exr"}) {
        std::filesystem::create_symlink("/dev/full", scratch.path() / name);
        o = wisp("render still.toml --frames 1 --out p --overwrite --volume " + name);
        EXPECT_EQ(o.status, 6) << o.errors;
        EXPECT_THAT(o.errors, HasSubstr(name + ": cannot be written: No space left on device"));
    }
    EXPECT_THAT(scratch.files(), testing::Not(testing::Contains(HasSubstr("tmp"))));
}

TEST_F(VolumeFiles, AnInterruptLeavesWholeFiles) {
    const Outcome o = runShell(WISP_BINARY
                               " render still.toml --frames 100000 --out p --volume 'v/%05d.nvdb' & for i in $(seq 1000); do test -e "
                               "v/00003.nvdb && break; sleep 0.05; done; kill -INT $!; wait $!",
                               scratch.path());
    EXPECT_EQ(o.status, 130) << o.errors;
    std::size_t volumes = 0;
    for (const std::string& name : scratch.files())
        if (name.starts_with("v/")) {
            ASSERT_EQ(name.substr(8), "nvdb");
            EXPECT_EQ(NanoVdb(file(name)).grids.size(), 2u) << name;
            ++volumes;
        }
    EXPECT_GE(volumes, 4u);
    EXPECT_THAT(o.errors, HasSubstr("interrupted; " + std::to_string(volumes) + " frames are in p"));
}

}  // namespace
}  // namespace wisp::test
