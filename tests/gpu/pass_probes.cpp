// SPDX-License-Identifier: MIT
// Probes: fields at points of a line.
#include "shaders/shared/probe.h"
#include "tests/gpu/pass_test.h"
#include "tests/reference/probes.h"

#include <algorithm>
#include <cmath>

namespace wisp::test {
namespace {

class PassSampleProbes : public EveryCase {};
INSTANTIATE_TEST_SUITE_P(Cases, PassSampleProbes, testing::ValuesIn(passCases()), nameOf);

TEST_P(PassSampleProbes, MatchesItsTwin) {
    constexpr std::uint32_t kCount = 97;
    ViewSources from;
    from.aperture = aperture();
    from.velocity = wrapped(randomVelocity(step));
    from.scalars = random(step.scalarCells, 2, -1.0, 1.0);
    from.centre = randomVectors(step.cells, 1.0);
    from.pressure = randomNumbers(step.pressureCells, -1.0, 1.0);
    from.weights = coarseAperture(step, from.aperture);
    const engine::Image apertureImage = toGpu(from.aperture, VK_FORMAT_R8G8B8A8_UNORM), faces = toGpu(from.velocity, vectorFormat()),
                        scalars = toGpu(from.scalars, scalarFormat());
    Numbers fine = randomNumbers(step.cells, -1.0 / double(step.h), 1.0 / double(step.h));  // changes q by up to 1
    const engine::Buffer centre = vectorsToGpu(from.centre), potential = floatsToGpu(fine), pressure = cellsToGpu(from.pressure),
                         weights = weightsToGpu(from.weights);
    const Field solid = distanceField();
    gpu::ProbePush push{.wind = {.origin = step.origin,
                                 .h = step.h,
                                 .cells = step.cells,
                                 .periodic = periodicAxes(step),
                                 .ambient = step.inflow,
                                 .unused = 0.0f},
                        .from = {},
                        .way = {},
                        .count = kCount};
    // A position has an error of 12 roundings of a coordinate. Values between -1 and 1 change by 2 per cell along three axes, and have 30
    // roundings. If few cells are fluid, their weight divides the error. Curls are up to 4 / (2 h), pressures up to 2 / dt, and finer
    // scalars change faster.
    const double place = 12.0 * (std::max({step.cells.x, step.cells.y, step.cells.z}) + 16.0) * kEps, base = 6.0 * place + 30.0 * kEps;
    std::size_t inside = 0, outside = 0, compared = 0;
    // Lines through the box in several directions, from half a cell beyond its corners. The last line is a single point.
    for (int line = 0; line < 4; ++line) {
        const dvec3 n(step.cells), share[4] = {{0.03, 0.11, 0.07}, {0.93, 0.02, 0.12}, {0.13, 0.91, 0.04}, {0.4, 0.6, 0.55}};
        const dvec3 low = -0.5 + share[line] * (n + 1.0),
                    high = line == 3 ? low : -0.5 + (1.0 - share[line]) * (n + 1.0) + dvec3(0.9, -0.4, 0.7);
        push.from = glm::vec3(dvec3(step.origin) + double(step.h) * low);
        push.way = glm::vec3(double(step.h) * (high - low));
        const engine::Buffer values = target(std::size_t{9} * kCount);
        pass("sample_probes", ivec3(128, 1, 1),
             {{"faces", faces},
              {"aperture", apertureImage},
              {"scalars", scalars},
              {"pressureIn", pressure},
              {"weights", weights},
              {"centre", centre},
              {"potential", potential},
              {"probeValues", values}},
             push);
        const std::vector<float> got = download(values);
        for (std::uint32_t i = 0; i < kCount; ++i) {
            const dvec3 x = dvec3(push.from) + dvec3(push.way) * (double(i) / (kCount - 1));
            const ProbeTwin twin = sampleProbe(step, from, fine, solid, push.wind, x);
            const float* v = &got[std::size_t{9} * i];
            if (twin.edge < 2e-3) continue;  // either result is right
            SCOPED_TRACE(std::to_string(line) + " " + std::to_string(i));
            ASSERT_EQ(std::isnan(v[0]), !twin.there);
            (twin.there ? inside : outside) += 1;
            if (!twin.there) {
                for (int k = 0; k < 9; ++k) ASSERT_TRUE(std::isnan(v[k])) << k;
                continue;
            }
            const auto near = [&](int k, double value, double scale, double weight) {
                if (weight < 1e-3) return;  // hardly any fluid cells
                ASSERT_NEAR(double(v[k]), value, base * scale / weight) << k;
                ++compared;
            };
            for (int a = 0; a < 3; ++a) near(a, twin.velocity[a], 1.0, 1.0);
            near(3, twin.pressure, 2.0 / double(step.dt), twin.pressureWeight);
            for (int a = 0; a < 3; ++a) near(4 + a, twin.vorticity[a], 2.0 / double(step.h), twin.vorticityWeight);
            near(7, twin.density, step.scalarRatio, twin.scalarWeight);
            near(8, twin.temperature, step.scalarRatio, twin.scalarWeight);
        }
    }
    EXPECT_GT(inside + outside, 0u);
    if (step.cells.x > 2) {
        EXPECT_GT(compared, 100u);
    }
}

}  // namespace
}  // namespace wisp::test
