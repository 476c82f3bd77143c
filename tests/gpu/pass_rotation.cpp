// SPDX-License-Identifier: MIT
// Advection of a field by one turn of solid-body rotation, for each scheme.
#include "tests/gpu/pass_advection.h"
#include "tests/gpu/pass_test.h"
#include "tests/reference/bricks.h"
#include "tests/reference/motion.h"
#include "tests/support/verification.h"

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace wisp::test {
namespace {

enum class Scheme { SemiLagrangian, MacCormack, Clamped };
constexpr std::pair<Scheme, const char*> kSchemes[] = {
    {Scheme::SemiLagrangian, "semi-Lagrangian"}, {Scheme::MacCormack, "MacCormack"}, {Scheme::Clamped, "MacCormack clamped"}};

double gaussian(dvec3 x) {
    const dvec3 d = x - dvec3(0.5, 0.75, x.z);
    return std::exp(-glm::dot(d, d) / (2.0 * 0.06 * 0.06));
}

double zalesak(dvec3 x) {
    const dvec3 d = x - dvec3(0.5, 0.75, x.z);
    return glm::length(d) <= 0.15 && !(std::abs(d.x) < 0.025 && d.y < 0.1) ? 1.0 : 0.0;
}

class PassRotation : public PassTest {
protected:
    static constexpr int kWatched = 16;
    struct Turn {
        Field start, end;
        double lowest = 0.0, highest = 1.0;  ///< over every sixteenth step, and 0 and 1
    };
    // One turn on n^2 cells, with two cells per step at the sides.
    Turn turn(int n, Scheme scheme, double (*initial)(dvec3)) {
        const int steps = static_cast<int>(std::ceil(glm::pi<double>() * n / 2.0));
        step = makeStep({.cells = {n, n, 1}, .obstacles = false});
        step.sidesLow = step.sidesHigh = ivec3(WISP_WALL);
        step.h = 1.0f / static_cast<float>(n);
        step.dt = 1.0f / static_cast<float>(steps);
        Field centre(step.cells), open(faces(step), dvec4(1.0));
        Turn result{Field(step.cells), {}};
        forEach(step.cells, [&](ivec3 c) {
            const dvec3 x = (dvec3(c) + 0.5) * double(step.h);
            centre(c) = 2.0 * glm::pi<double>() * dvec4(0.5 - x.y, x.x - 0.5, 0.0, 0.0);
            result.start(c).x = initial(x);
        });
        constexpr VkFormat kVector = VK_FORMAT_R32G32B32A32_SFLOAT, kScalar = VK_FORMAT_R32_SFLOAT;
        const engine::Buffer back = vectorTarget(step.cells), ahead = vectorTarget(step.cells);
        const engine::Image u = toGpu(centre, kVector), o = toGpu(open, VK_FORMAT_R8G8B8A8_UNORM), forward = target(step.cells, kScalar);
        engine::Image now = toGpu(result.start, kScalar), next = target(step.cells, kScalar);
        pass("backtrace", step.cells,
             {{"centre", u},
              {"distanceBefore", distanceImage()},
              {"backOut", back},
              {"aheadOut", ahead},
              {"reachOut", target(pathReach(step, centre, reachGroup()).count())}});
        const auto advect = [&] {
            const bool once = scheme == Scheme::SemiLagrangian;
            pass("advect_scalars", step.cells,
                 {{"back", back}, {"aperture", o}, {"apertureBefore", o}, {"scalarsIn", now}, {"scalarsOut", once ? next : forward}},
                 AdvectScalarsPush{glm::vec4(1.0f)});
            if (!once) {
                pass("advect_scalars_correct", step.cells,
                     {{"back", back}, {"ahead", ahead}, {"aperture", o}, {"scalarsIn", now}, {"forward", forward}, {"scalarsOut", next}},
                     CorrectScalarsPush{glm::vec4(1.0f), scheme == Scheme::Clamped ? WISP_CLAMPED : WISP_UNCLAMPED});
            }
            std::swap(now, next);
        };
        for (int i = 0; i < steps; i += kWatched) {
            together([&] {
                for (int k = i; k < std::min(i + kWatched, steps); ++k) advect();
            });
            result.end = fromGpu(now);
            for (const dvec4& v : result.end.values()) {
                result.lowest = std::min(result.lowest, v.x);
                result.highest = std::max(result.highest, v.x);
            }
        }
        return result;
    }
    // Difference between end and start, relative to the start. Power 2 gives the L2 norm, power 1 the L1 norm.
    static double relativeError(const Turn& turn, double power) {
        double difference = 0.0, size = 0.0;
        for (std::size_t i = 0; i < turn.start.count(); ++i) {
            difference += std::pow(std::abs(turn.end.values()[i].x - turn.start.values()[i].x), power);
            size += std::pow(turn.start.values()[i].x, power);
        }
        return std::pow(difference / size, 1.0 / power);
    }
};

// Results of double-precision CPU code of the same methods at N = 32, 64, 128: semi-Lagrangian 0.71, 0.55, 0.39; MacCormack 0.52, 0.23,
// 0.066; clamped 0.51, 0.22, 0.066. The orders rise towards 1 and 2 with N.
TEST_F(PassRotation, GaussianConvergesAtTheOrderOfItsScheme) {
    for (const auto& [scheme, name] : kSchemes) {
        const bool first = scheme == Scheme::SemiLagrangian;
        double errors[3] = {};
        for (int i = 0; i < 3; ++i) errors[i] = relativeError(turn(32 << i, scheme, gaussian), 2.0);
        reportOnly(Row::Gaussian, std::string(name) + ", relative L2 at 32", errors[0]);
        reportOnly(Row::Gaussian, std::string(name) + ", relative L2 at 64", errors[1]);
        expectAtMost(Row::Gaussian, std::string(name) + ", relative L2 at 128", errors[2], first ? 0.42 : 0.08);
        expectAtLeast(Row::Gaussian, std::string(name) + ", order 64 to 128", std::log2(errors[1] / errors[2]), first ? 0.45 : 1.6);
    }
}

// Results of the same CPU code: 0.86, 0.61, 0.55.
TEST_F(PassRotation, ZalesaksDiscStaysWithinItsBounds) {
    constexpr int n = 128;
    for (const auto& [scheme, name] : kSchemes) {
        const bool clamped = scheme == Scheme::Clamped;
        const Turn after = turn(n, scheme, zalesak);
        const double error = relativeError(after, 1.0);
        if (!clamped) {
            reportOnly(Row::Zalesak, std::string(name) + ", relative L1 at 128", error);
            continue;
        }
        expectAtMost(Row::Zalesak, std::string(name) + ", relative L1 at 128", error, 0.60);
        expectAtLeast(Row::Zalesak, std::string(name) + ", least value of every 16th step", after.lowest, 0.0);
        expectAtMost(Row::Zalesak, std::string(name) + ", greatest value of every 16th step", after.highest, 1.0);
    }
}

}  // namespace
}  // namespace wisp::test
