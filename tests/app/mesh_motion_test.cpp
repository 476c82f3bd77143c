// SPDX-License-Identifier: MIT
// Scenes with meshes that deform, by the program.
#include "tests/app/run_program.h"
#include "tests/support/meshes.h"
#include "tests/support/scratch_folder.h"

#include <fmt/format.h>
#include <glm/gtc/quaternion.hpp>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace wisp::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class MeshMotionRun : public testing::Test {
protected:
    void SetUp() override {
        // A flat ball that bends up and down, 0.6 m long. Its ends move by up to 0.4 cells a step.
        for (int n = 0; n < 6; ++n) {
            Mesh pose = icosphere(3, 0.3f);
            for (glm::vec3& p : pose.positions) p = {p.x, 0.4f * p.y + 1.2f * static_cast<float>(n % 3 - 1) * p.x * p.x, p.z};
            write(fmt::format("wing_{}.obj", n), objOf(pose));
        }
        write("s.toml",
              "[grid]\ncells = [32, 24, 24]\nsize = [1.3333334, 1.0, 1.0]\n[time]\nstep = 0.01\n"
              "[[obstacle]]\nshape = \"mesh\"\nfile = \"wing_%01d.obj\"\nfps = 10\ncentre = [0.7, 0.5, 0.5]\n"
              "[[emitter]]\nshape = \"mesh\"\nfile = \"wing_%01d.obj\"\nfps = 10\ncentre = [0.7, 0.5, 0.5]\nfill = \"surface\"\n"
              "inherit_velocity = 1.0\ndensity = 1.0\n[camera]\nshutter = 180\n[render]\nsize = [64, 48]\nshutter_samples = 4\n");
    }
    void write(const std::string& name, const std::string& text) { std::ofstream(scratch.path() / name) << text; }
    Outcome wisp(const std::string& arguments) { return runShell(WISP_BINARY " " + arguments, scratch.path()); }
    ScratchFolder scratch;
};

TEST_F(MeshMotionRun, PushesTheSmokeThatItEmits) {
    const Outcome run = wisp("render s.toml --validate --frames 20 --steps-per-frame 2 --out f_%02d.png --stats stats.json");
    ASSERT_EQ(run.status, 0) << run.output << run.errors;
    std::ifstream stats(scratch.path() / "stats.json");
    double fastest = 0.0, mass = 0.0;
    for (std::string line; std::getline(stats, line);) {  // one object a step
        const auto step = nlohmann::json::parse(line);
        EXPECT_EQ(step["leaked_mass"].get<double>(), 0.0);
        EXPECT_TRUE(step["finite"].get<bool>());
        fastest = std::max(fastest, step["max_speed"].get<double>());
        mass = step["mass"].get<double>();
    }
    EXPECT_GT(mass, 0.0);
    EXPECT_GT(fastest, 0.5) << "the ends move by 0.11 m in 0.1 s";
}

// A body that moves by keys is written as glTF and read again as a mesh with an animated node: the same flow.
TEST_F(MeshMotionRun, ReadsBackABodyThatMoved) {
    write("cube.obj", objOf(moved(cuboid({0.15f, 0.1f, 0.12f}), {}, glm::angleAxis(0.5f, glm::vec3(0.6f, 0.0f, 0.8f)))));
    const std::string box =
        "[grid]\ncells = [32, 24, 24]\nsize = [1.3333334, 1.0, 1.0]\n[time]\nstep = 0.01\n"
        "[[emitter]]\ncentre = [0.9, 0.5, 0.5]\ndensity = 1.0\n[[obstacle]]\nshape = \"mesh\"\n";
    write("keys.toml", box +
                           "file = \"cube.obj\"\nkeys = [{ t = 0.03, centre = [0.4, 0.5, 0.5] }, { t = 0.1, centre = [0.5, 0.5, 0.5] }, "
                           "{ t = 0.2, centre = [0.7, 0.6, 0.5] }]\n");
    write("again.toml", box + "file = \"run.glb\"\nnode = \"obstacle[0]\"\nstart = 0.01\n");  // its first frame is after a step
    std::vector<nlohmann::json> steps[2];
    for (const auto& [n, run] : {std::pair(0, "keys.toml --scene-out run.glb --stats 0.json"), {1, "again.toml --stats 1.json"}}) {
        const Outcome o = wisp("render --no-picture --volume 'v_%02d.vdb' --overwrite --frames 25 --fps 100 --steps-per-frame 1 " +
                               std::string(run));
        ASSERT_EQ(o.status, 0) << o.output << o.errors;
        std::ifstream stats(scratch.path() / (std::to_string(n) + ".json"));
        for (std::string line; std::getline(stats, line);) steps[n].push_back(nlohmann::json::parse(line));
    }
    ASSERT_EQ(steps[0].size(), 25u);
    // See tests/physics/deforming_mesh.cpp for the error of a velocity: halves, and apertures of 8 bits. The energy has twice that.
    const double tolerance = 2.0 * (1.5 / 2048.0 + 2.5 / 255.0);
    double most = 0.0;
    for (std::size_t n = 0; n < 25; ++n) {
        const auto energy = [&](int run) { return steps[run].at(n)["kinetic_energy"].get<double>(); };
        most = std::max(most, energy(0));
        EXPECT_NEAR(energy(1), energy(0), tolerance * most) << n;
        EXPECT_EQ(steps[1].at(n)["leaked_mass"].get<double>(), 0.0);
    }
    EXPECT_GT(most, 1e-3);
}

TEST_F(MeshMotionRun, WrongSequencesStopIt) {
    write("wing_4.obj", objOf(icosphere(2, 0.3f)));
    const Outcome run = wisp("render s.toml --frames 1 --out f.png");
    EXPECT_EQ(run.status, 2);
    EXPECT_THAT(run.errors, AllOf(HasSubstr("s.toml:8:8: obstacle[0].file: wing_%01d.obj: wing_4.obj: has 162 vertices"),
                                  HasSubstr("all files of a sequence must have the same triangles")));
}

TEST_F(MeshMotionRun, CheckSaysHowFastItMoves) {
    const Outcome run = wisp("check s.toml");
    EXPECT_EQ(run.status, 0);
    EXPECT_THAT(run.output, HasSubstr("deforms by up to "));
}

}  // namespace
}  // namespace wisp::test
