// SPDX-License-Identifier: MIT
// Importance sampling of the environment image: probabilities, alias table, densities.
#include "compute/picture/environment_sampling.h"
#include "compute/scene/environment.h"
#include "tests/reference/light.h"

#include <glm/gtc/constants.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <numeric>
#include <random>
#include <string>

namespace wisp::test {
namespace {

using glm::dvec3;

constexpr double kPi = glm::pi<double>();

EnvironmentImage noise(glm::uvec2 size) {
    std::mt19937 generator(5);
    std::uniform_real_distribution<float> uniform(-0.5f, 1.0f);
    EnvironmentImage image{size, std::vector<glm::vec3>(std::size_t{size.x} * size.y)};
    for (glm::vec3& t : image.texels)  // a third of the texels is black
        for (int n = 0; n < 3; ++n) t[n] = std::max(uniform(generator), 0.0f);
    return image;
}

EnvironmentImage oneTexel(glm::uvec2 size, glm::uvec2 where) {
    EnvironmentImage image{size, std::vector<glm::vec3>(std::size_t{size.x} * size.y, glm::vec3(0.0f))};
    image.texels[std::size_t{where.y} * size.x + where.x] = glm::vec3(1e4f);
    return image;
}

void expectReproduced(const std::vector<double>& chances) {
    const std::vector<gpu::AliasEntry> table = aliasTable(chances);
    const auto count = static_cast<double>(chances.size());
    std::vector<double> sums(chances.size()), terms(chances.size(), 1.0);
    ASSERT_EQ(table.size(), chances.size());
    for (std::size_t i = 0; i < table.size(); ++i) {
        ASSERT_TRUE(table[i].keep >= 0.0f && table[i].keep <= 1.0f && table[i].other < table.size()) << i;
        sums[i] += double(table[i].keep);
        sums[table[i].other] += 1.0 - double(table[i].keep);
        terms[table[i].other] += 1.0;
    }
    for (std::size_t i = 0; i < chances.size(); ++i) {
        // Each number is rounded to a float, 2^-25. The remainder of a probability is rounded once per entry that shares it.
        ASSERT_NEAR(sums[i], chances[i] * count, std::exp2(-25.0) * terms[i] + count * count * std::exp2(-52.0)) << i;
        ASSERT_TRUE(chances[i] > 0.0 || sums[i] == 0.0) << i;
    }
}

TEST(EnvironmentAlias, ReproducesProbabilities) {
    for (const glm::uvec2 size : {glm::uvec2(64, 32), glm::uvec2(31, 17), glm::uvec2(1, 1), glm::uvec2(1, 7), glm::uvec2(9, 1)}) {
        expectReproduced(environmentProbabilities(noise(size)));
        expectReproduced(environmentProbabilities(oneTexel(size, size / 2u)));
        EnvironmentImage even{size, std::vector<glm::vec3>(std::size_t{size.x} * size.y, glm::vec3(0.7f))};
        expectReproduced(environmentProbabilities(even));
        even.texels[0] = glm::vec3(1e6f);  // a sun that makes the sky almost irrelevant
        expectReproduced(environmentProbabilities(even));
    }
    std::mt19937 generator(1);
    std::exponential_distribution<double> uneven;
    std::vector<double> chances(1000);
    for (double& c : chances) c = std::pow(uneven(generator), 4.0);
    const double sum = std::accumulate(chances.begin(), chances.end(), 0.0);
    for (double& c : chances) c /= sum;
    expectReproduced(chances);
}

TEST(EnvironmentAlias, BlackImagesAreNotSampled) {
    Settings s;
    s.render.mode = RenderMode::Path;
    EXPECT_FALSE(samplesEnvironment(s));
    EnvironmentImage black{{4, 2}, std::vector<glm::vec3>(8, glm::vec3(0.0f))};
    EXPECT_TRUE(environmentProbabilities(black).empty());
    for (const glm::vec4& t : environmentTexels(black, {})) EXPECT_EQ(t, glm::vec4(0.0f));
    s.environment.image = std::make_shared<EnvironmentImage>(black);
    EXPECT_FALSE(samplesEnvironment(s));
    black.texels[5].z = 1e-30f;
    s.environment.image = std::make_shared<EnvironmentImage>(black);
    EXPECT_TRUE(samplesEnvironment(s));
    EXPECT_EQ(environmentProbabilities(black)[5], 1.0);
    s.environment.intensity = 0.0f;
    EXPECT_FALSE(samplesEnvironment(s));
    s.environment.intensity = 1.0f;
    s.render.mode = RenderMode::Raymarch;
    EXPECT_FALSE(samplesEnvironment(s));
}

TEST(EnvironmentAlias, ProbabilitiesAreLuminanceTimesTheSolidAngleOfHats) {
    // The solid angle by the midpoint rule over the hat function of each row: 4000 strips, with an error of (pi / 4000)^2 / 24 of a sine's
    // curvature, plus one strip at the kink.
    for (const glm::uvec2 size : {glm::uvec2(6, 5), glm::uvec2(3, 2), glm::uvec2(4, 1)}) {
        const EnvironmentImage image = noise(size);
        std::vector<double> expected(image.texels.size());
        constexpr int kStrips = 4000;
        for (int strip = 0; strip < kStrips; ++strip) {
            const double angle = kPi * (strip + 0.5) / kStrips, v = angle / kPi * size.y - 0.5, low = std::floor(v);
            for (const double row : {low, low + 1.0}) {
                const auto at = static_cast<std::size_t>(std::clamp(row, 0.0, size.y - 1.0));
                for (std::size_t x = 0; x < size.x; ++x)
                    expected[at * size.x + x] += (1.0 - std::abs(v - row)) * std::sin(angle) *
                                                 glm::dot(dvec3(image.texels[at * size.x + x]), dvec3(0.2126, 0.7152, 0.0722));
            }
        }
        const double sum = std::accumulate(expected.begin(), expected.end(), 0.0);
        const std::vector<double> chances = environmentProbabilities(image);
        for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(chances[i], expected[i] / sum, 1e-6) << i;
        EXPECT_NEAR(std::accumulate(chances.begin(), chances.end(), 0.0), 1.0, 1e-12);
    }
}

TEST(EnvironmentAlias, DensitiesIntegrateToOne) {
    // Interpolates as the shaders do, divides by the sine and integrates over the sphere. In angles the sine cancels. The midpoint rule
    // with whole numbers of points per half texel is exact for linear functions, up to float rounding.
    for (const glm::uvec2 size : {glm::uvec2(8, 5), glm::uvec2(1, 1), glm::uvec2(6, 2)}) {
        const EnvironmentImage image = noise(size);
        const std::vector<glm::vec4> texels = environmentTexels(image, environmentProbabilities(image));
        reference::Field field({size.x, size.y, 1});
        std::ranges::copy(texels, field.values().begin());
        const std::uint32_t rows = 8 * size.y, columns = 8 * size.x;
        double sum = 0.0;
        for (std::uint32_t i = 0; i < rows; ++i)
            for (std::uint32_t j = 0; j < columns; ++j) {
                const double down = kPi * (i + 0.5) / rows, around = 2.0 * kPi * (j + 0.5) / columns;
                const dvec3 d(std::sin(down) * std::sin(around), std::cos(down), -std::sin(down) * std::cos(around));
                sum += reference::environmentTexel({}, field, d).w * (kPi / rows) * (2.0 * kPi / columns);
            }
        EXPECT_NEAR(sum, 1.0, 1e-6);
    }
}

TEST(EnvironmentAlias, LargestImageTakesLessThanASecond) {
    if (!std::string_view(WISP_SANITIZER).empty()) GTEST_SKIP() << "too slow with a sanitizer";
    const glm::uvec2 size(kMaxEnvironmentWidth, kMaxEnvironmentHeight);
    for (const EnvironmentImage& image : {noise(size), oneTexel(size, {7, 900})}) {
        const std::clock_t start = std::clock();  // processor time of this process, so that other processes do not matter
        const std::vector<double> chances = environmentProbabilities(image);
        const std::vector<gpu::AliasEntry> table = aliasTable(chances);
        const double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
        EXPECT_EQ(table.size(), std::size_t{size.x} * size.y);
        RecordProperty("seconds", std::to_string(seconds));
#ifdef __OPTIMIZE__
        EXPECT_LT(seconds, 1.0);
#endif
    }
}

}  // namespace
}  // namespace wisp::test
