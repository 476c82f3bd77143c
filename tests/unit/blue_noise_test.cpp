// SPDX-License-Identifier: MIT
#include "compute/picture/blue_noise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>

namespace wisp {
namespace {

constexpr int kEdge = kBlueNoiseEdge;

/// Mean power of `values` at frequencies |k| in [low, high) cycles per tile, relative to white noise of the same variance.
double power(const std::vector<double>& values, double low, double high) {
    double sum = 0.0, variance = 0.0;
    for (const double v : values) variance += v * v;
    int count = 0;
    for (int ky = -kEdge / 2; ky < kEdge / 2; ++ky) {
        for (int kx = -kEdge / 2; kx < kEdge / 2; ++kx) {
            const double k = std::hypot(kx, ky);
            if (k < low || k >= high) continue;
            std::complex<double> wave = 0.0;
            for (int i = 0; i < kEdge * kEdge; ++i) {
                const int turns = kx * (i % kEdge) + ky * (i / kEdge);
                wave += values[static_cast<std::size_t>(i)] * std::polar(1.0, -2.0 * M_PI * turns / kEdge);
            }
            sum += std::norm(wave);
            ++count;
        }
    }
    return sum / count / variance;
}

TEST(BlueNoise, HasEveryRankOnce) {
    std::vector<std::uint16_t> ranks = blueNoise();
    std::ranges::sort(ranks);
    std::vector<std::uint16_t> all(std::size_t{kEdge} * kEdge);
    std::iota(all.begin(), all.end(), std::uint16_t{0});
    EXPECT_EQ(ranks, all);
}

TEST(BlueNoise, IsBlue) {
    // Void and cluster keeps points apart by about one lattice distance. So power is missing below sqrt(n) cycles per tile, the frequency
    // at which n points would repeat. A quarter of the highest frequency, 8 cycles, is below that for almost all thresholds.
    std::vector<double> values;
    for (const std::uint16_t rank : blueNoise()) values.push_back((rank + 0.5) / (kEdge * kEdge) - 0.5);
    EXPECT_LT(power(values, 0.5, 8.0), 1e-3);
    EXPECT_GT(power(values, 20.0, 30.0), 1.0);
    // Each frame adds a constant, and the values wrap around. The result is less blue, but still far from white noise.
    for (double& v : values) v -= std::floor(v + 0.5 + 0.381966) - 0.381966;
    EXPECT_LT(power(values, 0.5, 8.0), 5e-2);
}

}  // namespace
}  // namespace wisp
