// SPDX-License-Identifier: MIT
// A camera that goes with the target of a box, in pictures of the real program.
#include "tests/app/run_program.h"

#include <glm/vec2.hpp>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <string>

namespace wisp::test {
namespace {

constexpr int kWidth = 64, kHeight = 48;

// A ball in even surroundings of radiance 1 that goes 2 m, ten times as far as it is large.
constexpr const char* kScene = R"(
[grid]
cells = [16, 8, 8]
pressure_ratio = 1
size = [2.0, 1.0, 1.0]
[time]
step = 0.0625
[follow]
keys = [{ t = 0.0, centre = [1.0, 0.5, 0.5] }, { t = 1.0, centre = [3.0, 0.5, 0.5] }]
[[obstacle]]
centre = [1.0, 0.5, 0.5]
radius = 0.2
keys = [{ t = 0.0, centre = [1.0, 0.5, 0.5] }, { t = 1.0, centre = [3.0, 0.5, 0.5] }]
[environment]
colour = [1.0, 1.0, 1.0]
[camera]
eye = [1.0, 0.5, 2.5]
target = [1.0, 0.5, 0.5]
fov = 30.0
follows = true
)";

/// Where what is darker than the surroundings has its middle, in pixels.
glm::dvec2 middleOfBall(const std::string& pfm) {
    const std::size_t head = pfm.size() - std::size_t{kWidth} * kHeight * 12;
    glm::dvec2 sum(0.0);
    double weight = 0.0;
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x) {
            float red = 0.0f;
            std::memcpy(&red, pfm.data() + head + static_cast<std::size_t>(y * kWidth + x) * 12, sizeof red);
            const double dark = 1.0 - static_cast<double>(red);
            weight += dark;
            sum += dark * glm::dvec2(x + 0.5, y + 0.5);
        }
    EXPECT_GT(weight, 20.0) << "the ball is in the picture";
    return sum / weight;
}

TEST(FollowingCamera, KeepsTheBallInItsPlace) {
    const ScratchFolder scratch;
    std::ofstream(scratch.path() / "ball.toml") << kScene;
    for (const char* mode : {"raymarch", "path --samples 16"}) {
        const Outcome o = runShell(std::string(WISP_BINARY " render ball.toml --frames 3 --steps-per-frame 6 --size 64x48 --out p%01d.pfm --log-level quiet --set render.mode=") + mode, scratch.path());
        ASSERT_EQ(o.status, 0) << o.errors;
        for (const char* file : {"p0.pfm", "p1.pfm", "p2.pfm"}) {
            const glm::dvec2 middle = middleOfBall(readFile(scratch.path() / file));
            // Without the camera's way it is .75 m, 34 pixels, further from picture to picture. Half a pixel: samples lie anywhere in theirs.
            EXPECT_NEAR(middle.x, 0.5 * kWidth, 0.5) << mode << " " << file;
            EXPECT_NEAR(middle.y, 0.5 * kHeight, 0.5) << mode << " " << file;
        }
    }
}

}  // namespace
}  // namespace wisp::test
