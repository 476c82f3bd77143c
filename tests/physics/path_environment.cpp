// SPDX-License-Identifier: MIT
// Path tracing with importance sampling of the environment image: the same light as without, with the variance that theory predicts.
#include "compute/sim/shaders.h"
#include "tests/physics/simulation.h"

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <cmath>
#include <random>

namespace wisp::test {
namespace {

constexpr double kEnvironmentSigmas = 4.0;  // a correct estimate is farther off once in 16,000 cases, and the seeds are fixed
constexpr double kPi = glm::pi<double>();

using Image = std::shared_ptr<EnvironmentImage>;

Image black(glm::uvec2 size) {
    return std::make_shared<EnvironmentImage>(
        EnvironmentImage{size, std::vector<glm::vec3>(std::size_t{size.x} * size.y, glm::vec3(0.0f))});
}

// Coloured, irregular, a third of it black.
Image noise() {
    const Image image = black({16, 8});
    std::mt19937 generator(5);
    std::uniform_real_distribution<float> uniform(-1.0f, 2.0f);
    for (glm::vec3& t : image->texels)
        for (int n = 0; n < 3; ++n) t[n] = std::max(uniform(generator), 0.0f);
    return image;
}

// Light only around the poles: half texels above and below the centres of rows, and mirrored directions.
Image poles() {
    const Image image = black({8, 5});
    for (std::size_t x = 0; x < 8; ++x) image->texels[x] = image->texels[32 + x] = glm::vec3(1.0f + static_cast<float>(x % 3));
    return image;
}

class PathEnvironment : public PhysicsTest {
protected:
    PathReport trace(const Settings& s, std::uint32_t samples, bool sampleImage = true) {
        engine::ShaderOptions options = shaderOptions(s);
        if (!sampleImage) options.constants["kEnvironmentSampled"] = 0;
        Simulation simulation(device(), s, options);
        const PathReport report = simulation.trace(samples);
        EXPECT_EQ(report.cut, 0.0);
        return report;
    }
    /// A puff of 1 m with a ball inside, above the ground.
    static Settings scene(Image image) {
        Settings s = stillBox({16, 16, 16}, 0.0625f);
        s.initial = {{.field = InitialField::Gaussian, .shape = {.centre = {0.5f, 0.5f, 0.5f}, .radius = 0.2f}, .density = 1.0f}};
        s.obstacles.push_back({.shape = {.centre = {0.4f, 0.25f, 0.7f}, .radius = 0.15f}});
        s.environment.image = std::move(image);
        s.environment.rotation = 1.0f;
        s.environment.ground = true;
        s.render.mode = RenderMode::Path;
        s.render.size = {32, 24};
        s.medium.extinction = 8.0f;
        s.camera = {.eye = {0.6f, 0.7f, 2.6f}, .target = {0.5f, 0.3f, 0.5f}, .fov = 0.5f};
        return s;
    }
};

TEST_F(PathEnvironment, MatchesTracingWithoutImportanceSampling) {
    for (const bool noisy : {true, false})
        for (const float extinction : {2.0f, 30.0f})
            for (const float g : {0.8f, 0.0f}) {
                Settings s = scene(noisy ? noise() : poles());
                s.medium.extinction = extinction;
                s.medium.phase = {.g = g, .gBack = -0.5f * g, .blend = 0.2f};
                const PathReport sampled = trace(s, 48), plain = trace(s, 96, false);
                const double a = sampled.luminance, b = plain.luminance;
                EXPECT_NEAR(a, b, kEnvironmentSigmas * std::hypot(sampled.error * a, plain.error * b))
                    << noisy << " " << extinction << " " << g;
                EXPECT_LT(std::max(sampled.error, plain.error), 0.008) << "too noisy for this test";
                RecordProperty("difference",
                               std::to_string(a / b - 1.0) + " " + std::to_string(sampled.error) + " " + std::to_string(plain.error));
            }
}

TEST_F(PathEnvironment, WhiteFurnaceIsWhite) {
    const Image even = black({16, 8});
    for (glm::vec3& t : even->texels) t = glm::vec3(1.0f);
    for (const float extinction : {1.0f, 20.0f}) {
        Settings s = scene(even);
        s.medium.extinction = extinction;
        s.medium.albedo = s.render.obstacleColour = s.render.groundColour = glm::vec3(1.0f);
        const PathReport r = trace(s, 64);
        EXPECT_NEAR(r.luminance, 1.0, kEnvironmentSigmas * r.error);
        EXPECT_GT(r.error, 0.0);
        EXPECT_LT(r.error, 0.004);
    }
}

TEST_F(PathEnvironment, BlackImagesAreBlackAndHaveNoEffect) {
    Settings s = scene(black({4, 2}));
    EXPECT_EQ(trace(s, 4).luminance, 0.0);
    s.lights.push_back({.direction = {0.3f, -1.0f, 0.2f}});
    const PathReport image = trace(s, 4);
    s.environment.image = nullptr;
    s.environment.colour = glm::vec3(0.0f);
    const PathReport none = trace(s, 4);
    EXPECT_GT(image.luminance, 0.0);
    EXPECT_EQ(image.luminance, none.luminance);
    EXPECT_EQ(image.segments, none.segments);
}

// One texel of 1e4 in an image of 64x32, with single scattering.
class PathBrightTexel : public PathEnvironment {
protected:
    static constexpr double kL = 1e4, kTexel = kPi / 32;
    static constexpr int kRow = 9, kColumn = 40;
    static constexpr double kDown = kTexel * (kRow + 0.5), kAround = kTexel * (kColumn + 0.5) - kPi;
    static Image sun() {
        const Image image = black({64, 32});
        image->texels[kRow * 64 + kColumn] = glm::vec3(static_cast<float>(kL));
        return image;
    }
    static dvec3 direction(double down, double around) {
        return {std::sin(down) * std::sin(around), std::cos(down), -std::sin(down) * std::cos(around)};
    }

