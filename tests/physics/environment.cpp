// SPDX-License-Identifier: MIT
// Environments that vary with the direction, and spot lights: position and amount of light.
#include "tests/physics/simulation.h"
#include "tests/reference/light.h"

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <cmath>

namespace wisp::test {
namespace {

constexpr double kSigmas = 4.0;  // a correct estimate is farther off once in 16,000 cases, and the seeds are fixed
constexpr double kPi = glm::pi<double>();

class LightEnvironment : public PhysicsTest, public testing::WithParamInterface<RenderMode> {
protected:
    [[nodiscard]] bool path() const { return GetParam() == RenderMode::Path; }
    /// An empty box of 1 m without light.
    Settings empty() {
        Settings s = stillBox({16, 16, 16}, 0.0625f);
        s.environment.colour = glm::vec3(0.0f);
        s.render.mode = GetParam();
        s.render.size = {16, 16};
        return s;
    }
    /// Mean of the first channel of the image, and its standard error (0 for raymarch).
    std::pair<double, double> meanOf(const Settings& s, std::uint32_t samples) {
        Simulation simulation(device(), s);
        if (path()) {
            const PathReport r = simulation.trace(samples);
            return {r.luminance, r.error * r.luminance};
        }
        simulation.draw();
        const Field picture = fieldOf(simulation.renderer.radiance());
        double mean = 0.0;
        for (const dvec4& c : picture.values()) mean += c.x / static_cast<double>(picture.count());
        return {mean, 0.0};
    }
};
INSTANTIATE_TEST_SUITE_P(Modes, LightEnvironment, testing::Values(RenderMode::Raymarch, RenderMode::Path));

TEST_P(LightEnvironment, ImagesHaveTheRightOrientation) {
    // Four columns at about -135, -45, 45, 135 degrees from -z towards +x, and three rows. Powers of two are exact in 16-bit floats.
    auto image = std::make_shared<EnvironmentImage>(EnvironmentImage{{4, 3}, {}});
    for (const float v : {64.f, 64.f, 64.f, 64.f, 1.f, 2.f, 4.f, 8.f, 0.5f, 0.5f, 0.5f, 0.5f}) image->texels.emplace_back(v);
    struct Case {
        glm::vec3 direction;
        float degrees;
        double seen;
    };
    // Rotation by the right-hand rule about +y: by 90 degrees, the centre of the image moves from -z to -x.
    const Case cases[] = {{{-1, 0, 1}, 0, 1},  {{-1, 0, -1}, 0, 2},  {{1, 0, -1}, 0, 4},   {{1, 0, 1}, 0, 8},      {{0, 0, -1}, 0, 3},
                          {{1, 0, 0}, 0, 6},   {{-1, 0, 0}, 0, 1.5}, {{0, 0, 1}, 0, 4.5},  {{0.01f, 1, 0}, 0, 64}, {{0.01f, -1, 0}, 0, 0.5},
                          {{-1, 0, 0}, 90, 3}, {{0, 0, 1}, -90, 6},  {{1, 0, 0}, 180, 1.5}};
    for (const Case& c : cases) {
        Settings s = empty();
        s.environment.image = image;
        s.environment.rotation = glm::radians(c.degrees);
        s.camera = {.eye = glm::vec3(0.5f), .target = glm::vec3(0.5f) + c.direction, .fov = 0.0174533f};
        s.render.size = {1, 1};
        s.render.antialias = false;
        // The shader's atan has an error of 2^-10 pi, and a texel is up to pi / 2 wide. The next row may be 64 times as bright, and a row
        // is 1/3 of the height. 16-bit floats lose 2^-11.
        const double allowed = c.direction.y != 0.0f ? 1e-6 : 3.0 * 63.0 * std::exp2(-10.0) * 0.01 + 4.0 * 7.0 * std::exp2(-10.0);
        EXPECT_NEAR(meanOf(s, 1).first, c.seen, allowed + c.seen / 2048.0)
            << c.direction.x << " " << c.direction.y << " " << c.direction.z << " turned " << c.degrees;
    }
}

TEST_P(LightEnvironment, LightsTheGround) {
    // Radiance 1 at the horizon and 4 at the top: L = 1 + 3 y. Diffuse ground of colour 0.5 reflects 0.5 (1/3 + 4 2/3).
    Settings s = empty();
    s.environment.colour = glm::vec3(1.0f);
    s.environment.top = glm::vec3(4.0f);
    s.environment.ground = true;
    s.render.groundColour = glm::vec3(0.5f);
    s.camera = {.eye = {0.5f, 0.9f, 0.5f}, .target = {0.5f, 0.0f, 0.51f}, .fov = 0.3f};
    const auto [mean, error] = meanOf(s, 32);
    const double exact = 0.5 * 3.0;
    // With three bands of spherical harmonics, abs(y) has the cosine-weighted mean 1/2 + 5/32 instead of 2/3, which is 1/96 too little.
    const double expected = path() ? exact : 0.5 * (1.0 + 3.0 * (0.5 + 5.0 / 32.0));
    EXPECT_NEAR(exact - expected, path() ? 0.0 : 0.5 * 3.0 / 96.0, 1e-12);
    // Error of the map's rows: 3 (pi / 129)^2 / 8. 16-bit floats add 2^-11 each for the sky and the image.
    EXPECT_NEAR(mean, expected, kSigmas * error + 3e-4 + (path() ? 0.0 : 2.0 * expected / 2048.0));
    EXPECT_LT(error, 0.01 * mean);
}

TEST_P(LightEnvironment, IsVisibleBeyondTheEdgeOfTheGround) {
    Settings s = empty();
    s.environment = {.colour = glm::vec3(1.0f), .ground = true, .groundRadius = 1.2f};
    s.render.groundColour = glm::vec3(0.0f);
    for (const double r : {1.1, 1.5, 1.8, 2.5}) {
        s.camera = {.eye = {0.5f, 1.4f, 0.5f}, .target = {0.5f, 0.0f, 0.5f - static_cast<float>(r)}, .fov = 0.0174533f};
        const auto [mean, error] = meanOf(s, 32);
        const double u = std::clamp(r / 1.2 - 1.0, 0.0, 1.0), expected = u * u * (3.0 - 2.0 * u);
        // A pixel covers up to 0.05 m there, and the coverage changes linearly over it. At a kink, at most a quarter of the slope of 1.5 /
        // 1.2 may be missing.
        EXPECT_NEAR(mean, expected, kSigmas * error + 0.25 * 0.05 * 1.5 / 1.2 + 1e-3) << r;
    }
}

TEST_P(LightEnvironment, LightsThinSmokeThroughThePhaseFunction) {
    // L = abs(y), seen along the horizon, which is almost dark. The scattered light is the mean of L, weighted with the phase function
    // around the ray, computed with the midpoint rule on the sphere.
    Settings s = empty();
    s.environment.top = s.environment.bottom = glm::vec3(1.0f);
    s.initial.push_back({.shape = {ShapeKind::Box, glm::vec3(0.5f), 0.0f, glm::vec3(1.0f)}, .density = 1.0f});
    s.medium.extinction = 0.02f;
    s.medium.albedo = glm::vec3(1.0f);
    s.camera = {.eye = {0.5f, 0.5f, 3.0f}, .target = {0.5f, 0.5f, 0.0f}, .fov = 0.0174533f};
    s.render.bounces = 1;
    s.render.antialias = false;
    for (const PhaseSettings& lobes :
         {PhaseSettings{.g = 0.5f, .gBack = -0.3f, .blend = 0.3f}, PhaseSettings{.g = 0.0f, .gBack = 0.0f, .blend = 0.0f}}) {
        s.medium.phase = lobes;
        double scattered = 0.0;
        constexpr int kSteps = 400;
        for (int i = 0; i < kSteps; ++i)
            for (int j = 0; j < kSteps; ++j) {
                const double y = -1.0 + 2.0 * (i + 0.5) / kSteps, a = 2.0 * kPi * (j + 0.5) / kSteps;
                const double cosine = std::sqrt(1.0 - y * y) * std::cos(a);
                scattered += std::abs(y) * phase(cosine, double(lobes.g), double(lobes.gBack), double(lobes.blend)) * 4.0 * kPi /
                             (kSteps * kSteps);
            }
        const double factor4 = (1.0 - double(lobes.blend)) * std::pow(double(lobes.g), 4.0) +
                               double(lobes.blend) * std::pow(double(lobes.gBack), 4.0);
        // Raymarch leaves out the bands from the fourth on. For abs(y) the fourth is -3/16 P4, P4(0) = 3/8, and the sixth is 13/128 P6,
        // P6(0) = -5/16.
        const double bands = path() ? 0.0
                                    : 3.0 / 16.0 * 3.0 / 8.0 * std::abs(factor4) + 13.0 / 128.0 * 5.0 / 16.0 * std::abs(factor4) / 4.0;
        const double depth = double(s.medium.extinction);
        s.render.size = {64, 64};
        double background = 0.0;
        const double half = std::tan(0.5 * 0.0174533);
        for (int x = 0; x < 64; ++x)
            for (int y = 0; y < 64; ++y)
                background += std::abs(glm::normalize(dvec3(half * ((x + 0.5) / 32.0 - 1.0), half * ((y + 0.5) / 32.0 - 1.0), 1.0)).y) /
                              4096.0;
        const auto [mean, error] = meanOf(s, path() ? 512 : 1);
        // Extinction on the path to the camera (half the depth on average) and from the environment (at most 0.87 m to a corner of the
        // cube), and 16-bit floats, for twice the value.
        EXPECT_NEAR((mean - background * std::exp(-depth)) / depth, scattered,
                    kSigmas * error / depth + bands + 1.4 * scattered * depth + 4.0 * scattered / 2048.0)
            << lobes.g;
        EXPECT_LT(error / depth, 0.02 * scattered) << "too noisy for this test";
    }
}

TEST_P(LightEnvironment, SmokeWithoutAbsorptionIsInvisibleInAUniformEnvironment) {
    Settings s = empty();
    s.environment.colour = glm::vec3(1.0f);
    s.initial.push_back({.shape = {ShapeKind::Sphere, glm::vec3(0.5f), 0.4f}, .density = 1.0f});
    s.medium.albedo = glm::vec3(1.0f);
    s.camera = {.eye = {0.5f, 0.5f, 3.0f}, .target = glm::vec3(0.5f), .fov = 0.3f};
    for (const float extinction : {1.0f, 10.0f, 100.0f}) {
        s.medium.extinction = extinction;
        const auto [mean, error] = meanOf(s, 64);
        // Raymarch ends when 0.001 of the background is left. The image has 16-bit floats.
        EXPECT_NEAR(mean, 1.0, kSigmas * error + (path() ? 1e-6 : 1e-3 + 1.0 / 2048.0)) << extinction;
        EXPECT_LT(error, 0.01) << extinction;
    }
}

TEST_P(LightEnvironment, ASpotLightsOnlyItsCone) {
    // A spot 2 m above the ground, pointing straight down, 60 degrees wide, with a uniform inner half.
    Settings s = empty();
    s.environment.ground = true;
    s.render.groundColour = glm::vec3(0.5f);
    s.lights.push_back({.kind = LightKind::Spot, .direction = {0.0f, -3.0f, 0.0f}, .position = {0.5f, 2.0f, 0.5f}, .intensity = 8.0f});
    s.lights[0].angle = glm::radians(60.0f);
    s.lights[0].softness = 0.5f;
    s.render.antialias = false;
    s.render.size = {1, 1};
    for (const double degrees : {0.0, 10.0, 14.0, 20.0, 25.0, 29.0, 31.0, 60.0}) {
        const double angle = glm::radians(degrees), cosine = std::cos(angle), aside = 2.0 * std::tan(angle);
        s.camera.target = {0.5f + static_cast<float>(aside), 0.0f, 0.5f};
        s.camera.eye = s.camera.target + glm::vec3(0.0f, 0.4f, 0.3f);
        const double edge = glm::smoothstep(std::cos(glm::radians(30.0)), std::cos(glm::radians(15.0)), cosine);
        const double exact = edge * 0.5 / kPi * 8.0 * cosine * cosine * cosine / 4.0;
        // The ray finds the ground to 1e-5 m, at a distance of 2 m. The image has 16-bit floats.
        EXPECT_NEAR(meanOf(s, 2).first, exact, 1e-4 + exact / 1024.0) << degrees;
    }
}

}  // namespace
}  // namespace wisp::test
