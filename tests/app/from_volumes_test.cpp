// SPDX-License-Identifier: MIT
// wisp render --from: pictures of volume files, its own and those that python3-openvdb writes.
#include "tests/app/run_program.h"
#include "tests/support/exr_file.h"
#include "tests/support/gpu_test.h"

#include <glm/gtc/packing.hpp>
#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <functional>

namespace wisp::test {
namespace {

using testing::HasSubstr;

/// Smoke, heat and a moving body with a moving camera. Halves hold its density; temperatures do not matter without fire.
constexpr const char* kVolumeScene = R"(
[grid]
cells = [24, 24, 24]
pressure_ratio = 1
scalar_ratio = 2
size = [1.0, 1.0, 1.0]
[time]
step = 0.03125
[flow]
buoyancy = 0.02
[[emitter]]
centre = [0.5, 0.3, 0.5]
radius = 0.2
velocity = [0.3, 0.8, 0.1]
density = 1.0
temperature = 80.0
[[obstacle]]
centre = [0.5, 0.7, 0.6]
radius = 0.12
velocity = [0.4, 0.0, 0.0]
[medium]
extinction = 8.0
[camera]
keys = [ { t = 0.0, eye = [0.5, 0.6, 3.0], target = [0.5, 0.5, 0.5] }, { t = 0.5, eye = [1.5, 0.6, 2.6], target = [0.5, 0.5, 0.5] } ]
[render]
size = [48, 48]
)";

/// Smoke in rigid rotation at 4 rad/s. It is everywhere in the box, so that the files have the velocity of all cells. No component changes
/// along its own axis: resampling between faces and centres keeps it.
constexpr const char* kTurning = R"(
[grid]
cells = [32, 32, 16]
pressure_ratio = 1
size = [1.0, 1.0, 0.5]
[time]
step = 0.03125
[prescribed]
field = "rotation"
speed = 2.0
[flow]
density_decay = 0.0
[[initial]]
field = "gaussian"
centre = [0.72, 0.5, 0.25]
radius = 0.12
density = 1.0
[medium]
extinction = 8.0
[camera]
eye = [0.5, 0.5, 3.25]
target = [0.5, 0.5, 0.25]
fov = 40.0
[render]
size = [48, 48]
)";

class FromVolumes : public GpuTest {
protected:
    void SetUp() override {
        GpuTest::SetUp();
        std::ofstream(scratch.path() / "scene.toml") << kVolumeScene;
        std::ofstream(scratch.path() / "turning.toml") << kTurning;
    }
    Outcome wisp(const std::string& arguments) { return runShell(WISP_BINARY " render " + arguments, scratch.path()); }
    std::string good(const std::string& arguments) {
        const Outcome o = wisp(arguments);
        EXPECT_EQ(o.status, 0) << arguments << "\n" << o.errors;
        return o.errors;
    }
    [[nodiscard]] std::string bytesOf(const std::string& name) const { return readFile(scratch.path() / name); }
    /// Writes files with Debian's module of OpenVDB.
    void python(const std::string& script) {
        std::ofstream(scratch.path() / "make.py") << "import math, pyopenvdb as vdb\n" + script;
        const Outcome o = runShell("/usr/bin/python3 make.py", scratch.path());
        ASSERT_EQ(o.status, 0) << o.errors;
    }
    static double valueAt(const Exr& picture, const char* channel, int x, int y) {
        return glm::unpackHalf1x16(picture.at<std::uint16_t>(channel, static_cast<std::size_t>(y * picture.image.width + x)));
    }
    /// Calls `f` for each channel and pixel.
    static void eachValue(const Exr& picture, const std::function<void(const char*, int, int)>& f) {
        for (const char* channel : {"R", "G", "B", "A"})
            for (int y = 0; y < picture.image.height; ++y)
                for (int x = 0; x < picture.image.width; ++x) f(channel, x, y);
    }
    /// Largest difference of two pictures, over the largest value.
    double difference(const std::string& a, const std::string& b) const {
        const Exr first(bytesOf(a)), second(bytesOf(b));
        double most = 0.0, greatest = 0.0;
        eachValue(first, [&](const char* channel, int x, int y) {
            const double value = valueAt(first, channel, x, y);
            most = std::max(most, std::abs(value - valueAt(second, channel, x, y)));
            greatest = std::max(greatest, value);
        });
        EXPECT_GT(greatest, 0.1);
        return most / greatest;
    }
    /// Largest difference of pixels that are beside each other along x, plus that along y, over the largest value.
    [[nodiscard]] double steepest(const std::string& name) const {
        const Exr picture(bytesOf(name));
        double alongX = 0.0, alongY = 0.0, greatest = 0.0;
        eachValue(picture, [&](const char* channel, int x, int y) {
            const double value = valueAt(picture, channel, x, y);
            greatest = std::max(greatest, value);
            if (x > 0) alongX = std::max(alongX, std::abs(value - valueAt(picture, channel, x - 1, y)));
            if (y > 0) alongY = std::max(alongY, std::abs(value - valueAt(picture, channel, x, y - 1)));
        });
        return (alongX + alongY) / greatest;
    }
    ScratchFolder scratch;
};

