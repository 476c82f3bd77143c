// SPDX-License-Identifier: MIT
// Light of a black body against the CIE 1931 observer.
#include "shaders/shared/black_body.h"
#include "tests/reference/black_body.h"

#include <gtest/gtest.h>

#include <cmath>

namespace wisp::test {
namespace {

using reference::dvec3;

double sumOf(dvec3 v) { return v.x + v.y + v.z; }

// x and y of CIE illuminant A, 2856 K, and the values that CIE 15 gives for other temperatures; cd/m^2.
TEST(BlackBody, ReferenceMatchesCieTables) {
    struct Known {
        double T, x, y;
    };
    for (const Known& known :
         {Known{1000.0, 0.6527, 0.3445}, {2000.0, 0.5267, 0.4133}, {2856.0, 0.4475, 0.4074}, {6504.0, 0.3135, 0.3236}}) {
        const dvec3 v = reference::blackBodyXyz(known.T);
        EXPECT_NEAR(v.x / sumOf(v), known.x, 1e-4) << known.T;
        EXPECT_NEAR(v.y / sumOf(v), known.y, 1e-4) << known.T;
    }
    EXPECT_NEAR(683.0 * reference::blackBodyXyz(1500.0).y, 7740.0, 5.0);
}

// The polynomial's residual, see shared/black_body.h, and the roundings of exponents of up to 40, 2.4e-6 each.
TEST(BlackBody, PolynomialMatchesTheReference) {
    for (double T = 700.0; T <= 4000.0; T *= 1.01) {
        const dvec3 exact = reference::blackBodyXyz(T), v(gpu::blackBodyXyz(static_cast<float>(T)));
        for (int n = 0; n < 3; ++n) EXPECT_NEAR(v[n] / exact[n], 1.0, 1.5e-3) << T;
        EXPECT_NEAR(v.x / sumOf(v), exact.x / sumOf(exact), 5e-4) << T;
        EXPECT_NEAR(v.y / sumOf(v), exact.y / sumOf(exact), 5e-4) << T;
    }
}

TEST(BlackBody, HasLimits) {
    const glm::vec3 hottest = gpu::blackBodyXyz(4000.0f);
    EXPECT_EQ(gpu::blackBodyXyz(70000.0f), hottest);
    EXPECT_EQ(gpu::blackBodyXyz(300.0f), gpu::blackBodyXyz(625.0f));
    EXPECT_LT(gpu::blackBodyXyz(-100.0f).y, 1e-8f) << "colder than absolute zero";
}

}  // namespace
}  // namespace wisp::test
