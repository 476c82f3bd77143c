// SPDX-License-Identifier: MIT
// --scene-out of the real binary: the file, its name, and errors.
#include "files/model/scene_glb.h"
#include "files/scene/scene.h"
#include "tests/app/run_program.h"
#include "tests/support/gpu_test.h"

#include <gmock/gmock.h>

#include <fstream>

namespace wisp::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kScene = R"(
[grid]
cells = [16, 8, 8]
size = [2.0, 1.0, 1.0]
[time]
step = 0.03125
[[obstacle]]
centre = [0.5, 0.5, 0.5]
radius = 0.2
velocity = [0.5, 0.0, 0.0]
[render]
size = [16, 16]
)";

class SceneOut : public GpuTest {
protected:
    void SetUp() override {
        GpuTest::SetUp();
        std::ofstream(scratch.path() / "s.toml") << kScene;
    }
    Outcome wisp(const std::string& arguments) { return runShell(WISP_BINARY " render s.toml " + arguments, scratch.path()); }
    [[nodiscard]] std::string encoded(const FilmFrames& frames) const {
        return encodeSceneGlb(loadScene(scratch.path() / "s.toml"), frames);
    }
    ScratchFolder scratch;
};

TEST_F(SceneOut, HasTheFramesOfTheRun) {
    Outcome o = wisp("--frames 3 --steps-per-frame 2 --fps 24 --no-picture --scene-out a.glb");
    EXPECT_EQ(o.status, 0) << o.errors;
    // Without the option, as many steps as a frame lasts: 1 / 8 s.
    o = wisp("--frames 2 --fps 8 --out p --scene-out b.glb --set render.mode=path --samples 1");
    EXPECT_EQ(o.status, 0) << o.errors;
    EXPECT_THAT(scratch.files(), ElementsAre("a.glb", "b.glb", "p/0000.png", "p/0001.png", "s.toml"));
    EXPECT_EQ(readFile(scratch.path() / "a.glb"), encoded({.count = 3, .fps = 24.0, .stepsPerFrame = 2}));
    EXPECT_EQ(readFile(scratch.path() / "b.glb"), encoded({.count = 2, .fps = 8.0, .stepsPerFrame = 4}));
}

TEST_F(SceneOut, ErrorsLeaveNoFile) {
    const auto bad = [&](const std::string& arguments, int status, const std::string& message) {
        const Outcome o = wisp("--frames 1 " + arguments);
        EXPECT_EQ(o.status, status) << arguments << "\n" << o.output;
        EXPECT_THAT(o.errors, HasSubstr(message)) << arguments;
    };
    bad("--out p --scene-out x.gltf", 2, "--scene-out x.gltf: must be the name of a .glb file");
    bad("--out p --scene-out /proc/nowhere/x.glb", 6, "/proc/nowhere/x.glb");
    EXPECT_EQ(wisp("--frames 1 --dry-run --scene-out x.glb").status, 0);
    EXPECT_THAT(scratch.files(), ElementsAre("s.toml"));
    std::filesystem::create_symlink("/dev/full", scratch.path() / "full.glb");
    bad("--out p --scene-out full.glb", 6, "full.glb");
    std::filesystem::remove(scratch.path() / "full.glb");
    EXPECT_THAT(scratch.files(), ElementsAre("s.toml"));
}

}  // namespace
}  // namespace wisp::test
