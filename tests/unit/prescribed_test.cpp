// SPDX-License-Identifier: MIT
// Prescribed velocities on the CPU.
#include "compute/scene/prescribed.h"

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace wisp {
namespace {

constexpr double kPi = glm::pi<double>();

/// Largest speed over all positions, from 0 to 1 along each edge.
double greatest(const std::function<glm::dvec2(glm::dvec2)>& velocity) {
    double most = 0.0;
    for (int j = 0; j <= 64; ++j)
        for (int i = 0; i <= 64; ++i) most = std::max(most, glm::length(velocity(glm::dvec2(i, j) / 64.0)));
    return most;
}

TEST(Prescribed, GreatestSpeeds) {
    Settings s;
    s.grid.cells = {64, 32, 1};
    s.grid.size = {2.0f, 1.0f, 1.0f / 32};
    s.prescribed = {.field = PrescribedField::None, .speed = 0.75f, .velocity = {0.3f, -0.4f, 7.0f}};
    const auto expect = [&](PrescribedField field, const std::function<glm::dvec2(glm::dvec2)>& velocity) {
        s.prescribed.field = field;
        EXPECT_NEAR(greatestSpeed(s), greatest(velocity), 1e-6) << static_cast<int>(field);
    };
    const double U = 0.75;
    EXPECT_EQ(greatestSpeed(s), 0.0f);
    expect(PrescribedField::Uniform, [](glm::dvec2) { return glm::dvec2(0.3, -0.4); });
    expect(PrescribedField::Rotation, [&](glm::dvec2 x) { return U / 0.5 * glm::dvec2(0.5 - x.y, 2.0 * x.x - 1.0); });
    expect(PrescribedField::Shear, [&](glm::dvec2 x) { return glm::dvec2(2.0 * U * (x.y - 0.5), 0.0); });
    expect(PrescribedField::Sine, [&](glm::dvec2 x) { return U / std::sqrt(2.0) * glm::dvec2(1.0, std::cos(2.0 * kPi * x.x)); });
    expect(PrescribedField::Arrows, [&](glm::dvec2) { return glm::dvec2(U, 0.0); });
    // Without divergence: du/dx + dv/dy = 0 gives the amplitude of v.
    for (const auto& [periodicX, periodicY] : {std::pair(false, false), {true, false}, {false, true}, {true, true}}) {
        s.grid.sides = {};
        if (periodicX) s.grid.sides[0] = s.grid.sides[1] = Side::Periodic;
        if (periodicY) s.grid.sides[2] = s.grid.sides[3] = Side::Periodic;
        for (const float height : {1.0f, 8.0f}) {
            s.grid.size.y = height;
            const double kx = (periodicX ? 2.0 : 1.0) * kPi / 2.0, ky = (periodicY ? 2.0 : 1.0) * kPi / static_cast<double>(height);
            expect(PrescribedField::TaylorGreen, [&](glm::dvec2 x) {
                const glm::dvec2 a = x * glm::dvec2(2.0 * kx, static_cast<double>(height) * ky);
                return U * glm::dvec2(std::sin(a.x) * std::cos(a.y), -kx / ky * std::cos(a.x) * std::sin(a.y));
            });
        }
    }
}

TEST(Prescribed, ArrowsAreTurnedOneByOne) {
    PrescribedSettings p{.field = PrescribedField::Arrows, .speed = 2.0f, .velocity = {0.0f, 3.0f, 0.0f}};
    EXPECT_FLOAT_EQ(arrowAngle(p, {4, 7}), glm::half_pi<float>()) << "the default direction of arrows";
    setArrowAngle(p, {4, 7}, 1.0f);
    setArrowAngle(p, {5, 7}, 2.0f);
    setArrowAngle(p, {4, 7}, -3.0f);
    EXPECT_EQ(p.arrows.size(), 2u);
    EXPECT_EQ(arrowAngle(p, {4, 7}), -3.0f);
    const gpu::PrescribedData data = prescribedData(p);
    EXPECT_FLOAT_EQ(data.arrows[7 * 16 + 4].x, 2.0f * std::cos(-3.0f));
    EXPECT_FLOAT_EQ(data.arrows[7 * 16 + 5].y, 2.0f * std::sin(2.0f));
    EXPECT_FLOAT_EQ(data.arrows[7 * 16 + 6].y, 2.0f);
}

}  // namespace
}  // namespace wisp