// The velocity is rounded to halves on faces, at centres, and on faces again, and both runs use different faces: by 4 parts of 2^-11 of at
// most 2 m/s. In half of the exposure of 1/4 s smoke is displaced by this along each axis, and by the midpoint rule once more, times the
// angle of half of that time, 1/4. The picture of a moment changes by this displacement times its steepest change; a pixel is 2 * 3 m *
// tan(20 degrees) / 48 wide. Halves of the picture and of the density round, too.
TEST_F(FromVolumes, TheVelocityBlursAsInTheRun) {
    const double displaced = 4.0 / 2048 * 2.0 * 0.125 * 1.25, pixel = 6.0 * std::tan(0.349) / 48;
    const std::string shutter = " --fps 4 --set camera.shutter=360 ";
    good("turning.toml --frames 2 --out d%01d.exr --volume-threshold 0 --volume v%02d.vdb" + shutter);
    good("turning.toml --frames 2 --out d%01d.exr --overwrite --volume-threshold 0 --volume v%02d.nvdb" + shutter);
    good("turning.toml --frames 2 --no-picture --volume-threshold 0 --up z --volume z%02d.vdb" + shutter);
    good("turning.toml --out still%01d.exr --fps 4 --from v%02d.vdb");
    const double tolerance = displaced / pixel * steepest("still1.exr") + 2.0 / 1024;
    EXPECT_LT(tolerance, 0.02);
    for (const std::string files : {"v%02d.vdb", "v%02d.nvdb", "z%02d.vdb --from-up z"}) {
        good("turning.toml --out f%01d.exr --overwrite --from " + files + shutter);
        for (const char* n : {"0", "1"}) {
            EXPECT_LT(difference("d" + std::string(n) + ".exr", "f" + std::string(n) + ".exr"), tolerance) << files << n;
            EXPECT_GT(difference("d" + std::string(n) + ".exr", "still" + std::string(n) + ".exr"), 10.0 * tolerance) << n;
        }
    }
    // Files without the velocity are not blurred. The mean of moments only has less noise from the steps of the rays.
    good("turning.toml --frames 2 --no-picture --volume-threshold 0 --volume-fields density --volume w%02d.vdb --fps 4");
    good("turning.toml --out f%01d.exr --overwrite --from w%02d.vdb" + shutter);
    EXPECT_LT(difference("still1.exr", "f1.exr"), 0.1 * difference("still1.exr", "d1.exr"));
}

// With obstacles that move along a path: their velocity is their mean over a step in both runs. The smoke has
// an optical depth below 0.001, so that it does not matter that its velocity is not read.
TEST_F(FromVolumes, BodiesAreBlurredAsInTheRun) {
    std::ofstream(scratch.path() / "body.toml") << R"(
[grid]
cells = [24, 24, 24]
pressure_ratio = 1
size = [1.0, 1.0, 1.0]
[time]
step = 0.03125
[[obstacle]]
radius = 0.15
keys = [ { t = 0.0, centre = [0.2, 0.5, 0.5] }, { t = 0.5, centre = [0.8, 0.5, 0.5] } ]
[[initial]]
shape = "box"
min = [0.0, 0.0, 0.0]
max = [1.0, 0.2, 1.0]
density = 0.0001
[medium]
extinction = 8.0
[render]
size = [48, 48]
)";
    const std::string shutter = " --fps 4 --set camera.shutter=180 ";
    good("body.toml --frames 1 --out d%01d.exr --volume-fields density --volume-threshold 0 --volume v%02d.vdb" + shutter);
    good("body.toml --out f%01d.exr --from v%02d.vdb" + shutter);
    good("body.toml --out still%01d.exr --from v%02d.vdb --fps 4");
    EXPECT_LT(difference("d0.exr", "f0.exr"), 2.0 / 1024);
    EXPECT_GT(difference("d0.exr", "still0.exr"), 0.05);
}

