// SPDX-License-Identifier: MIT
// A camera that follows the target of a box, in pictures of the real program.
#include "tests/app/run_program.h"

#include <glm/gtc/constants.hpp>
#include <glm/vec2.hpp>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <string>

namespace wisp::test {
namespace {

constexpr int kWidth = 64, kHeight = 48;

// A ball in a uniform environment of radiance 1. It moves 2 m, ten times its diameter.
constexpr const char* kFollowScene = R"(
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

/// The region that is darker than the environment: its centre [pixels], and the number of pixels that it mostly covers.
struct Ball {
    glm::dvec2 middle{0.0};
    double pixels = 0.0;
};

Ball ballOf(const std::string& pfm) {
    const std::size_t head = pfm.size() - std::size_t{kWidth} * kHeight * 12;
    Ball ball;
    double weight = 0.0;
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x) {
            float red = 0.0f;
            std::memcpy(&red, pfm.data() + head + static_cast<std::size_t>(y * kWidth + x) * 12, sizeof red);
            const double dark = 1.0 - static_cast<double>(red);
            weight += dark;
            ball.pixels += dark > 0.2 ? 1.0 : 0.0;  // a ball of albedo 0.6 is at least 0.4 darker
            ball.middle += dark * glm::dvec2(x + 0.5, y + 0.5);
        }
    ball.middle /= weight;
    return ball;
}

TEST(FollowingCamera, KeepsTheBallAtItsPositionInThePicture) {
    const ScratchFolder scratch;
    std::ofstream(scratch.path() / "ball.toml") << kFollowScene;
    for (const char* mode : {"raymarch", "path --samples 16"}) {
        const Outcome o = runShell(std::string(WISP_BINARY " render ball.toml --frames 3 --steps-per-frame 6 --size 64x48 --out p%01d.pfm "
                                                           "--overwrite --log-level quiet --set render.mode=") +
                                       mode,
                                   scratch.path());
        ASSERT_EQ(o.status, 0) << o.errors;
        for (const char* file : {"p0.pfm", "p1.pfm", "p2.pfm"}) {
            const Ball ball = ballOf(readFile(scratch.path() / file));
            // If the camera did not move, the ball would move 0.75 m or 34 pixels between pictures. Tolerance: half a pixel, because
            // samples lie anywhere in their pixel.
            EXPECT_NEAR(ball.middle.x, 0.5 * kWidth, 0.5) << mode << " " << file;
            EXPECT_NEAR(ball.middle.y, 0.5 * kHeight, 0.5) << mode << " " << file;
            // From 2 m away the ball has a radius of 9 pixels. Half of the 57 pixels at its edge may be misclassified.
            EXPECT_NEAR(ball.pixels, glm::pi<double>() * 81.0, 28.0) << mode << " " << file;
        }
    }
}

}  // namespace
}  // namespace wisp::test
