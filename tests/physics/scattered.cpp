// SPDX-License-Identifier: MIT
// Multiple scattering, by discrete ordinates.
#include "tests/physics/simulation.h"
#include "tests/support/verification.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

namespace wisp::test {
namespace {

class ScatteredLightTest : public PhysicsTest {
protected:
    // Three puffs in clear air. The ray through the densest puff has the optical depth `depth`.
    static Settings cloud(float depth, std::uint32_t cells) {
        Settings s = stillBox(glm::uvec3(cells), 1.0f / static_cast<float>(cells));
        s.initial.push_back({.field = InitialField::Gaussian, .shape = {.centre = {0.45f, 0.5f, 0.5f}, .radius = 0.16f}, .density = 1.0f});
        s.initial.push_back({.field = InitialField::Gaussian, .shape = {.centre = {0.65f, 0.6f, 0.45f}, .radius = 0.1f}, .density = 0.8f});
        s.initial.push_back({.field = InitialField::Gaussian, .shape = {.centre = {0.5f, 0.3f, 0.6f}, .radius = 0.12f}, .density = 0.6f});
        s.medium.extinction = depth / 0.35f;
        s.medium.phase = {.g = 0.6f, .gBack = 0.0f, .blend = 0.0f};
        s.environment.colour = glm::vec3(0.0f);
        s.camera = {.eye = {0.5f, 0.5f, 3.0f}, .target = glm::vec3(0.5f), .fov = 0.36f};
        s.render.size = {24, 24};
        s.render.antialias = false;
        return s;
    }
};

// Smoke in a uniform environment is invisible if it scatters all light, or if it emits the radiance of the environment. Source, scattered
// light and image are 16-bit floats, truncated: 2^-11 each. The sweeps end before the light in the deepest smoke without absorption has
// converged, with an error of up to 2 %.
TEST_F(ScatteredLightTest, IsInvisibleInAUniformEnvironment) {
    for (const float depth : {0.3f, 30.0f})
        for (const float albedo : {0.0f, 0.5f, 0.9f, 1.0f}) {
            Settings s = cloud(depth, 16);
            s.medium.albedo = glm::vec3(albedo);
            s.environment.colour = glm::vec3(1.0f);
            s.medium.emission = glm::vec3(1.0f);
            double low = 1e9, high = 0.0;
            const Field picture = pictureOf(s);
            for (const dvec4& c : picture.values()) {
                low = std::min(low, c.x);
                high = std::max(high, c.x);
            }
            const double tolerance = depth > 1.0f && albedo == 1.0f ? 0.025 : 1.5e-3;
            EXPECT_NEAR(low, 1.0, tolerance) << "depth " << depth << " albedo " << albedo;
            EXPECT_NEAR(high, 1.0, tolerance) << "depth " << depth << " albedo " << albedo;
        }
}

struct Compared {
    double mean, rms, darkest, brightest;
};

// Statistics of the pixels with smoke. Two traced images give the noise of their mean. One of them selects the darkest and the brightest
// quarter, and the other gives the values. Otherwise the noise of a pixel would influence its selection.
Compared compare(const Field& marched, const Field& a, const Field& b, int channel) {
    std::vector<std::size_t> pixels;
    double marchedSum = 0.0, tracedSum = 0.0, squares = 0.0;
    for (std::size_t i = 0; i < marched.count(); ++i) {
        if (marched.values()[i].w <= 0.02) continue;
        pixels.push_back(i);
        const double m = marched.values()[i][channel], traced = 0.5 * (a.values()[i][channel] + b.values()[i][channel]),
                     noise = traced - a.values()[i][channel];
        marchedSum += m;
        tracedSum += traced;
        squares += (m - traced) * (m - traced) - noise * noise;
    }
    const std::size_t quarter = pixels.size() / 4;
    double m[2] = {}, t[2] = {};
    for (const auto& [chooses, tells] : {std::pair{&a, &b}, std::pair{&b, &a}}) {
        std::ranges::sort(pixels, {}, [&](std::size_t i) { return chooses->values()[i][channel]; });
        for (std::size_t n = 0; n < quarter; ++n)
            for (int end = 0; end < 2; ++end) {
                const std::size_t i = end == 0 ? pixels[n] : pixels[pixels.size() - 1 - n];
                m[end] += marched.values()[i][channel];
                t[end] += tells->values()[i][channel];
            }
    }
    const double n = static_cast<double>(pixels.size());
    return {marchedSum / tracedSum, std::sqrt(std::max(squares, 0.0) / n) / (tracedSum / n), m[0] / t[0], m[1] / t[1]};
}

TEST_F(ScatteredLightTest, MatchesPathTracing) {
    const glm::vec3 suns[] = {// From the side, behind the smoke, in front of it.
                              {-1.0f, -0.2f, 0.1f},
                              {0.1f, -0.1f, 1.0f},
                              {0.1f, -0.2f, -1.0f}};
    for (const float depth : {3.0f, 10.0f})
        for (const glm::vec3& sun : suns) {
            if (depth < 10.0f && &sun != suns) continue;
            Settings s = cloud(depth, 64);
            s.medium.albedo = {0.6f, 0.9f, 0.99f};
            s.lights.push_back({.direction = sun, .intensity = 3.0f});
            const Field marched = pictureOf(s);
            const std::array<Field, 2> traced = tracedTwice(s, 140);
            for (int channel = 0; channel < 3; ++channel) {
                const Compared c = compare(marched, traced[0], traced[1], channel);
                const std::string what = fmt::format(
                    "depth {}, sun {} {} {}, albedo {}: mean {:.3f} rms {:.3f} darkest {:.3f} brightest {:.3f}", depth, sun.x, sun.y, sun.z,
                    s.medium.albedo[channel], c.mean, c.rms, c.darkest, c.brightest);
                EXPECT_NEAR(c.mean, 1.0, 0.05) << what;
                EXPECT_LT(c.rms, 0.1) << what;
                EXPECT_NEAR(c.darkest, 1.0, 0.08) << what;
                EXPECT_NEAR(c.brightest, 1.0, 0.08) << what;
            }
        }
}

// Smoke before the sun, beside it and behind the camera, from directions that are not axes of the grid: 14 directions would resolve neither
// lobe. `angle`: between the directions to the sun and of the camera's ray.
TEST_F(ScatteredLightTest, LooksTheSameFromAllDirections) {
    constexpr PhaseSettings kPhases[] = {{}, {.g = 0.7f, .gBack = 0.0f, .blend = 0.0f}};
    std::mt19937 random(57);
    std::normal_distribution<float> normal;
    const auto direction = [&] { return glm::normalize(glm::vec3(normal(random), normal(random), normal(random))); };
    for (const PhaseSettings& phase : kPhases)
        for (const float angle : {0.0f, 0.6f, 1.2f, 2.2f}) {
            Settings s = cloud(3.0f, 64);
            s.medium.phase = phase;
            s.medium.albedo = {0.6f, 0.9f, 0.99f};
            const glm::vec3 ray = direction(), aside = glm::normalize(glm::cross(ray, direction()));
            s.camera.eye = s.camera.target - 2.5f * ray;
            s.lights.push_back({.direction = -std::cos(angle) * ray - std::sin(angle) * aside, .intensity = 3.0f});
            const Field marched = pictureOf(s);
            const std::array<Field, 2> traced = tracedTwice(s, 140);
            for (int channel = 0; channel < 3; ++channel) {
                const Compared c = compare(marched, traced[0], traced[1], channel);
                const std::string what = fmt::format("g {}, {} degrees to the sun, ray {:.2f} {:.2f} {:.2f}, albedo {}: ", phase.g,
                                                     std::lround(angle * 180.0f / 3.14159f), ray.x, ray.y, ray.z, s.medium.albedo[channel]);
                expectNear(Row::AllDirections, what + "mean", c.mean, 1.0, 0.05);
                expectAtMost(Row::AllDirections, what + "rms difference / mean", c.rms, 0.1);
                // Thin smoke is lit by the dense smoke beside it, which 14 directions see in steps. The goal is 0.08.
                expectNear(Row::AllDirections, what + "darkest quarter", c.darkest, 1.0, 0.16);
                expectNear(Row::AllDirections, what + "brightest quarter", c.brightest, 1.0, 0.08);
            }
        }
}

// Sun, sky, lamp and fire together are as bright as each alone. Picture, volume of scattered light and sources of the last sweep are
// rounded to halves, each within 2^-11, in the picture of all and in each of the others. Cells of the ordinates near a lamp take more
// samples of the smoke, which changes their mean: by less than the rest of this bound.
TEST_F(ScatteredLightTest, AddsUpOverTheLights) {
    struct Case {
        float depth;
        bool sparse;
    };
    for (const auto& [depth, sparse] : {Case{0.3f, false}, Case{3.0f, false}, Case{3.0f, true}, Case{30.0f, false}, Case{30.0f, true}}) {
        Settings empty = cloud(depth, 32);
        empty.grid.sparse = sparse;
        empty.grid.pressureRatio = 2;
        empty.render.scatteringCells = 16;
        empty.medium.phase = {};
        empty.medium.albedo = {0.5f, 0.9f, 0.99f};
        empty.fire.expansion = 0.0f;
        empty.fire.glow = 0.0f;
        empty.initial.push_back({.shape = {.centre = {0.5f, 0.4f, 0.5f}, .radius = 0.1f}, .temperature = 1207.0f, .fuel = 1e-4f});
        std::array<Settings, 4> alone;
        alone.fill(empty);
        alone[0].lights.push_back({.direction = {-0.5f, -0.7f, 0.6f}, .intensity = 3.0f});
        alone[1].lights.push_back({.kind = LightKind::Point, .position = {0.7f, 0.72f, 0.6f}, .intensity = 0.3f});
        alone[2].environment.colour = glm::vec3(0.05f);
        alone[3].fire.glow = 300.0f;
        Settings all = empty;
        all.lights = {alone[0].lights[0], alone[1].lights[0]};
        all.environment.colour = alone[2].environment.colour;
        all.fire.glow = alone[3].fire.glow;
        const Field together = pictureOf(all);
        Field sum(together.size());
        for (const Settings& s : alone) {
            const Field one = pictureOf(s);
            double most = 0.0;
            for (std::size_t i = 0; i < sum.count(); ++i) {
                sum.values()[i] += one.values()[i];
                most = std::max(most, one.values()[i].y);
            }
            EXPECT_GT(most, 0.01) << "every light must count";
        }
        for (int channel = 0; channel < 3; ++channel) {
            double whole = 0.0, parts = 0.0;
            for (std::size_t i = 0; i < sum.count(); ++i) {
                const double a = together.values()[i][channel], b = sum.values()[i][channel];
                EXPECT_NEAR(a, b, 3.0 / 2048.0 * (a + b))
                    << "depth " << depth << " sparse " << sparse << " channel " << channel << " pixel " << i;
                whole += a;
                parts += b;
            }
            EXPECT_NEAR(whole / parts, 1.0, 1e-3) << "depth " << depth << " sparse " << sparse << " channel " << channel;
        }
    }
}

class LampInSmoke : public PhysicsTest {
protected:
    // A ball of smoke with an optical depth of 6 across, and a lamp. The ordinates have cells of 1/32 m (with 16
    // cells 1/16 m), with an optical depth of 0.3 (0.6).
    static Settings ball(dvec3 lamp, std::uint32_t cells = 64) {
        Settings s = stillBox(glm::uvec3(cells), 1.0f / static_cast<float>(cells));
        s.initial.push_back({.shape = {.centre = glm::vec3(0.5f), .radius = 0.3f}, .density = 1.0f});
        s.medium = {.extinction = 10.0f, .albedo = glm::vec3(0.9f)};
        s.medium.phase = {.g = 0.0f, .gBack = 0.0f, .blend = 0.0f};
        s.lights.push_back({.kind = LightKind::Point, .position = glm::vec3(lamp), .intensity = 5.0f});
        s.environment.colour = glm::vec3(0.0f);
        s.camera = {.eye = {0.5f, 0.5f, 3.0f}, .target = glm::vec3(0.5f), .fov = 0.7f};
        s.render.size = {48, 48};
        return s;
    }
    static double meanOf(const Field& picture) {
        double sum = 0.0;
        for (const dvec4& c : picture.values()) sum += c.x / static_cast<double>(picture.count());
        return sum;
    }
};

// From a corner of cells on, in parts of a cell. Path tracing says that the light grows by less than 1.3 % from place to place. With 1/r^2
// at centres of cells and of steps it changed by up to a factor of 3.
TEST_F(LampInSmoke, DoesNotFlashWhenItMoves) {
    for (const bool single : {true, false}) {
        double last = 0.0;
        for (int n = 0; n < 8; ++n) {
            Settings s = ball(dvec3(0.5) + 0.25 / 64.0 * n * dvec3(1.0, 0.62, 0.31));
            if (single) s.medium.octaves = 1;
            const double mean = meanOf(pictureOf(s));
            // Single scattering is stronger at the side of the camera, by up to 3 % a place, and pixels of 4 cm have 1 %.
            EXPECT_NEAR(mean / (n > 0 ? last : mean), 1.0, single ? 0.04 : 0.02) << "place " << n << ", single " << single;
            last = mean;
        }
    }
}

// Paths to a lamp in smoke have rare, bright samples, so that two pictures say how far their mean is known.
TEST_F(LampInSmoke, HasTheLightOfPathTracing) {
    struct Place {
        dvec3 lamp;
        std::uint32_t cells = 64;
    };
    const dvec3 coarseCell = dvec3(1.0, 0.62, 0.31) / 16.0;
    const Place places[] = {{dvec3(0.5)},     {dvec3(0.5 + 0.5 / 64)},        {{0.82, 0.505, 0.5}},         {{0.9, 0.505, 0.5}},
                            {dvec3(0.5), 16}, {0.5 + 0.375 * coarseCell, 16}, {0.5 + 0.75 * coarseCell, 16}};
    for (const auto& [lamp, cells] : places) {
        const Settings s = ball(lamp, cells);
        const std::array<Field, 2> traced = tracedTwice(s, 1500);
        const double a = meanOf(traced[0]), b = meanOf(traced[1]), truth = 0.5 * (a + b), noise = std::abs(a - b) / (a + b);
        EXPECT_LT(noise, 0.1);
        expectNear(Row::LampInSmoke,
                   fmt::format("{}^3 cells, lamp at {:.4g} {:.4g} {:.4g}, mean; twice the noise of path mode is allowed", cells, lamp.x,
                               lamp.y, lamp.z),
                   meanOf(pictureOf(s)) / truth, 1.0, 0.05 + 2.0 * noise);
    }
}

}  // namespace
}  // namespace wisp::test