// Blocks of 8^3 voxels, and tables of the blocks from the first to the last one, of the largest file.
TEST_F(FromVolumes, DryRunHasTheMemoryOfTheLargestFile) {
    python(R"(
for n in range(3):
    grid, vel = vdb.FloatGrid(), vdb.Vec3SGrid()
    grid.name, vel.name = 'density', 'vel'
    for x in ([0, 20, 40] if n == 1 else [0]):
        grid.fill((x, 0, 0), (x, 0, 0), 1.0)
    for x in ([0, 8] if n == 1 else [0]):
        vel.fill((x, 0, 0), (x, 0, 0), (1.0, 0.0, 0.0))
    vdb.write('s_%d.vdb' % n, grids=[grid, vel])
)");
    const auto bytesIn = [&](const std::string& arguments, const std::string& row) {
        const Outcome o = wisp("--from s_%01d.vdb --dry-run " + arguments);
        EXPECT_EQ(o.status, 0) << o.errors;
        const std::string lines = "\n" + o.output;
        const std::size_t at = lines.find("\n" + row + "  ");
        return at == std::string::npos ? -1l : std::stol(lines.substr(at + 1 + row.size()));
    };
    EXPECT_EQ(bytesIn("", "volume values"), 3 * 2060);
    EXPECT_EQ(bytesIn("", "volume table"), 6 * 4);
    EXPECT_EQ(bytesIn("", "volume velocities"), -1);
    const std::string shutter = "--set camera.shutter=180";
    EXPECT_EQ(bytesIn(shutter, "volume velocities"), 2 * 6220);
    EXPECT_EQ(bytesIn(shutter, "volume table of velocities"), 2 * 4);
    EXPECT_EQ(bytesIn(shutter, "upload of volumes"), 3 * 2060 + 6 * 4 + 2 * 6220 + 2 * 4);
}

// The density is stored in halves in the fields and in the file. Cells below the threshold are lost, so there is none here. Bodies, camera
// and smoke are those of the same time: nothing else may differ than the last digit of a half.
TEST_F(FromVolumes, RoundTripGivesTheSamePictures) {
    for (const std::string extension : {"vdb", "nvdb"}) {
        good("scene.toml --frames 3 --fps 16 --out d%01d.exr --overwrite --volume-threshold 0 --volume v%02d." + extension);
        good("scene.toml --fps 16 --out f%01d.exr --overwrite --from v%02d." + extension);
        for (const char* n : {"0", "1", "2"})
            EXPECT_LT(difference("d" + std::string(n) + ".exr", "f" + std::string(n) + ".exr"), 1.0 / 1024) << extension << n;
        EXPECT_GT(difference("d0.exr", "d2.exr"), 0.05);  // the pictures are not all the same
    }
}

TEST_F(FromVolumes, RoundTripInPathMode) {
    const std::string path = " --set render.mode=path --samples 8 --set render.size=[24,24]";
    good("scene.toml --frames 2 --fps 16 --out d%01d.exr --volume-threshold 0 --volume v%02d.vdb" + path);
    good("scene.toml --fps 16 --out f%01d.exr --from v%02d.vdb" + path);
    // Both runs draw the same random numbers, but pictures count from 0 instead of steps.
    const Exr first(bytesOf("d1.exr")), second(bytesOf("f1.exr"));
    double sum = 0.0, other = 0.0;
    for (std::size_t n = 0; n < 24 * 24; ++n) {
        sum += glm::unpackHalf1x16(first.at<std::uint16_t>("A", n));
        other += glm::unpackHalf1x16(second.at<std::uint16_t>("A", n));
    }
    EXPECT_GT(sum, 10.0);
    // A pixel of 8 samples has a standard deviation of at most 1/2 / sqrt(8). Four of the difference of two sums over 24^2 pixels.
    EXPECT_NEAR(sum, other, 4.0 * std::sqrt(2.0) * 24.0 * 0.5 / std::sqrt(8.0));
}

