// SPDX-License-Identifier: MIT
#include "compute/picture/ordinates.h"
#include "shaders/shared/ordinates.h"

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <gtest/gtest.h>

#include <cmath>

namespace wisp::test {
namespace {

constexpr double kPi = glm::pi<double>();

PhaseSettings lobe(float g) { return {.g = g, .gBack = 0.0f, .blend = 0.0f}; }

// Two lobes: a usual case, a mean cosine of 0, and a case whose narrow lobe is the weaker one.
const PhaseSettings kPhases[] = {lobe(-0.6f),
                                 lobe(0.0f),
                                 lobe(0.3f),
                                 lobe(0.6f),
                                 lobe(0.8f),
                                 lobe(0.95f),
                                 {.g = 0.8f, .gBack = -0.3f, .blend = 0.25f},
                                 {.g = 0.5f, .gBack = -0.5f, .blend = 0.5f},
                                 {.g = 0.95f, .gBack = -0.5f, .blend = 0.7f}};

double meanCosine(const PhaseSettings& p) { return std::lerp(double(p.g), double(p.gBack), double(p.blend)); }

// The mean of x^a over the sphere is 1 / (a + 1) for even a. For x^a y^b, moments of a circle are multiplied. Here with Gamma functions.
double mean(int a, int b, int c) {
    if (a % 2 + b % 2 + c % 2 > 0) return 0.0;
    return std::tgamma(0.5 * (a + 1)) * std::tgamma(0.5 * (b + 1)) * std::tgamma(0.5 * (c + 1)) /
           (2.0 * kPi * std::tgamma(0.5 * (a + b + c + 3)));
}

TEST(Ordinates, IntegratePolynomialsUpToDegreeFive) {
    for (int a = 0; a <= 5; ++a)
        for (int b = 0; a + b <= 5; ++b)
            for (int c = 0; a + b + c <= 5; ++c) {
                double sum = 0.0;
                for (const Ordinate& o : ordinates())
                    sum += o.weight * std::pow(o.direction.x, a) * std::pow(o.direction.y, b) * std::pow(o.direction.z, c);
                EXPECT_NEAR(sum, mean(a, b, c), 1e-15) << a << " " << b << " " << c;
            }
}

// Rows and columns: isotropic light stays isotropic, and no light is lost. Floats: 14 roundings of numbers that add up to 1.
TEST(Ordinates, ScatteringConservesLight) {
    for (const PhaseSettings& p : kPhases) {
        const std::vector<float> table = phaseTable(p);
        ASSERT_EQ(table.size(), std::size_t{WISP_PHASE_LOBES + 50});
        for (std::size_t k = 0; k < WISP_ORDINATES; ++k) {
            double row = 0.0, column = 0.0;
            for (std::size_t l = 0; l < WISP_ORDINATES; ++l) {
                EXPECT_GE(table[k * WISP_ORDINATES + l], 0.0f);
                row += double(table[k * WISP_ORDINATES + l]);
                column += ordinates()[l].weight * double(table[l * WISP_ORDINATES + k]);
            }
            EXPECT_NEAR(row, 1.0, 1e-6) << "g " << p.g << " row " << k;
            EXPECT_NEAR(column / ordinates()[k].weight, 1.0, 1e-6) << "g " << p.g << " column " << k;
        }
    }
}

TEST(Ordinates, ScatteringTurnsLightByTheMeanCosine) {
    for (const PhaseSettings& p : kPhases) {
        const std::vector<float> table = phaseTable(p);
        double turned = 0.0;
        for (std::size_t k = 0; k < WISP_ORDINATES; ++k)
            for (std::size_t l = 0; l < WISP_ORDINATES; ++l)
                turned += ordinates()[k].weight * double(table[k * WISP_ORDINATES + l]) *
                          glm::dot(ordinates()[k].direction, ordinates()[l].direction);
        EXPECT_NEAR(turned, meanCosine(p), 1e-6) << "g " << p.g << " and " << p.gBack;
    }
}

// Each power scatters once more: it moves a direction's light as the matrix does with the power before. Floats.
TEST(Ordinates, PowersScatterAgain) {
    constexpr std::size_t kEntries = std::size_t{WISP_ORDINATES} * WISP_ORDINATES;
    for (const PhaseSettings& p : kPhases) {
        const std::vector<float> table = phaseTable(p);
        for (std::size_t n = 1; n + 1 < WISP_SMALL_TURNS; ++n)
            for (std::size_t k = 0; k < WISP_ORDINATES; ++k)
                for (std::size_t l = 0; l < WISP_ORDINATES; ++l) {
                    double sum = 0.0;
                    for (std::size_t m = 0; m < WISP_ORDINATES; ++m)
                        sum += double(table[k * WISP_ORDINATES + m]) * double(table[(n - 1) * kEntries + m * WISP_ORDINATES + l]);
                    EXPECT_NEAR(double(table[n * kEntries + k * WISP_ORDINATES + l]), sum, 1e-6) << "g " << p.g << " power " << n + 1;
                }
    }
}

// Folding multiplies the Legendre coefficients of the phase function, which are the powers of g for each lobe.
TEST(Ordinates, FoldedPhaseHasTheProductsOfItsCoefficients) {
    for (const PhaseSettings& p : kPhases)
        for (int times = 1; times <= WISP_SMALL_TURNS + 1; ++times)
            for (int l = 0; l < 8; ++l) {
                double sum = 0.0;
                for (const Lobe& lobe : foldedPhase(p, times)) sum += lobe.share * std::pow(lobe.g, l);
                const double once = std::lerp(std::pow(double(p.g), l), std::pow(double(p.gBack), l), double(p.blend));
                EXPECT_NEAR(sum, std::pow(once, times), 1e-14) << "g " << p.g << " times " << times << " degree " << l;
            }
}

// Midpoint rule over the angle. A mean over cones of 31 degrees is smooth.
TEST(Ordinates, MeansOfThePhaseFunctionConserveLight) {
    for (const PhaseSettings& p : kPhases) {
        constexpr int kAngles = 360;
        double sum = 0.0, turned = 0.0;
        for (int n = 0; n < kAngles; ++n) {
            const double angle = kPi * (n + 0.5) / kAngles, ring = 2.0 * kPi * std::sin(angle) * kPi / kAngles;
            sum += ring * phaseMean(p, angle);
            turned += ring * phaseMean(p, angle) * std::cos(angle);
        }
        EXPECT_NEAR(sum, 1.0, 1e-3) << "g " << p.g;
        // The mean is a convolution, so its first Legendre coefficient is the product of both. That of the cone is its mean cosine, 13/14.
        EXPECT_NEAR(turned, 13.0 / 14.0 * meanCosine(p), 1e-3) << "g " << p.g;
    }
}

// In the forward direction, the cone contains the share given by the cumulative distribution of the cosine, for any width of the lobe.
TEST(Ordinates, MeanOverTheForwardConeIsExact) {
    for (const double g : {-0.6, 0.3, 0.8, 0.95}) {
        const double rim = 6.0 / 7.0;
        const double within = (1.0 - g * g) / (2.0 * g) * (1.0 / (1.0 - g) - 1.0 / std::sqrt(1.0 + g * g - 2.0 * g * rim));
        EXPECT_NEAR(phaseMean(lobe(static_cast<float>(g)), 0.0) * 4.0 * kPi / 14.0, within, 1.0 / 2048) << g;
    }
}

}  // namespace
}  // namespace wisp::test
