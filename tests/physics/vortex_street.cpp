// SPDX-License-Identifier: MIT
// Vortex street behind a cylinder in a flat grid, at pressure ratios 1 and 2.
#include "compute/sim/probes.h"
#include "tests/physics/simulation.h"
#include "tests/support/verification.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

namespace wisp::test {
namespace {

/// A cylinder with a diameter of 1 m, `across` cells wide, in a stream of 1 m/s. The channel has 40 x 20 diameters and slip walls, so the
/// blockage is 5 %. In a channel of 60 diameters St is 1 % lower: 0.1678 and 0.1847 instead of 0.1693 and 0.1862 at ratio 1, on an H200.
struct Street {
    std::uint32_t across;
    glm::uvec2 size;  ///< of the channel [diameters]
};

struct Shedding {
    double reynolds, strouhal;  // Fey, Koenig, Eckelmann 1998, a cylinder in an unbounded stream
    std::uint32_t ratio;
};

class VortexStreet : public PhysicsTest, public testing::WithParamInterface<Shedding> {
protected:
    Settings channel(const Street& street, double reynolds, std::uint32_t ratio) {
        Settings s;
        s.grid.cells = {street.across * street.size.x, street.across * street.size.y, 1};
        s.grid.size = {street.size.x, street.size.y, 1.0f / static_cast<float>(street.across)};
        s.grid.pressureRatio = ratio;
        s.grid.precision = Precision::Float;
        s.grid.sides = {Side::Inflow, Side::Open, Side::Wall, Side::Wall, Side::Wall, Side::Wall};
        // The effective viscosity of the scheme, 0.12 u^2 dt (docs/physics.md), is a tenth of the viscosity of the flow. In the normal test
        // suite it is larger, and the flow crosses a cell in two steps.
        s.timeStep = sized(0.5f / static_cast<float>(street.across), static_cast<float>(0.1 / 0.12 / reynolds));
        s.flow = {};
        s.flow.vorticity = s.flow.densityDecay = s.flow.velocityDecay = s.flow.detailDecay = 0.0f;
        s.flow.viscosity = static_cast<float>(1.0 / reynolds);
        s.flow.inflow = {1.0f, 0.0f, 0.0f};
        s.pressure = {.solver = PressureSolver::Mgpcg, .iterations = 4};
        const glm::vec3 middle(0.3f * static_cast<float>(street.size.x), 0.5f * static_cast<float>(street.size.y), 0.0f);
        s.initial.push_back({.shape = {ShapeKind::Box, middle, 0.0f, glm::vec3(100.0f)}, .velocity = {1.0f, 0.0f, 0.0f}});
        s.initial.push_back({.shape = {.centre = middle + glm::vec3(1.5f, 1.0f, 0.0f), .radius = 0.8f},
                             .velocity = {0.3f, 0.6f, 0.0f}});  // breaks the symmetry
        s.obstacles.push_back({.shape = {ShapeKind::Capsule, middle, 0.5f, {0.0f, 0.0f, 8.0f}}});
        return s;
    }

    /// Vortices of one side per second, times diameter over speed. Counted as upward zero crossings of the transverse velocity, 3 diameters
    /// behind the cylinder.
    double strouhal(const Street& street, double reynolds, std::uint32_t ratio, double from, double until) {
        const Settings s = channel(street, reynolds, ratio);
        Simulation simulation(device(), s);
        const ProbeSettings probe{
            .at = glm::vec3(0.3f * static_cast<float>(street.size.x) + 3.0f, 0.5f * static_cast<float>(street.size.y) + 0.4f, 0.0f)};
        ProbeSampler sampler(device(), s);
        const double dt = static_cast<double>(s.timeStep);
        const int kEvery = sized(4, 16);
        double before = 0.0, first = -1.0, last = -1.0;
        int crossings = 0;
        for (double t = 0.0; t < until; t += kEvery * dt) {
            simulation.step(kEvery);
            if (t < from) continue;
            double v = 0.0;
            simulation.recorder.begin();
            sampler.sample(simulation.recorder, simulation.simulator, probe,
                           [&](std::span<const gpu::ProbeValue> values) { v = static_cast<double>(values[0].velocity.y); });
            simulation.recorder.submit();
            simulation.recorder.finish();
            if (before < 0.0 && v >= 0.0) {
                last = t - kEvery * dt * v / (v - before);
                if (first < 0.0) first = last;
                ++crossings;
            }
            before = v;
        }
        return crossings > 1 ? (crossings - 1) / (last - first) : 0.0;
    }
};

// The normal test suite has 8 cells across in a narrow channel, a few periods, and only ratio 2. At this ratio no vortices were shed when
// flat grids lost their fine motion. The blockage is 12.5 %, so the flow beside the cylinder is faster by about that.
std::vector<Shedding> sheddings() {
    if (!fullSizes()) return {{100.0, 0.1648, 2}};
    return {{100.0, 0.1648, 1}, {100.0, 0.1648, 2}, {150.0, 0.1838, 1}, {150.0, 0.1838, 2}};
}
INSTANTIATE_TEST_SUITE_P(Cases, VortexStreet, testing::ValuesIn(sheddings()),
                         [](const auto& of) { return fmt::format("Reynolds{:.0f}Ratio{}", of.param.reynolds, of.param.ratio); });

TEST_P(VortexStreet, ShedsAtTheStrouhalNumber) {
    const Street street = sized(Street{8, {16, 8}}, Street{16, {40, 20}});
    const auto& [reynolds, expected, ratio] = GetParam();
    const double St = strouhal(street, reynolds, ratio, sized(40.0, 80.0), sized(65.0, 140.0));
    expectNear(Row::Strouhal, fmt::format("Re {}, ratio {}, {} cells across, Strouhal number", reynolds, ratio, street.across), St,
               expected, sized(0.15, 0.03) * expected);
}

}  // namespace
}  // namespace wisp::test