// A fog ball of density 1 on a rotated lattice. Without a scene it is in the middle of the picture, where the ray crosses a diameter. The
// surface lies within a spacing of the points, so each end of the chord is uncertain by that.
TEST_F(FromVolumes, ASmokeBallOfOthersIsInTheMiddle) {
    python(R"(
import numpy
grid = vdb.FloatGrid()
grid.name = 'density'
n, h, r = 40, 0.05, 1.5
axis = numpy.arange(-n, n + 1)
x, y, z = numpy.meshgrid(axis, axis, axis, indexing='ij')
ball = (numpy.sqrt(x * x + y * y + z * z) * h <= r).astype(numpy.float32)
grid.copyFromArray(ball, ijk=(-n, -n, -n))
grid.pruneInactive()
c, s = math.cos(0.6), math.sin(0.6)
grid.transform = vdb.createLinearTransform([[h * c, h * s, 0, 0], [-h * s, h * c, 0, 0], [0, 0, h, 0], [7, -2, 30, 1]])
vdb.write('ball.vdb', grids=[grid])
)");
    good("--from ball.vdb --out ball.exr --size 65x65 --set medium.extinction=0.5 --set environment.ground=false");
    const Exr picture(bytesOf("ball.exr"));
    const auto alpha = [&](int x, int y) {
        return static_cast<double>(glm::unpackHalf1x16(picture.at<std::uint16_t>("A", static_cast<std::size_t>(y * 65 + x))));
    };
    EXPECT_GT(alpha(32, 32), 1.0 - std::exp(-0.5 * (3.0 - 0.1)));
    EXPECT_LT(alpha(32, 32), 1.0 - std::exp(-0.5 * (3.0 + 0.1)));
    EXPECT_LT(alpha(1, 1), 0.01);
    EXPECT_NEAR(alpha(16, 32), alpha(48, 32), 0.05);
}

// Without a scene, the centres of its cells are the voxels of the file, and the cell beyond the last voxel, where its smoke ends, is there,
// too.
TEST_F(FromVolumes, TheBoxAroundTheSmokeHasItsVoxels) {
    python(R"(
grid = vdb.FloatGrid()
grid.name = 'density'
grid.fill((-3, 0, 6), (6, 7, 16), 0.5)
grid.fill((0, 5, 16), (0, 5, 16), 0.75)
grid.transform = vdb.createLinearTransform(0.25)
vdb.write('a.vdb', grids=[grid])
)");
    std::ofstream(scratch.path() / "around.toml")
        << "[grid]\ncells = [12, 10, 13]\nsize = [3, 2.5, 3.25]\norigin = [-1.125, -0.375, 1.125]\npressure_ratio = 1\n";
    const auto scalars = [&](const std::string& scene) {
        const Outcome o = wisp(scene + " --from a.vdb --no-picture --hash");
        EXPECT_EQ(o.status, 0) << o.errors;
        return o.output.substr(0, o.output.find("scalars"));
    };
    EXPECT_EQ(scalars(""), scalars("around.toml"));
    EXPECT_NE(scalars("around.toml"), scalars("around.toml --set grid.origin=[0,0,1]"));
}

// Files as other programs write them: a flame that is 0 everywhere, fuel beside the flame, temperatures in shares of 1000 K, frames without
// a fire, a voxel far away.
TEST_F(FromVolumes, SmokeAndFireOfOtherPrograms) {
    python(R"(
import numpy
i = numpy.indices((16,) * 3)
r = numpy.sqrt(((i - 7.5) ** 2).sum(0))
smoke, flame = (r < 6).astype(numpy.float32), (r < 4).astype(numpy.float32)
def grid(name, values):
    g = vdb.FloatGrid()
    g.copyFromArray(values)
    g.name, g.transform = name, vdb.createLinearTransform(0.05)
    return g
zero = grid('flame', smoke)
zero.mapOn(lambda v: 0.0)
density = grid('density', smoke)
vdb.write('s_0.vdb', grids=[density])
vdb.write('zero.vdb', grids=[density, zero, grid('temperature', smoke)])
fire = [density, grid('temperature', 1.5 * smoke), grid('flames', flame)]
vdb.write('share.vdb', grids=fire)
vdb.write('s_1.vdb', grids=[density, grid('temperature', 1500 * smoke), grid('flame', flame)])
vdb.write('fuel.vdb', grids=[density, grid('temperature', 1500 * smoke), grid('fuel', smoke), grid('flame', flame)])
stray = density.deepCopy()
stray.fill((5000, 8, 8), (5000, 8, 8), 1.0)
vdb.write('stray.vdb', grids=[stray])
)");
    const std::string size = " --size 32x32 --overwrite ";
    good("--from s_0.vdb --out smoke.exr" + size);
    good("--from zero.vdb --out zero.exr" + size);
    EXPECT_EQ(difference("smoke.exr", "zero.exr"), 0.0);
    good("--from s_1.vdb --out fire.exr" + size);
    const std::string opaque = " --set fire.flame=5 " + size;  // flames absorb
    good("--from s_1.vdb --out flame.exr" + opaque);
    good("--from fuel.vdb --out fuel.exr" + opaque);
    EXPECT_GT(difference("fire.exr", "flame.exr"), 0.01);
    EXPECT_EQ(difference("flame.exr", "fuel.exr"), 0.0) << "fuel that does not burn is no flame";
    EXPECT_THAT(good("--from share.vdb --out share.exr" + size),
                HasSubstr("warning: initial[0].file: share.vdb has no temperature above 1.5: temperatures are taken as shares"));
    EXPECT_EQ(difference("fire.exr", "share.exr"), 0.0);
    good("--from share.vdb --from-temperature kelvin --out cold.exr" + size);
    EXPECT_GT(difference("fire.exr", "cold.exr"), 0.5);
    good("--from s_%01d.vdb --out q%01d.exr" + size);
    EXPECT_EQ(difference("fire.exr", "q1.exr"), 0.0);
    EXPECT_THAT(good("--from stray.vdb --dry-run"), HasSubstr("warning: the smoke extends over 5001 x 14 x 14 voxels"));
    EXPECT_THAT(good("--from s_0.vdb --dry-run"), Not(HasSubstr("warning")));
    EXPECT_THAT(good("--from s_0.vdb --set camera.shutter=180 --out still.exr" + size),
                HasSubstr("camera.shutter: does not blur the smoke: its files have no velocity"));
}

