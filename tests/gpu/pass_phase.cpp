// SPDX-License-Identifier: MIT
// The phase function of the shaders, and its twin.
#include "tests/gpu/pass_test.h"
#include "tests/support/verification.h"

#include <glm/gtc/constants.hpp>

#include <cmath>

namespace wisp::test {
namespace {

constexpr std::uint32_t kParts = 1 << 16;  // number of intervals; their centres are exact in floats
struct Lobes {
    float g, gBack, blend;
    std::uint32_t count = kParts;
};
WISP_MEMBERS(Lobes, g, gBack, blend, count)

constexpr Lobes kLobes[] = {{0.0f, 0.0f, 0.0f},  {0.3f, 0.0f, 0.0f},  {0.9f, 0.0f, 0.0f},
                            {-0.9f, 0.0f, 0.0f}, {0.8f, -0.3f, 0.3f}, {-0.6f, -0.2f, 0.25f}};

// Largest errors of the integral and of the mean cosine, by the midpoint rule. Its error is (2 / kParts)^2 / 24 times the change of the
// slope, which is below 3e4 for |g| <= 0.9, so it is 1e-6.
template <class F>
glm::dvec2 errorsOf(F&& valuesOf) {
    glm::dvec2 errors(0.0);
    for (const Lobes& lobes : kLobes) {
        const auto values = valuesOf(lobes);
        double integral = 0.0, mean = 0.0;
        for (std::uint32_t i = 0; i < kParts; ++i) {
            const double p = double(values[i]) * 4.0 * glm::pi<double>() / kParts;
            integral += p;
            mean += p * ((i + 0.5) * 2.0 / kParts - 1.0);
        }
        const double exact = (1.0 - double(lobes.blend)) * double(lobes.g) + double(lobes.blend) * double(lobes.gBack);
        errors = glm::max(errors, glm::dvec2(std::abs(integral - 1.0), std::abs(mean - exact)));
    }
    return errors;
}

class PassPhase : public PassTest {};

TEST_F(PassPhase, HasIntegralOneAndMeanCosineG) {
    useConstants({}, testShaders());
    const glm::dvec2 errors = errorsOf([&](const Lobes& lobes) {
        const engine::Buffer values = target(kParts);
        pass("phase_values", ivec3(kParts, 1, 1), {{"values", values}}, lobes);
        return download(values);
    });
    expectAtMost(Row::Phase, "shader, integral, largest error of six", errors.x, 1e-5);
    expectAtMost(Row::Phase, "shader, mean cosine, largest error of six", errors.y, 1e-5);
}

TEST(PhaseFunction, HasIntegralOneAndMeanCosineG) {
    const glm::dvec2 errors = errorsOf([](const Lobes& lobes) {
        std::vector<double> values;
        for (std::uint32_t i = 0; i < kParts; ++i)
            values.push_back(phase((i + 0.5) * 2.0 / kParts - 1.0, double(lobes.g), double(lobes.gBack), double(lobes.blend)));
        return values;
    });
    EXPECT_LE(errors.x, 1e-5);
    EXPECT_LE(errors.y, 1e-5);
}

}  // namespace
}  // namespace wisp::test