    /// Moments of the light at a vertex for a density of directions: with BSDF or phase sampling only, and with both techniques (multiple
    /// importance sampling). Midpoint rule over the hat function of the texel.
    struct Moments {
        double solidAngle = 0.0, mean = 0.0, plainSquare = 0.0, imageSquare = 0.0, imageMean = 0.0, scatterSquare = 0.0, scatterMean = 0.0;
    };
    template <class Density>
    static Moments moments(Density&& density) {
        Moments m;
        constexpr int kPoints = 400;
        for (int i = 0; i < kPoints; ++i)
            for (int j = 0; j < kPoints; ++j) {
                const double x = 2.0 * (i + 0.5) / kPoints - 1.0, y = 2.0 * (j + 0.5) / kPoints - 1.0,
                             hat = (1.0 - std::abs(x)) * (1.0 - std::abs(y));
                const double sine = std::sin(kDown + kTexel * y), area = std::pow(2.0 * kTexel / kPoints, 2.0) * sine;
                const double f = density(direction(kDown + kTexel * y, kAround + kTexel * x)), p = hat / (kTexel * kTexel * sine),
                             L = kL * hat;
                const double both = L * f / (p + f);  // light of one sample, of either technique
                m.solidAngle += area * hat;
                m.mean += area * f * L;
                m.plainSquare += area * f * L * L;
                m.imageSquare += area * p * both * both;
                m.imageMean += area * p * both;
                m.scatterSquare += area * f * both * both;
                m.scatterMean += area * f * both;
            }
        EXPECT_NEAR(m.imageMean + m.scatterMean, m.mean, 1e-9 * m.mean);
        return m;
    }
    /// Variance of one sample of one pixel.
    static double variance(const PathReport& r, double pixels) { return std::pow(r.error * r.luminance, 2.0) * r.samples * pixels; }

