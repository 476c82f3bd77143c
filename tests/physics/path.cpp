// SPDX-License-Identifier: MIT
// Path tracing against exact answers, and the raymarcher against path tracing.
#include "tests/physics/simulation.h"

#include <glm/geometric.hpp>

#include <cmath>

namespace wisp::test {
namespace {

constexpr double kSigmas = 4.0;  // a right estimate is farther off once in 16,000 times, and seeds are fixed

// A cube of 1 m, of smoke of density 1; seen along -z, by rays that are parallel to 1/2 degree.
Settings cube(glm::uvec2 pixels) {
    Settings s = stillBox({16, 16, 16}, 0.0625f);
    s.initial.push_back({.shape = {ShapeKind::Box, glm::vec3(0.5f), 0.0f, glm::vec3(1.0f)}, .density = 1.0f});
    s.camera = {.eye = {0.5f, 0.5f, 3.0f}, .target = {0.5f, 0.5f, 0.0f}, .fov = 0.0174533f};
    s.render.mode = RenderMode::Path;
    s.render.size = pixels;
    s.medium.extinction = 2.0f;
    s.environment.colour = glm::vec3(0.0f);
    return s;
}

[[maybe_unused]] double luminance(dvec4 c) { return 0.2126 * c.x + 0.7152 * c.y + 0.0722 * c.z; }

class PathTrace : public PhysicsTest {};

TEST_F(PathTrace, WhiteFurnaceIsWhite) {
    Settings s = cube({32, 32});
    s.medium.extinction = 20.0f;
    s.medium.albedo = glm::vec3(1.0f);
    s.environment.colour = glm::vec3(1.0f);
    Simulation simulation(device(), s);
    const PathReport r = simulation.trace(8);
    printf("mean %.9f error %g segments/sample %g cut %g\n", r.luminance, r.error, r.segments / (8 * 1024), r.cut);
    EXPECT_NEAR(r.luminance, 1.0, 3.0 * r.error + 1e-6);
}

}  // namespace
}  // namespace wisp::test
