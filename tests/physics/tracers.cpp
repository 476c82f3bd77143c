// SPDX-License-Identifier: MIT
// Tracers over whole steps.
#include "tests/physics/simulation.h"

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace wisp::test {
namespace {

constexpr double kEps = 5.96e-8;  // half a unit in the last place of 1

class Tracers : public PhysicsTest {
protected:
    std::vector<dvec4> tracersOf(Simulation& s) {
        const std::vector<float> numbers = download(s.simulator.fields().smoke.tracers);
        std::vector<dvec4> tracers;
        for (std::size_t i = 0; i < numbers.size(); i += 4)
            tracers.emplace_back(numbers[i], numbers[i + 1], numbers[i + 2], numbers[i + 3]);
        return tracers;
    }
    static std::ptrdiff_t living(const std::vector<dvec4>& tracers) {
        return std::ranges::count_if(tracers, [](const dvec4& t) { return t.w > 0.0; });
    }
};

struct TurnErrors {
    double place = 0.0, radius = 0.0;  // largest errors [cells]
};

// A rigid rotation is linear in space, so sampling is exact. Only the midpoint rule moves a tracer off its circle. For a rotation by an
// angle x per step, the error is 1/8 x^4 of the radius across the circle, and 1/6 x^3 along it, which is 2 pi x^2 / 6 in one turn. Half the
// step leaves a quarter of the error along, and an eighth of the error across.
TEST_F(Tracers, MoveInCirclesToSecondOrder) {
    const auto errorsOf = [&](int stepsPerTurn) {
        Settings s = stillBox({24, 24, 4}, 1.0f / 16);
        s.prescribed = {.field = PrescribedField::Rotation, .speed = 0.75f};  // at 0.75 m from the axis: 1 rad/s
        s.timeStep = glm::two_pi<float>() / static_cast<float>(stepsPerTurn);
        s.tracers = {.count = 777, .lifetime = 1000.0f};
        Simulation simulation(device(), s);
        const std::vector<dvec4> before = tracersOf(simulation);
        simulation.step(stepsPerTurn);
        const std::vector<dvec4> after = tracersOf(simulation);
        TurnErrors errors;
        std::size_t looked = 0;
        const auto out = [](dvec4 t) { return glm::length(glm::dvec2(t) - 12.0); };
        for (std::size_t n = 0; n < before.size(); ++n) {
            if (out(before[n]) > 11.0 || before[n].w < 6.5)
                // Not in the outermost cells, where sampling is clamped to the cell centres. No counted tracer dies during the turn.
                continue;
            ++looked;
            errors.place = std::max(errors.place, glm::distance(dvec3(before[n]), dvec3(after[n])));
            errors.radius = std::max(errors.radius, std::abs(out(before[n]) - out(after[n])));
            EXPECT_NEAR(before[n].w - after[n].w, glm::two_pi<double>(), stepsPerTurn * 1000.0 * kEps);
        }
        EXPECT_GT(looked, 300u);
        return errors;
    };
    const TurnErrors coarse = errorsOf(40), fine = errorsOf(80);
    const double x = glm::two_pi<double>() / 40.0, noise = 80.0 * 16.0 * 24.0 * kEps;  // sixteen roundings per step of numbers up to 24
    const double most = 11.0 * glm::two_pi<double>() * x * x / 6.0;
    EXPECT_NEAR(coarse.place, most, 0.1 * most);  // the outermost tracer, and the next order
    EXPECT_NEAR(coarse.place / fine.place, 4.0, 0.1 * 4.0);
    EXPECT_NEAR(coarse.radius, 11.0 * 40.0 * x * x * x * x / 8.0, 0.1 * coarse.radius + noise);
    EXPECT_NEAR(coarse.radius / fine.radius, 8.0, 0.1 * 8.0 + 16.0 * noise / fine.radius);
}

Settings boxWithABall() {
    Settings s = stillBox({32, 20, 20}, 1.0f / 16);
    s.grid.sides = {};  // open
    s.grid.precision = Precision::Half;
    s.grid.pressureRatio = 2;
    s.pressure = {.solver = PressureSolver::Multigrid, .iterations = 3};
    s.timeStep = 1.0f / 64;
    // A radius of 4 cells, and 3/16 cells per step.
    s.obstacles.push_back({.shape = {.centre = {0.4f, 0.6f, 0.6f}, .radius = 0.25f}, .velocity = {0.75f, 0.0f, 0.0f}});
    s.tracers = {.count = 3001, .lifetime = 2.0f};
    return s;
}

// A hundred steps, in which the ball moves by 19 cells. Tracers in its path move aside or are moved to its surface.
TEST_F(Tracers, AreNeverInsideAMovingBall) {
    const Settings s = boxWithABall();
    Simulation simulation(device(), s);
    std::size_t beside = 0;
    for (int n = 0; n < 100; ++n) {
        simulation.step();
        if (n % 10 != 9) continue;
        const dvec3 ball = (dvec3(0.4, 0.6, 0.6) + (n + 1) / 64.0 * dvec3(0.75, 0.0, 0.0)) * 16.0;
        const std::vector<dvec4> tracers = tracersOf(simulation);
        // A fortieth of all random positions is inside the ball. Four in a row happen once in five million spawns.
        EXPECT_EQ(living(tracers), 3001);
        for (const dvec4& t : tracers) {
            // Tracers are moved out to -1/20 of a cell of the linearly sampled distance. Between cell centres this distance is off by up to
            // 1/8 of the curvature along two axes, 2 / 4. Distances are 16-bit floats around 1.
            ASSERT_GE(glm::distance(dvec3(t), ball), 4.0 - 0.05 - 2.0 / (8.0 * 4.0) - 1e-3) << n;
            ASSERT_TRUE(glm::all(glm::greaterThanEqual(dvec3(t), dvec3(0.0))) && glm::all(glm::lessThanEqual(dvec3(t), dvec3(32, 20, 20))));
            beside += glm::distance(dvec3(t), ball) < 4.5;
        }
    }
    EXPECT_GT(beside, 50u);  // else the test proves nothing
}

// The same number of tracers is spawned in every step: each first lives for its initial age, and then for whole lifetimes.
TEST_F(Tracers, DieAtTheEndOfTheirLifetime) {
    Settings s = stillBox({8, 8, 8}, 0.125f);
    s.timeStep = 1.0f / 64;
    s.pressure.iterations = 1;  // there is nothing to solve
    s.tracers = {.count = 640, .lifetime = 1.0f};
    Simulation simulation(device(), s);
    std::vector<dvec4> before = tracersOf(simulation);
    for (int n = 0; n < 130; ++n) {
        simulation.step();
        const std::vector<dvec4> after = tracersOf(simulation);
        EXPECT_EQ(living(after), 640);
        std::size_t born = 0;
        for (std::size_t i = 0; i < after.size(); ++i) {
            born += after[i].w == 1.0;
            EXPECT_EQ(after[i].w == 1.0, dvec3(after[i]) != dvec3(before[i]));  // still air
        }
        EXPECT_EQ(born, 10u) << n;
        before = after;
    }
}

// In still air, tracers keep their world position while the box moves.
TEST_F(Tracers, KeepTheirWorldPositionWhileTheBoxMoves) {
    for (const std::uint32_t ratio : {1u, 4u}) {
        Settings s = stillBox({24, 16, 20}, 1.0f / 16);
        s.grid.sides = {};
        s.grid.pressureRatio = ratio;
        s.timeStep = 1.0f / 64;
        s.follow.keys = {{.t = 0.0f, .centre = {0.75f, 0.5f, 0.625f}},
                         {.t = 0.5f, .centre = {1.25f, 0.25f, 0.375f}},
                         {.t = 1.0f, .centre = {1.25f, 1.5f, 0.9f}}};
        s.pressure.iterations = 1;  // there is nothing to solve
        s.tracers = {.count = 1000, .lifetime = 1000.0f};
        Simulation simulation(device(), s);
        std::vector<dvec4> before = tracersOf(simulation);
        glm::i64vec3 was = simulation.simulator.state().followed;
        std::size_t scrolled = 0, stayed = 0;
        for (int n = 0; n < 64; ++n) {
            simulation.step();
            const std::vector<dvec4> after = tracersOf(simulation);
            const glm::i64vec3 now = simulation.simulator.state().followed;
            scrolled += now != was;
            for (std::size_t i = 0; i < after.size(); ++i) {
                const dvec3 there = dvec3(before[i]) - dvec3(now - was);
                const bool inside = glm::all(glm::greaterThanEqual(there, dvec3(0.0))) &&
                                    glm::all(glm::lessThanEqual(there, dvec3(s.grid.cells)));
                const bool ended = before[i].w <= double(s.timeStep);
                // Rounding of differences of numbers up to 24.
                if (inside && !ended) {
                    ASSERT_LE(glm::distance(dvec3(after[i]), there), 24.0 * std::sqrt(3.0) * kEps) << n;
                } else {
                    ASSERT_EQ(after[i].w, 1000.0) << n;
                }
                stayed += inside && now != was;
            }
            before = after;
            was = now;
        }
        EXPECT_GT(scrolled, 5u);
        EXPECT_GT(stayed, 3000u);
    }
}

TEST_F(Tracers, AreTheSameInEveryRun) {
    Settings s = boxWithABall();
    s.follow.keys = {{.t = 0.0f, .centre = {1.0f, 0.625f, 0.625f}}, {.t = 1.0f, .centre = {2.0f, 0.625f, 0.625f}}};
    s.flow.inflow = {0.5f, 0.0f, 0.0f};
    s.flow.gust = 0.5f;
    Simulation a(device(), s), b(device(), s);
    a.step(20);
    for (int n = 0; n < 20; ++n) b.step();
    EXPECT_EQ(tracersOf(a), tracersOf(b));
    s.seed = 12;
    Simulation other(device(), s);
    other.step(20);
    EXPECT_NE(tracersOf(a), tracersOf(other));
}

// Settings of points and grass, in images of nothing else. 1 m in the focal plane is 24 pixels.
class SplatsPicture : public Tracers {
protected:
    static Settings darkBox() {
        Settings s = stillBox({32, 16, 16}, 1.0f / 16);
        s.pressure.iterations = 1;
        s.environment.colour = glm::vec3(0.0f);
        s.camera = {.eye = {1.0f, 0.0f, 10.5f}, .target = {1.0f, 0.0f, 0.5f}, .fov = 2.0f * std::atan(0.5f / 10.0f)};
        s.render.size = {48, 24};
        return s;
    }
    static double sum(const Field& picture, int channel) {
        double total = 0.0;
        for (const dvec4& v : picture.values()) total += v[channel];
        return total;
    }
};

TEST_F(SplatsPicture, HasPointsOfTheirSizeAndBrightness) {
    Settings s = darkBox();
    s.camera.eye.y = s.camera.target.y = 0.5f;
    s.tracers = {.count = 1, .lifetime = 1000.0f, .size = 5.0f};
    const auto shares = [&] {  // share of the pixels, for seeds whose point is well inside the image
        std::vector<std::pair<double, double>> result;
        for (std::uint32_t seed = 0; seed < 12; ++seed) {
            s.seed = seed;
            Simulation simulation(device(), s);
            const dvec4 at = tracersOf(simulation).at(0);
            if (std::abs(at.x - 16.0) > 10.0 || std::abs(at.y - 8.0) > 4.0) continue;
            simulation.draw();
            const Field picture = fieldOf(simulation.renderer.radiance());
            result.emplace_back(sum(picture, 3), sum(picture, 0));
        }
        return result;
    };
    const auto once = shares();
    s.tracers.brightness = 2.0f;
    const auto twice = shares();
    ASSERT_GT(once.size(), 3u);
    ASSERT_EQ(once.size(), twice.size());
    for (std::size_t n = 0; n < once.size(); ++n) {
        // A disc with a diameter of 10 samples: the number of sample centres in the disc is off by at most one in each half of its rim.
        EXPECT_NEAR(once[n].first, glm::pi<double>() * 2.5 * 2.5, 0.25 * 0.5 * glm::pi<double>() * 10.0);
        EXPECT_EQ(once[n].first, twice[n].first);
        EXPECT_NEAR(twice[n].second, 2.0 * once[n].second, 2.0 * once[n].second / 512.0);  // 16-bit floats
    }
}

// 18 blades on 2 m x 1 m: six along x and three along z, each in its own third of a metre.
TEST_F(SplatsPicture, HasBladesAllOverTheLawn) {
    Settings s = darkBox();
    s.camera.eye = {1.0f, 10.0f, 0.5f};
    s.camera.target = {1.0f, 0.0f, 0.5f};
    s.grass = {.count = 18, .low = {0.0f, 0.0f, 0.0f}, .high = {2.0f, 0.0f, 1.0f}, .height = 0.002f, .colour = glm::vec3(1.0f)};
    s.lights.push_back({.direction = {0.0f, -1.0f, 0.0f}, .intensity = 100.0f});
    Simulation simulation(device(), s);
    simulation.draw();
    const Field picture = fieldOf(simulation.renderer.radiance());
    Field blades(ivec3(6, 3, 1));
    double covered = 0.0;
    forEach(picture.size(), [&](ivec3 p) {
        if (picture(p).w > 0.0) blades({p.x / 8, p.y / 8, 0}).x += 1.0;
        if (picture(p).w > 0.0) {
            EXPECT_GT(picture(p).x, 0.0);
        }
        covered += picture(p).w;
    });
    for (const dvec4& v : blades.values()) EXPECT_GE(v.x, 1.0);
    EXPECT_LE(covered, 18.0 * 0.5);  // a sample of four each, or two
}

}  // namespace
}  // namespace wisp::test
