// SPDX-License-Identifier: MIT
// The clear coat of obstacles, without smoke.
#include "tests/physics/simulation.h"
#include "tests/reference/reflection.h"
#include "tests/support/verification.h"

#include <glm/gtc/constants.hpp>

#include <algorithm>
#include <cmath>

namespace wisp::test {
namespace {

using namespace reference;

class Coat : public PhysicsTest {
protected:
    static Settings scene(Shape shape, float specular) {
        Settings s = stillBox(glm::uvec3(16), 1.0f / 16.0f);
        s.obstacles.push_back({.shape = shape});
        s.environment = {.colour = glm::vec3(0.0f)};
        s.render.antialias = false;  // image and path tracing use the same rays
        s.render.size = {48, 48};
        s.render.obstacleColour = glm::vec3(0.5f, 0.3f, 0.1f);
        s.render.obstacleSpecular = specular;
        s.render.obstacleRoughness = 0.4f;
        return s;
    }
};

// With one bounce nothing is random, so image and path tracing agree up to rounding of 16-bit floats and of normals. Normals are
// differences over 0.02 cells, with an error of 4 * 2^-24 / (0.02 / 16) = 2e-4. The slope of the highlight is about 2 / alpha = 12, so the
// error is 0.3 %.
TEST_F(Coat, BallInTheSunMatchesPathTracing) {
    double peaks[2];
    for (const float specular : {0.0f, 0.04f}) {
        Settings s = scene({.centre = {0.5f, 0.5f, 0.5f}, .radius = 0.3f}, specular);
        s.lights.push_back({.direction = {-0.6f, -0.6f, -0.5f}, .intensity = 3.0f});
        s.camera = {.eye = {0.5f, 0.5f, 2.5f}, .target = {0.5f, 0.5f, 0.5f}, .fov = 0.32f};
        const Field picture = pictureOf(s);
        s.render.mode = RenderMode::Path;
        s.render.bounces = 1;
        Simulation simulation(device(), s);
        simulation.trace(1);
        const Field traced = fieldOf(simulation.renderer.path()->mean());
        double& peak = peaks[specular > 0.0f];
        peak = 0.0;
        for (const dvec4& c : traced.values()) peak = std::max(peak, c.x);
        int lit = 0, away = 0;
        forEach(picture.size(), [&](ivec3 p) {
            lit += traced(p).x > 0.0;
            for (int c = 0; c < 3; ++c) away += std::abs(picture(p)[c] - traced(p)[c]) > 0.003 * peak;
        });
        EXPECT_GT(lit, 500);
        EXPECT_LE(away, lit / 50) << "at the terminator the offset of the ray origin, 0.001 cells, decides between light and shadow";
    }
    EXPECT_GT(peaks[1], 1.5 * peaks[0]) << "the coat must add a highlight";
}

// Under a white environment a surface reflects the integral of its reflectance over the hemisphere, which is less than 1.
TEST_F(Coat, ReflectsTheIntegralOfItsReflectance) {
    for (const double angle : {0.0, 1.2}) {
        Settings s = scene({.kind = ShapeKind::Box, .centre = {0.5f, 0.5f, 0.2f}, .half = {0.3f, 0.3f, 0.2f}}, 0.2f);
        s.environment.colour = glm::vec3(1.0f);
        s.render.mode = RenderMode::Path;
        s.render.size = {16, 16};
        const dvec3 eye(std::sin(angle), 0.0, std::cos(angle)), normal(0.0, 0.0, 1.0);
        const glm::vec3 target(0.5f, 0.5f, 0.4f);
        s.camera = {.eye = target + 3.0f * glm::vec3(eye), .target = target, .fov = 0.0174533f};
        const gpu::SurfaceData surface{s.render.obstacleColour, 0.2f, 0.4f};
        dvec3 expected(0.0);
        constexpr int kRows = 2000;  // the lobe is 0.16 wide, so the error of the midpoint rule is below 1e-4
        for (int i = 0; i < kRows; ++i)
            for (int k = 0; k < kRows; ++k) {
                const double z = (i + 0.5) / kRows, phi = 2.0 * glm::pi<double>() * (k + 0.5) / kRows, r = std::sqrt(1.0 - z * z);
                expected += reflected(surface, 0.16, normal, eye, {r * std::cos(phi), r * std::sin(phi), z}) *
                            (2.0 * glm::pi<double>() / (double(kRows) * kRows));
            }
        EXPECT_LT(std::max({expected.x, expected.y, expected.z}), 1.0);
        Simulation simulation(device(), s);
        const PathReport report = simulation.trace(sized(64, 1024));
        const double luminance = glm::dot(expected, dvec3(0.2126, 0.7152, 0.0722));
        // The camera is 0.5 degrees wide. At 1.2 rad the Fresnel reflectance changes by 5 (1 - c)^4 sin(angle) of that angle, linearly to
        // both sides.
        EXPECT_NEAR(report.luminance, luminance, 4.0 * report.error * report.luminance + 1e-3 * luminance) << angle;
        EXPECT_LT(report.error, 0.01);
    }
}

}  // namespace
}  // namespace wisp::test
