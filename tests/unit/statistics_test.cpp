// SPDX-License-Identifier: MIT
#include "app/base/statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace wisp::app {
namespace {

/// The exact p value by its definition: the share of all assignments of the values to a and b for which U is at least as far from the mean.
struct Exact {
    double p, atom;  // atom: the share with exactly the same distance
};
Exact exactP(const std::vector<double>& a, const std::vector<double>& b) {
    std::vector<double> all(a);
    all.insert(all.end(), b.begin(), b.end());
    const auto farness = [&](const std::vector<bool>& isA) {
        double u = 0.0;
        for (std::size_t i = 0; i < all.size(); ++i)
            for (std::size_t j = 0; j < all.size(); ++j)
                if (isA[i] && !isA[j]) u += all[i] > all[j] ? 1.0 : all[i] == all[j] ? 0.5 : 0.0;
        return std::abs(u - 0.5 * static_cast<double>(a.size() * b.size()));
    };
    std::vector<bool> isA(all.size(), false);
    std::fill_n(isA.begin(), a.size(), true);
    const double seen = farness(isA);
    std::sort(isA.begin(), isA.end());
    double asFar = 0.0, just = 0.0, ways = 0.0;
    do {
        ++ways;
        const double far = farness(isA) - seen;
        asFar += far >= -1e-9 ? 1.0 : 0.0;
        just += std::abs(far) <= 1e-9 ? 1.0 : 0.0;
    } while (std::next_permutation(isA.begin(), isA.end()));
    return {asFar / ways, just / ways};
}

// With a continuity correction, the normal approximation of U has only the error of the normal curve, if values of U differ by 1. The next
// term of the Edgeworth series is |g| / 12 max |z^3 - 3 z| phi(z), with the excess kurtosis g = -1.2 (m^2 + n^2 + mn + m + n) / (mn (m + n
// + 1)) of U. For 8 and 9 values it is 0.0099. The limit of 0.02 leaves room for further terms. With ties, values of U are farther apart,
// so the error may be the whole probability of the observed value.
TEST(Statistics, AgreesWithTheDefinition) {
    std::mt19937 random(1);
    for (const double shift : {0.0, 0.5, 1.0, 2.0, 4.0})
        for (const int step : {0, 1}) {  // 1: many ties
            std::normal_distribution<double> normal;
            std::vector<double> a, b;
            for (int i = 0; i < 8; ++i) a.push_back(normal(random));
            for (int i = 0; i < 9; ++i) b.push_back(normal(random) + shift);
            if (step == 1)
                for (auto* list : {&a, &b})
                    for (double& v : *list) v = std::round(v);
            const Exact exact = exactP(a, b);
            EXPECT_NEAR(mannWhitney(a, b), exact.p, 0.02 + (step == 1 ? exact.atom : 0.0)) << shift << " " << step;
            EXPECT_DOUBLE_EQ(mannWhitney(a, b), mannWhitney(b, a));
        }
}

// 10 000 pairs of samples from one distribution: the shares below 0.01 and 0.05 must be right, within four standard deviations.
TEST(Statistics, FalsePositiveRateIsCorrect) {
    std::mt19937 random(2);
    std::lognormal_distribution<double> times(0.0, 0.1);
    int below1 = 0, below5 = 0;
    constexpr int kPairs = 10000;
    for (int n = 0; n < kPairs; ++n) {
        std::vector<double> a(50), b(40);
        for (auto* list : {&a, &b})
            for (double& v : *list) v = times(random);
        const double p = mannWhitney(a, b);
        below1 += p < 0.01 ? 1 : 0;
        below5 += p < 0.05 ? 1 : 0;
    }
    EXPECT_NEAR(below1, 100, 4.0 * std::sqrt(kPairs * 0.01 * 0.99));
    EXPECT_NEAR(below5, 500, 4.0 * std::sqrt(kPairs * 0.05 * 0.95));
}

TEST(Statistics, EdgesOfTheTest) {
    EXPECT_EQ(mannWhitney({}, std::vector{1.0}), 1.0);
    EXPECT_EQ(mannWhitney(std::vector{2.0, 2.0}, std::vector{2.0, 2.0, 2.0}), 1.0);
    EXPECT_EQ(mannWhitney(std::vector{1.0, 3.0}, std::vector{2.0}), 1.0);
    const std::vector<double> low(50, 1.0), high(50, 1.1);
    EXPECT_LT(mannWhitney(low, high), 1e-20);
}

}  // namespace
}  // namespace wisp::app
