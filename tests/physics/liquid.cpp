// SPDX-License-Identifier: MIT
// Liquids over whole steps.
#include "tests/physics/liquid_tank.h"
#include "tests/support/verification.h"

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/vec2.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace wisp::test {
namespace {

constexpr double kGravity = 9.81;

class Liquid : public LiquidTest {
protected:
    /// Positions and velocities, as bits.
    std::vector<float> stateOf(Simulation& s) {
        const wisp::Liquid& l = *s.simulator.fields().liquid;
        std::vector<float> all = download(l.positions[0]);
        const std::vector<float> velocities = download(l.velocities[0]);
        const auto numbers = 4 * static_cast<std::ptrdiff_t>(s.measure().liquid->particles);
        all.resize(static_cast<std::size_t>(numbers));
        all.insert(all.end(), velocities.begin(), velocities.begin() + numbers);
        return all;
    }
};

// Water at rest has a plane surface and a linear pressure. Inside, particles have random positions, and the density correction moves them a
// little.
TEST_F(Liquid, AColumnStaysStill) {
    for (const LiquidTransfer transfer : {LiquidTransfer::PicFlip, LiquidTransfer::Apic}) {
        for (const float depth : {0.5f, 0.55f}) {  // the surface lies between two cells, or inside a cell
            Settings s = tank({16, 32, 16}, 1.0f / 32);
            s.liquid.transfer = transfer;
            s.initial.push_back(water(glm::vec3(0.0f), {0.5f, depth, 0.5f}));
            Simulation simulation(device(), s);
            double fastest = 0.0;
            for (int n = 0; n < 12; ++n) {
                simulation.step(10);
                fastest = std::max(fastest, simulation.measure().maxSpeed);
            }
            const bool apic = transfer == LiquidTransfer::Apic;
            expectAtMost(Row::LiquidStill,
                         fmt::format("greatest speed / sqrt(g H), {} cells deep, {}", 32.0f * depth, apic ? "apic" : "pic_flip"),
                         fastest / std::sqrt(kGravity * static_cast<double>(depth)), 1e-3);
        }
    }
}

// A dam break for 20 s, until the water is at rest: no particle is lost or inside a solid, and only the density correction may add energy.
TEST_F(Liquid, KeepsItsVolumeInAClosedBox) {
    Settings s = damWithABall({32, 16, 12}, 1.0f / 16);
    s.liquid.reseed = false;
    Simulation simulation(device(), s);
    const Quality first = simulation.measure();
    double energy = first.liquid->energy, rise = 0.0, volume = 0.0;
    for (int n = 0; n < 40; ++n) {
        simulation.step(60);
        const Quality q = simulation.measure();
        ASSERT_EQ(q.liquid->particles, first.liquid->particles);
        ASSERT_EQ(q.liquid->inSolids, 0.0);
        ASSERT_TRUE(q.finite());
        rise = std::max(rise, q.liquid->energy / energy - 1.0);
        energy = std::min(energy, q.liquid->energy);
        volume = std::max(volume, std::abs(q.liquid->volume / first.liquid->volume - 1.0));
    }
    expectAtMost(Row::LiquidBox, "largest relative change of volume", volume, 0.02);
    // The volume may be wrong by 2 %. Then the height of the centre of mass may be wrong by a quarter of that.
    expectAtMost(Row::LiquidBox, "largest relative rise of energy above its lowest value so far", rise, 5e-3);
}

// A block that moves up at 5 m/s hits the ceiling within 0.05 s (0.25 m). Water at rest at the ceiling then falls freely through two cells,
// 0.125 m, in 0.16 s.
TEST_F(Liquid, FallsFromACeiling) {
    Settings s = tank({16, 16, 16}, 1.0f / 16);
    s.timeStep = 1.0f / 120;
    s.initial.push_back(water({0.25f, 0.5f, 0.25f}, {0.75f, 0.75f, 0.75f}));
    s.initial.back().velocity = {0.0f, 5.0f, 0.0f};
    Simulation simulation(device(), s);
    const auto high = [&] { return std::ranges::count_if(placesOf(simulation), [](const dvec3& p) { return p.y > 14.0; }); };
    simulation.step(12);
    EXPECT_GT(high(), 1024) << "half of the block must be at the ceiling";
    // Until then the water spreads along the ceiling. Along a diagonal of 0.5 m at less than 5 m/s, this takes 0.1 s and more.
    simulation.step(48);
    EXPECT_LT(high(), 20) << "less than 1 % may stay at the ceiling";
}

// The front of a column of width a and height 2 a: Martin, Moyce 1952, part IV, figure 3, for a = 2.25 inches. T = t sqrt(2 g / a), Z = x /
// a. The simulated front is ahead of the experiment by a constant time. This is also the case with half and with twice as many cells
// (docs/liquid.md). So the test fits one number, the time of release, and compares the motion of the front.
TEST_F(Liquid, FrontMatchesMartinAndMoyce) {
    constexpr int kAcross = 16;  // cells
    Settings s = tank({5 * kAcross, 2 * kAcross + 8, 4}, 1.0f / 64);
    const double a = kAcross * static_cast<double>(s.grid.cellSize());
    s.initial.push_back(water(glm::vec3(0.0f), {a, 2.0 * a, s.grid.size.z}));
    s.timeStep = 1.0f / 240;
    Simulation simulation(device(), s);
    std::vector<glm::dvec2> front;  // T, Z
    for (double T = 0.0; T < 3.5;) {
        simulation.step(2);
        T = simulation.simulator.time() * std::sqrt(2.0 * kGravity / a);
        std::vector<double> x;
        for (const dvec3& p : placesOf(simulation))
            if (p.y < 2.0) x.push_back(p.x);
        std::ranges::sort(x);
        // Without the 0.5 % of spray. Particles lie a quarter of a cell inside the surface.
        front.emplace_back(T, (x[x.size() - 1 - x.size() / 200] + 0.25) / kAcross);
    }
    const auto at = [](const std::vector<glm::dvec2>& line, double T) {
        const auto after = std::ranges::lower_bound(line, T, {}, &glm::dvec2::x);
        return glm::mix((after - 1)->y, after->y, (T - (after - 1)->x) / (after->x - (after - 1)->x));
    };
    const std::vector<glm::dvec2> measured{{0.832, 1.217}, {1.219, 1.474}, {1.997, 2.292}, {2.547, 2.995}, {3.345, 4.134}};
    const auto worst = [&](double late) {
        double difference = 0.0;
        for (double T = 1.0; T <= 3.0; T += 0.05) difference = std::max(difference, std::abs(at(front, T - late) / at(measured, T) - 1.0));
        return difference;
    };
    double late = 0.0;
    for (double l = 0.0; l < 0.5; l += 0.01) late = worst(l) < worst(late) ? l : late;
    reportOnly(Row::LiquidFront, "largest relative difference of Z, T unchanged", worst(0.0));
    reportOnly(Row::LiquidFront, "fitted time T of release", late);
    expectAtMost(Row::LiquidFront, "largest relative difference of Z, T counted from the release", worst(late), 0.05);
}

TEST_F(Liquid, IsTheSameEveryRun) {
    for (const LiquidTransfer transfer : {LiquidTransfer::PicFlip, LiquidTransfer::Apic}) {
        Settings s = damWithABall({24, 16, 12}, 1.0f / 16);
        s.liquid.transfer = transfer;
        std::vector<std::vector<float>> states;
        for (int run = 0; run < 3; ++run) {
            Simulation simulation(device(), s);
            simulation.step(60);
            states.push_back(stateOf(simulation));
        }
        EXPECT_EQ(states[0], states[1]);
        EXPECT_EQ(states[0], states[2]);
    }
}

}  // namespace
}  // namespace wisp::test