    /// The variances must be as predicted. `hits`: how many samples per pixel and sample hit the texel without importance sampling. hat^2
    /// has a kurtosis of 3.24, so the tolerance is kEnvironmentSigmas 1.8 / sqrt(hits).
    void expectVariances(const Settings& s, std::uint32_t samples, double mean, double plain, double sampled, double hits, double open) {
        const PathReport with = trace(s, samples), without = trace(s, samples, false);
        const double pixels = double(s.render.size.x) * s.render.size.y;
        EXPECT_NEAR(with.luminance, mean, kEnvironmentSigmas * with.error * mean + open * mean);
        EXPECT_NEAR(without.luminance, mean, kEnvironmentSigmas * without.error * mean + open * mean);
        EXPECT_NEAR(variance(without, pixels) / plain, 1.0, kEnvironmentSigmas * 1.8 / std::sqrt(hits * pixels * samples) + 2.0 * open);
        // The density is bounded, so thousands of samples give the variance to some percent.
        EXPECT_NEAR(variance(with, pixels) / sampled, 1.0, 0.1 + 2.0 * open);
        RecordProperty("variance falls", std::to_string(plain / sampled) + " predicted, " +
                                             std::to_string(variance(without, pixels) / variance(with, pixels)));
    }
};

TEST_F(PathBrightTexel, VarianceOnTheGroundIsAsPredicted) {
    Settings s = scene(sun());
    s.environment.rotation = 0.0f;
    s.initial.clear();
    s.obstacles.clear();
    s.render.groundColour = glm::vec3(0.5f);
    s.render.bounces = 1;
    s.render.size = {64, 64};
    s.camera = {.eye = {0.5f, 0.9f, 0.5f}, .target = {0.5f, 0.0f, 0.51f}, .fov = 0.3f};
    const Moments m = moments([](dvec3 d) { return d.y / kPi; });
    const double plain = 0.25 * (m.plainSquare - m.mean * m.mean);
    const double sampled = 0.25 * (m.imageSquare - m.imageMean * m.imageMean + m.scatterSquare - m.scatterMean * m.scatterMean);
    const double hits = 4.0 * kTexel * kTexel * std::sin(kDown) * std::cos(kDown) / kPi;
    expectVariances(s, 64, 0.5 * m.mean, plain, sampled, hits, 0.0);
    EXPECT_GT(plain / sampled, 3000.0);
    // A sun of the same irradiance: the second derivative of cosine times sine is twice its value, and the variance of the hat is 1/6
    // texel^2.
    EXPECT_NEAR(m.mean, kL * m.solidAngle * std::cos(kDown) / kPi, 2.0 / 6.0 * kTexel * kTexel * m.mean);
}

TEST_F(PathBrightTexel, VarianceInSmokeIsAsPredicted) {
    // A cube of 1 m, seen along its axis, with one isotropic scattering.
    Settings s = stillBox({16, 16, 16}, 0.0625f);
    s.initial.push_back({.shape = {ShapeKind::Box, glm::vec3(0.5f), 0.0f, glm::vec3(1.0f)}, .density = 1.0f});
    s.camera = {.eye = {0.5f, 0.5f, 3.0f}, .target = {0.5f, 0.5f, 0.0f}, .fov = 0.0174533f};
    s.render.mode = RenderMode::Path;
    s.render.size = {128, 128};
    s.render.bounces = 1;
    s.environment.image = sun();
    s.medium.extinction = 0.5f;
    s.medium.albedo = glm::vec3(1.0f);
    s.medium.phase = {.g = 0.0f, .gBack = 0.0f, .blend = 0.0f};
    const Moments m = moments([](dvec3) { return 0.25 / kPi; });
    // Probability to scatter and to be reached by the light. Ratio tracking in uniform smoke gives 0 or 1 (up to 1/512).
    const dvec3 d = direction(kDown, kAround);
    double reached = 0.0;
    constexpr int kSteps = 2000;
    for (int i = 0; i < kSteps; ++i) {
        const dvec3 x(0.5, 0.5, (i + 0.5) / kSteps);
        double way = 1e30;
        for (int a = 0; a < 3; ++a) way = std::min(way, ((d[a] > 0.0 ? 1.0 : 0.0) - x[a]) / d[a]);
        reached += 0.5 * std::exp(-0.5 * (1.0 - x.z + way)) / kSteps;
    }
    const double plain = reached * m.plainSquare - std::pow(reached * m.mean, 2.0);
    // Samples of both techniques start at the same vertex, and are independent given that vertex.
    const double scatter = 1.0 - std::exp(-0.5), both = reached * reached / scatter;
    const double sampled = reached * (m.imageSquare + m.scatterSquare) + 2.0 * both * m.imageMean * m.scatterMean -
                           std::pow(reached * m.mean, 2.0);
    // The edge of the hat is 4 degrees from its centre. There the distance to the top differs by a few percent, linearly. Beam and float
    // errors add 0.001.
    expectVariances(s, 64, reached * m.mean, plain, sampled, reached * kTexel * kTexel * std::sin(kDown) / kPi, 0.005);
    EXPECT_GT(plain / sampled, 100.0);
}

TEST_F(PathBrightTexel, MatchesASunOfItsIrradiance) {
    Settings s = scene(sun());
    s.environment.rotation = 0.3f;
    s.medium.phase = {.g = 0.8f, .gBack = -0.3f, .blend = 0.3f};
    const PathReport image = trace(s, 64);
    const double solidAngle = moments([](dvec3) { return 1.0; }).solidAngle;
    s.environment.image = nullptr;
    s.environment.colour = glm::vec3(0.0f);
    s.lights.push_back({.direction = glm::vec3(-direction(kDown, kAround - 0.3)), .intensity = static_cast<float>(kL * solidAngle)});
    const PathReport light = trace(s, 64);
    // The variance of a hat along each axis is 1/6 texel^2. Away from the axes of the lobes, the second derivative of the scattered light
    // is less than four times its value.
    const double disc = 4.0 / 6.0 * kTexel * kTexel;
    EXPECT_NEAR(image.luminance, light.luminance,
                kEnvironmentSigmas * std::hypot(image.error * image.luminance, light.error * light.luminance) + disc * light.luminance);
    EXPECT_LT(std::max(image.error, light.error), 0.01) << "too noisy for this test";
    RecordProperty("difference", std::to_string(image.luminance / light.luminance - 1.0) + " " + std::to_string(image.error) + " " +
                                     std::to_string(light.error));
}

}  // namespace
}  // namespace wisp::test
