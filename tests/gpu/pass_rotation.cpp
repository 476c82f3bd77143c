// SPDX-License-Identifier: MIT
// Order of advection: a Gaussian carried once around by solid rotation.
#include "tests/gpu/pass_test.h"
#include "tests/reference/bricks.h"
#include "tests/reference/motion.h"

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <cmath>
#include <utility>

namespace wisp::test {
namespace {

enum class Scheme { SemiLagrangian, MacCormack, Clamped };

class PassRotation : public PassTest {
protected:
    // Relative L2 error after one turn of n^2 cells at about two cells a step, sigma 0.06 of the box.
    double errorAfterOneTurn(int n, Scheme scheme) {
        const int steps = static_cast<int>(std::ceil(glm::pi<double>() * n / 2.0));
        step = makeStep({.cells = {n, n, 1}, .obstacles = false});
        step.sidesLow = step.sidesHigh = ivec3(WISP_WALL);
        step.h = 1.0f / static_cast<float>(n);
        step.dt = 1.0f / static_cast<float>(steps);
        Field centre(step.cells), start(step.cells), open(faces(step), dvec4(1.0));
        forEach(step.cells, [&](ivec3 c) {
            const dvec3 x = (dvec3(c) + 0.5) * double(step.h) - 0.5, d = x - dvec3(0.0, 0.25, x.z);
            centre(c) = 2.0 * glm::pi<double>() * dvec4(-x.y, x.x, 0.0, 0.0);
            start(c).x = std::exp(-glm::dot(d, d) / (2.0 * 0.06 * 0.06));
        });
        constexpr VkFormat kVector = VK_FORMAT_R32G32B32A32_SFLOAT, kScalar = VK_FORMAT_R32_SFLOAT;
        const engine::Buffer back = vectorTarget(step.cells), ahead = vectorTarget(step.cells);
        const engine::Image u = toGpu(centre, kVector), o = toGpu(open, VK_FORMAT_R8G8B8A8_UNORM), forward = target(step.cells, kScalar);
        engine::Image now = toGpu(start, kScalar), next = target(step.cells, kScalar);
        pass("trace", step.cells, {{"centre", u}, {"distanceBefore", distanceImage()}, {"backOut", back}, {"aheadOut", ahead}, {"reachOut", target(pathReach(step, centre, reachGroup()).count())}});
        for (int i = 0; i < steps; ++i) {
            const bool once = scheme == Scheme::SemiLagrangian;
            pass("advect_scalars", step.cells, {{"back", back}, {"openness", o}, {"opennessBefore", o}, {"scalarsIn", now}, {"scalarsOut", once ? next : forward}},
                 glm::vec4(1.0f));
            const struct {
                glm::vec4 keep;
                int clamped;
            } push{glm::vec4(1.0f), scheme == Scheme::Clamped};
            if (!once) {
                pass("advect_scalars_correct", step.cells,
                     {{"back", back}, {"ahead", ahead}, {"openness", o}, {"scalarsIn", now}, {"forward", forward}, {"scalarsOut", next}},
                     push);
            }
            std::swap(now, next);
        }
        return relativeError(fromGpu(now), start);
    }
    static double relativeError(const Field& a, const Field& b) {
        double difference = 0.0, size = 0.0;
        for (std::size_t i = 0; i < a.count(); ++i) {
            difference += std::pow(a.values()[i].x - b.values()[i].x, 2.0);
            size += std::pow(b.values()[i].x, 2.0);
        }
        return std::sqrt(difference / size);
    }
};

// What double-precision CPU code of the same methods gets at N = 64, 128: semi-Lagrangian .55, .39; MacCormack .23, .066;
// clamped .22, .066. The orders rise towards 1 and 2 with N.
TEST_F(PassRotation, ConvergesAtTheOrderOfItsScheme) {
    const struct {
        Scheme scheme;
        double order, error;
    } cases[] = {{Scheme::SemiLagrangian, 0.45, 0.42}, {Scheme::MacCormack, 1.6, 0.08}, {Scheme::Clamped, 1.6, 0.08}};
    for (const auto& c : cases) {
        const double coarse = errorAfterOneTurn(64, c.scheme), fine = errorAfterOneTurn(128, c.scheme);
        SCOPED_TRACE("scheme " + std::to_string(static_cast<int>(c.scheme)) + ": " + std::to_string(coarse) + ", " + std::to_string(fine));
        EXPECT_GE(std::log2(coarse / fine), c.order);
        EXPECT_LE(fine, c.error);
    }
}

}  // namespace
}  // namespace wisp::test
