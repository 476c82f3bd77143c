// SPDX-License-Identifier: MIT
// Pre-smoothing of the velocity before the coarse pressure.
#include "compute/pressure/pressure.h"
#include "compute/pressure/push.h"
#include "tests/gpu/pass_test.h"
#include "tests/reference/projection.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace wisp::test {
namespace {

class PassPresmooth : public EveryCase {
protected:
    void SetUp() override {
        EveryCase::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        if (step.ratio == 1) GTEST_SKIP() << "not for ratio 1";
        open = aperture();
        openImage = toGpu(open, VK_FORMAT_R8G8B8A8_UNORM);
        const Level level{step.cells, 1, 1.0f};
        const Numbers bits = smoothFaces(level, openFaces(level, open), periodicAxes(step));
        std::vector<float> words;
        for (const double v : bits.values()) words.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(v)));
        smooth = target(words.size());
        upload(smooth, words);
    }
    std::vector<engine::Binding> with(std::vector<engine::Binding> more) {
        more.emplace_back("aperture", openImage);
        more.emplace_back("smoothFaces", smooth);
        return more;
    }
    Field open;
    engine::Image openImage;
    engine::Buffer smooth;
};
INSTANTIATE_TEST_SUITE_P(Cases, PassPresmooth, testing::ValuesIn(passCases()), nameOf);

TEST_P(PassPresmooth, Divergence) {
    Field u = randomVelocity(step), projected = randomVelocity(step);
    if (expands) addDivergence(projected);
    const engine::Image solidImage = solidVelocityToGpu(open), uImage = toGpu(u, vectorFormat()), pImage = toGpu(projected, vectorFormat());
    if (!expands)
        for (dvec4& v : projected.values()) v.w = 0.0;
    const engine::Buffer e = floatTarget(step.cells);
    pass("presmooth_divergence", step.cells,
         with({{"solidVelocity", solidImage}, {"velocity", uImage}, {"projected", pImage}, {"excess", e}}));
    // Six fluxes of at most 4 m/s, and h times a divergence below 10. Each has two roundings, and their sum six.
    const double terms = 6.0 * 4.0 + 10.0 * double(step.h);
    expectNear(fromGpu(e, step.cells), presmoothDivergence(step, open, fromGpu(solidImage), u, projected), 8.0 * terms / 6.0 * kEps);
}

TEST_P(PassPresmooth, Pressure) {
    Numbers e = randomNumbers(step.cells, -1.0, 1.0);
    const engine::Buffer excess = floatsToGpu(e), even = floatTarget(step.cells), odd = floatTarget(step.cells);
    const auto ratio = static_cast<std::uint32_t>(step.ratio);
    const auto sweep = [&](const engine::Buffer& from, const engine::Buffer& to, int k) {
        pass("presmooth_pressure", step.cells, with({{"excess", excess}, {"potential", from}, {"potentialOut", to}}),
             PresmoothPush{k == 1 ? presmoothOmega(0, ratio) : 1.0f, presmoothOmega(k, ratio)});
    };
    sweep(excess, odd, 1);
    if (step.ratio == 4) sweep(odd, even, 2), sweep(even, odd, 3);
    const Numbers twin = presmoothPressure(step, open, e);
    // In a sweep, x has 16 roundings of terms of the size of x. The following sweeps, whose sums of weights are at most 4 and 14, enlarge
    // them.
    expectNear(fromGpu(odd, step.cells), twin, 16.0 * step.ratio * 14.0 * std::max(largest(twin), 1.0) * kEps);
}

}  // namespace
}  // namespace wisp::test