TEST_F(FromVolumes, ViewsOfTemperatureAndFlame) {
    python(R"(
def grid(name, value, low, high):
    g = vdb.FloatGrid()
    g.fill((low,) * 3, (high,) * 3, value)
    g.name, g.transform = name, vdb.createLinearTransform(0.05)
    return g
smoke, hot, flame = grid('density', 1.0, 0, 15), grid('temperature', 1500.0, 0, 15), grid('flame', 0.5, 4, 11)
vdb.write('smoke.vdb', grids=[smoke])
vdb.write('fire.vdb', grids=[smoke, hot, flame])
)");
    std::ofstream(scratch.path() / "jet.toml") << "[grid]\ncells = [16, 16, 16]\nsize = [0.8, 0.8, 0.8]\n[[emitter]]\ndensity = 1.0\n";
    const auto valueInTheMiddle = [&](const std::string& arguments) {
        good(arguments + " --slice z --size 32x32 --set view.legend=false --out view.exr --overwrite");
        return Exr(bytesOf("view.exr")).at<float>("V", 16 * 32 + 16);
    };
    for (const char* scene : {"", "jet.toml "}) {
        EXPECT_EQ(valueInTheMiddle(std::string(scene) + "--from fire.vdb --view flame"), 0.5f);
        EXPECT_NEAR(valueInTheMiddle(std::string(scene) + "--from fire.vdb --view temperature"), 1500.0f, 1.0f);  // half an ulp of halves
        const Outcome o = wisp(std::string(scene) + "--from smoke.vdb --view flame --out no.png");
        EXPECT_EQ(o.status, 2);
        EXPECT_THAT(o.errors, testing::AllOf(HasSubstr("view.field"), HasSubstr("--from smoke.vdb: there is smoke and no flame")));
    }
}

TEST_F(FromVolumes, BadUsesAreRefused) {
    python(R"(
sphere = vdb.createLevelSetSphere(radius=1.0, voxelSize=0.1)
sphere.name = 'density'
vdb.write('level.vdb', grids=[sphere])
)");
    const auto bad = [&](const std::string& arguments, const std::string& message) {
        const Outcome o = wisp(arguments);
        EXPECT_EQ(o.status, 2) << arguments << o.errors;
        EXPECT_THAT(o.errors, HasSubstr(message)) << arguments;
    };
    bad("--from none.vdb", "--from none.vdb: does not exist");
    bad("--from none%02d.vdb", "--from none%02d.vdb: no file has a name like this");
    bad("--from scene.toml", "--from scene.toml: must be a .vdb or .nvdb file");
    bad("--from level.vdb", "--from level.vdb: density: is a level set, must be a fog volume");
    bad("--from level.vdb --volume x.vdb", "--volume");
    bad("--from-up z", "--from-up");
    python(R"(
grid, vel = vdb.FloatGrid(), vdb.FloatGrid()
grid.name, vel.name = 'density', 'vel'
grid.fill((0, 0, 0), (9, 9, 9), 1.0)
vdb.write('speed.vdb', grids=[grid, vel])
)");
    good("--from speed.vdb --out speed.exr --size 8x8");  // is not read without a shutter
    bad("--from speed.vdb --set camera.shutter=180", "--from speed.vdb: vel: has values of type float, must be vectors of floats");
    std::ofstream(scratch.path() / "emitter.toml") << "[[emitter]]\nshape = \"volume\"\nfile = \"level.vdb\"\ndensity = 1.0\n";
    bad("emitter.toml", "emitter.toml:3:8: emitter[0].file: level.vdb: density: is a level set, must be a fog volume");
}

}  // namespace
}  // namespace wisp::test
