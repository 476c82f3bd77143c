// SPDX-License-Identifier: MIT
// Raymarch against path tracing, in a case that both solve exactly: single scattering without an environment.
#include "tests/physics/simulation.h"
#include "tests/support/verification.h"

#include <array>
#include <cmath>
#include <fmt/format.h>

namespace wisp::test {
namespace {

double luminance(dvec4 c) { return 0.2126 * c.x + 0.7152 * c.y + 0.0722 * c.z; }

// The deviation that the largest of `pixels` correct pixels exceeds with a probability of 0.01 (Sidak), by bisection.
double largestDeviation(double pixels) {
    const double each = 1.0 - std::pow(0.99, 1.0 / pixels);
    double low = 0.0, high = 10.0;
    for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        (std::erfc(middle / std::sqrt(2.0)) > each ? low : high) = middle;
    }
    return low;
}

class RaymarchAgainstPath : public PhysicsTest {
protected:
    // A puff above a ground, a ball and a brick beside it, a low sun and a point light. Raymarch marches shadow rays in steps of about a
    // quarter of a cell, because the light volume blurs shadows by its cells. No emission, because paths with one bounce also scatter
    // emitted light.
    Settings scene() {
        Settings s = stillBox({24, 24, 24}, 1.0f / 24);
        s.initial.push_back({.field = InitialField::Gaussian, .shape = {.centre = {0.5f, 0.5f, 0.5f}, .radius = 0.17f}, .density = 1.0f});
        s.medium = {.extinction = 8.0f, .albedo = {0.9f, 0.8f, 0.7f}, .octaves = 1};
        s.medium.phase = {.g = 0.5f, .gBack = -0.3f, .blend = 0.3f};
        s.obstacles.push_back({.shape = {.centre = {0.3f, 0.25f, 0.7f}, .radius = 0.15f}});
        s.obstacles.push_back({.shape = {ShapeKind::Box, {0.75f, 0.3f, 0.4f}, 0.0f, {0.08f, 0.12f, 0.1f}}, .rotation = {0.3f, 0.5f, 0.1f}});
        s.lights.push_back({.direction = {-0.6f, -0.7f, 0.35f}, .colour = {1.0f, 0.9f, 0.8f}, .intensity = 3.0f});
        s.lights.push_back({.kind = LightKind::Point, .position = {-0.3f, 0.9f, 1.5f}, .colour = {0.5f, 0.7f, 1.0f}, .intensity = 1.0f});
        s.environment = {.colour = glm::vec3(0.0f), .ground = true};
        s.camera = {.eye = {0.6f, 0.8f, 2.4f}, .target = {0.5f, 0.4f, 0.5f}, .fov = 0.5f};
        s.render.size = {32, 24};
        s.render.step = 1.0f / 92;
        s.render.shadows = Shadows::March;
        s.render.bounces = 1;
        s.render.antialias = false;
        return s;
    }
    void expectSamePicture(Settings s, const std::string& name);
};

// Path tracing with one bounce converges to the image of raymarch.
void RaymarchAgainstPath::expectSamePicture(Settings s, const std::string& name) {
    s.render.size *= sized(1u, 3u);
    Simulation marching(device(), s);
    marching.draw();
    const Field marched = fieldOf(marching.renderer.radiance()), depth = fieldOf(marching.renderer.depth());
    double brightest = 0.0;
    for (const dvec4& c : marched.values()) brightest = std::max(brightest, luminance(c));
    s.render.mode = RenderMode::Path;
    Simulation simulation(device(), s);
    constexpr std::uint32_t kSamples[] = {40, 600};
    double errors[2] = {};
    for (int pass = 0; pass < 2; ++pass) {
        const PathReport report = simulation.trace(kSamples[pass]);
        EXPECT_EQ(report.cut, 0.0);
        const Field mean = fieldOf(simulation.renderer.path()->mean()), spread = fieldOf(simulation.renderer.path()->spread());
        const double n = report.samples, pixels = static_cast<double>(mean.count()), allowed = largestDeviation(pixels);
        double passed = 0.0, bias = 0.0, variance = 0.0, worst = 0.0, total = 0.0;
        forEach(mean.size(), [&](ivec3 p) {
            const double L = luminance(marched(p)), difference = luminance(mean(p)) - L, own = spread(p).x / (n - 1.0) / n;
            // The variance of the samples misses rare paths in thin smoke. Therefore the light of one such path is added. The image of
            // raymarch is stored as 16-bit floats, with an error of up to 1/1024.
            const double deviation = difference / std::sqrt(own + std::pow(brightest / n, 2.0) + std::pow(L / 1024.0, 2.0));
            worst = std::max(worst, std::abs(deviation));
            passed += std::abs(deviation) <= allowed ? 1.0 : 0.0;
            bias += difference / pixels;
            total += L / pixels;
            variance += own / (pixels * pixels);
            errors[pass] += difference * difference / pixels;
        });
        if (pass == 0) continue;
        const std::string what = fmt::format("{}, {}x{} pixels, {} paths, ", name, s.render.size.x, s.render.size.y, report.samples);
        expectAtLeast(Row::RaymarchPath, what + "share of pixels within the allowed deviation", passed / pixels, 0.9975);
        expectNear(Row::RaymarchPath, what + "mean difference / mean", bias / total, 0.0, 3.0 * std::sqrt(variance) / total + 1.0 / 1024.0);
        reportOnly(Row::RaymarchPath, fmt::format("{}largest deviation in standard errors, {:.3g} allowed", what, allowed), worst);
    }
    // Pixels where half of the paths hit something, nearer than the horizon of the ground. The standard deviation of a path's depth is less
    // than 1.5 m there, so the mean of 640 samples of 300 pixels has an error of less than 1.5 / 438 = 3.4 mm.
    const Field traced = fieldOf(simulation.renderer.depth());
    double difference = 0.0, seen = 0.0;
    for (std::size_t i = 0; i < depth.count(); ++i) {
        if (marched.values()[i].w < 0.5 || depth.values()[i].x > 3.5) continue;
        difference += depth.values()[i].x - traced.values()[i].x;
        seen += 1.0;
    }
    EXPECT_GT(seen, 300.0);
    EXPECT_NEAR(difference / seen, 0.0, 4.0 * 3.4e-3);
    // With 16 times the samples, the distance to the same image is a quarter. With 768 pixels this ratio has an error of 10 %.
    EXPECT_NEAR(std::sqrt(errors[0] / errors[1]), 4.0, 0.4);
}

TEST_F(RaymarchAgainstPath, SingleScatteringIsTheSamePicture) { expectSamePicture(scene(), "white smoke"); }

// A dark red puff and a green puff, mixed in the middle.
TEST_F(RaymarchAgainstPath, ColouredSmokeIsTheSamePicture) {
    Settings s = scene();
    s.initial.push_back(s.initial[0]);
    s.initial[0].shape.centre.x = 0.35f;
    s.initial[0].colour = {0.7f, 0.1f, 0.1f};
    s.initial[1].shape.centre.x = 0.65f;
    s.initial[1].colour = {0.2f, 1.0f, 0.4f};
    expectSamePicture(s, "smoke of two colours");
}

// The cells of the light volume blur shadows. Without hard edges the error of the linearly interpolated root of the transmittance is of
// second order: half the cell size gives a quarter of the error, until the steps of the march through the volume dominate, as they do at
// the finest volume. Hard shadows are wrong only near their edges, in a band as wide as a cell, so the rms error falls with the square root
// of the cell size.
class LightRatio : public RaymarchAgainstPath {
protected:
    Field draw(Settings s, Shadows shadows, std::uint32_t ratio) {
        s.render.shadows = shadows;
        s.render.lightRatio = ratio;
        Simulation simulation(device(), s);
        simulation.draw();
        return fieldOf(simulation.renderer.radiance());
    }
    /// Rms of the difference to the marched image, relative to the rms of that image, for ratios 4, 2, 1.
    std::array<double, 3> errorsOf(const Settings& s) {
        const Field marched = draw(s, Shadows::March, 2);
        std::array<double, 3> errors{};
        double own = 0.0;
        for (const dvec4& c : marched.values()) own += luminance(c) * luminance(c);
        for (std::size_t i = 0; i < 3; ++i) {
            const Field picture = draw(s, Shadows::Volume, 4u >> i);
            for (std::size_t p = 0; p < picture.count(); ++p)
                errors[i] += std::pow(luminance(picture.values()[p]) - luminance(marched.values()[p]), 2.0);
            errors[i] = std::sqrt(errors[i] / own);
        }
        return errors;
    }
};

TEST_F(LightRatio, FinerVolumesConvergeToMarchedShadows) {
    Settings s = scene();
    const auto hard = errorsOf(s);
    s.obstacles.clear();
    s.environment.ground = false;
    const auto soft = errorsOf(s);
    for (std::size_t i = 1; i < 3; ++i) {
        EXPECT_GE(hard[i - 1] / hard[i], std::sqrt(2.0)) << hard[i - 1] << " to " << hard[i];
        EXPECT_GE(soft[i - 1] / soft[i], 2.0) << soft[i - 1] << " to " << soft[i];
    }
    EXPECT_GE(soft[0] / soft[2], 8.0) << "the convergence must be nearer to second order than to first order: " << soft[0] << " to "
                                      << soft[2];
}

}  // namespace
}  // namespace wisp::test
