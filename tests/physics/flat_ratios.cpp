// SPDX-License-Identifier: MIT
// Flat grids at every pressure ratio: the same result as a layer of a deep grid, with fine detail that remains.
#include "tests/physics/simulation.h"

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <algorithm>
#include <cmath>

namespace wisp::test {
namespace {

constexpr float kFlatCell = 1.0f / 32;
constexpr double kEps = 6e-8;

enum class Body { None, Capsule, Box, MovingBox };

struct LayerCase {
    std::uint32_t ratio;
    Body body;
    bool periodic;
    bool follows = false;  ///< the box follows a target, and the smoke has colours
};

std::string nameOfLayer(const testing::TestParamInfo<LayerCase>& info) {
    const char* bodies[] = {"Empty", "Capsule", "Box", "MovingBox"};
    return bodies[static_cast<int>(info.param.body)] +
           std::string(info.param.follows    ? "Following"
                       : info.param.periodic ? "Periodic"
                                             : "Closed") +
           "Ratio" + std::to_string(info.param.ratio);
}

/// A vortex, a hot jet and a body, the same at every z.
Settings layered(const LayerCase& c, std::uint32_t depth) {
    Settings s = stillBox({32, 32, depth}, kFlatCell);
    s.grid.pressureRatio = c.ratio;
    s.grid.scalarRatio = 2;
    if (c.periodic) s.grid.sides = {Side::Periodic, Side::Periodic, Side::Periodic, Side::Periodic, Side::Wall, Side::Wall};
    else s.grid.sides[0] = s.grid.sides[1] = Side::Open;
    s.pressure = {.solver = PressureSolver::Mgpcg, .iterations = 10};
    s.flow.vorticity = 0.3f;
    s.flow.weight = 0.5f;
    s.flow.buoyancy = 0.02f;
    s.timeStep = 0.75f * kFlatCell;
    s.initial.push_back({.field = InitialField::TaylorGreen, .velocity = {1.0f, 0.0f, 0.0f}});
    s.initial.push_back({.shape = {ShapeKind::Box, {0.7f, 0.4f, 0.0f}, 0.0f, {0.2f, 0.15f, 1.0f}}, .density = 0.75f});
    s.emitters.push_back({.shape = {ShapeKind::Box, {0.2f, 0.3f, 0.0f}, 0.0f, {0.1f, 0.1f, 1.0f}},
                          .velocity = {0.9f, 0.3f, 0.0f},
                          .hasVelocity = true,
                          .density = 0.5f,
                          .temperature = 20.0f});
    // No side of a box lies on a cell face.
    if (c.body == Body::Capsule) s.obstacles.push_back({.shape = {ShapeKind::Capsule, {0.53f, 0.61f, 0.0f}, 0.13f, {0.0f, 0.0f, 3.0f}}});
    if (c.body == Body::Box || c.body == Body::MovingBox)
        s.obstacles.push_back({.shape = {ShapeKind::Box, {0.523f, 0.633f, 0.0f}, 0.0f, {0.139f, 0.105f, 3.0f}}});
    if (c.body == Body::MovingBox) s.obstacles.back().velocity = {0.2f, -0.1f, 0.0f};
    s.flow.viscosity = 1e-3f;
    if (c.follows) {
        s.grid.sides.fill(Side::Open);
        s.grid.sides[4] = s.grid.sides[5] = Side::Wall;
        s.flow.inflow = {0.5f, 0.25f, 0.0f};
        const float far = 8.0f * kFlatCell;  // two cells of the coarsest pressure grid, forwards along x and backwards along y
        s.follow.keys = {{.t = 0.0f, .centre = {0.5f, 0.5f, 0.0f}}, {.t = 2.0f * s.timeStep, .centre = {0.5f + far, 0.5f - far, 0.0f}}};
        s.initial.back().colour = {1.0f, 0.5f, 0.25f};
        s.emitters.back().colour = {0.25f, 0.75f, 0.5f};
    }
    return s;
}

class FlatLayer : public PhysicsTest, public testing::WithParamInterface<LayerCase> {};
// With a body, the deep box is one pressure cell deep. Blocks with open sides along z also count the face apertures along z and widen gaps
// there. A flat grid has no such faces. At ratio 4 this also happens between the blocks of a pressure cell: around round bodies, and at
// corners of most boxes, but not of this one.
INSTANTIATE_TEST_SUITE_P(Cases, FlatLayer,
                         testing::Values(LayerCase{1, Body::None, false}, LayerCase{2, Body::None, false}, LayerCase{4, Body::None, false},
                                         LayerCase{2, Body::None, true}, LayerCase{4, Body::None, true}, LayerCase{1, Body::Capsule, false},
                                         LayerCase{2, Body::Capsule, false}, LayerCase{2, Body::MovingBox, false},
                                         LayerCase{4, Body::Box, false}, LayerCase{4, Body::MovingBox, true},
                                         LayerCase{1, Body::None, false, true}, LayerCase{2, Body::None, false, true},
                                         LayerCase{4, Body::None, false, true}),
                         nameOfLayer);

TEST_P(FlatLayer, MatchesALayerOfADeepGrid) {
    constexpr int kSteps = 4;
    const LayerCase& c = GetParam();
    const std::uint32_t depth = c.body == Body::None ? 8 : std::max(c.ratio, 2u);
    Simulation flat(device(), layered(c, 1)), deep(device(), layered(c, depth));
    flat.step(kSteps);
    deep.step(kSteps);
    // Only the order of summation differs. As in FlatGrid.MatchesALayerOfADeepGrid a step leaves 8 roundings of q in each of 32 cells, and
    // a vortex of speed 1 at a CFL number of 0.75 amplifies this by (1 + 0.75 pi / 32) per step. The local solve beside a body ends at 3e-7
    // of its right-hand side, which has up to 4 face speeds of at most 2.
    const double local = c.body == Body::None ? 0.0 : 3e-7 * 4.0 * 2.0;
    const double tolerance = kSteps * std::pow(1.0 + 0.75 * 3.15 / 32.0, kSteps) * (32.0 * 8.0 * kEps + local);
    const auto compare = [&](const Field& one, const Field& all, double scale, const char* what) {
        double largest = 0.0, worst = 0.0;
        ivec3 size = one.size(), layers = all.size();
        if (size.z == 2) size -= 1, layers -= 1;  // faces
        forEach(layers, [&](ivec3 C) {
            if (C.x >= size.x || C.y >= size.y) return;
            for (int n = 0; n < 3; ++n) {
                const double here = one(ivec3(C.x, C.y, 0))[n];
                largest = std::max(largest, std::abs(here));
                worst = std::max(worst, std::abs(here - all(C)[n]));
            }
        });
        EXPECT_GT(largest, 0.4 * scale) << what;
        EXPECT_LE(worst, tolerance * scale) << what;
    };
    compare(velocityOf(flat), velocityOf(deep), 1.0, "velocity");
    compare(densityOf(flat), densityOf(deep), 20.0, "density and temperature");
    if (c.follows)
        compare(fieldOf(flat.simulator.fields().smoke.colours[0]), fieldOf(deep.simulator.fields().smoke.colours[0]), 1.0, "colours");
    const Quality one = flat.measure(), all = deep.measure();
    EXPECT_NEAR(depth * one.mass, all.mass, tolerance * all.mass);
    EXPECT_NEAR(depth * one.kineticEnergy, all.kineticEnergy, 4.0 * tolerance * all.kineticEnergy);
    EXPECT_NEAR(one.maxSpeed, all.maxSpeed, tolerance);
    if (depth == 2) EXPECT_EQ(one.splitBlocks, all.splitBlocks);
    else EXPECT_EQ(one.splitBlocks > 0.0, all.splitBlocks > 0.0);
    for (std::size_t n = 0; n < one.bodies.size(); ++n) {
        // The error of q is the error of the speeds over the box of 1 m, on a body 0.3 m wide. The error of the friction is smaller.
        const double forces = tolerance * 1.2 / (0.75 * double(kFlatCell)) * 0.3 * depth * double(kFlatCell);
        EXPECT_LE(glm::length(double(depth) * vec(one.bodies[n].force) - vec(all.bodies[n].force)), forces);
        EXPECT_NEAR(depth * vec(one.bodies[n].torque).z, vec(all.bodies[n].torque).z, 0.3 * forces);
        EXPECT_GT(glm::length(vec(all.bodies[n].force)), 10.0 * forces);
        EXPECT_GT(glm::length(vec(all.bodies[n].friction)), 0.0);
    }
    // The difference is rounding of speeds of about 1, divided by the cell size.
    EXPECT_LE(one.fineDivergenceRms, 2.0 * all.fineDivergenceRms + 8.0 * kEps / double(kFlatCell));
    EXPECT_LE(one.divergenceRms, 2.0 * all.divergenceRms + 8.0 * kEps / double(kFlatCell));
}

class FlatRatio : public PhysicsTest {
protected:
    static Settings vortices(std::uint32_t cells, std::uint32_t ratio) {
        Settings s = stillBox({cells, cells, 1}, 1.0f / static_cast<float>(cells));
        s.grid.pressureRatio = ratio;
        s.pressure = {.solver = PressureSolver::Mgpcg, .iterations = 5};
        s.timeStep = 0.5f / static_cast<float>(cells);
        s.initial.push_back({.field = InitialField::TaylorGreen, .velocity = {1.0f, 0.0f, 0.0f}});
        return s;
    }
    /// Velocity on the faces of a periodic grid from the stream function psi, so it has no divergence.
    template <class Psi>
    void uploadStream(Simulation& s, glm::ivec2 cells, Psi&& psi) {
        std::vector<float> texels;
        forEach({cells.x + 1, cells.y + 1, 2}, [&](ivec3 c) {
            const int i = c.x % cells.x, j = c.y % cells.y;
            const bool face = c.z == 0;
            texels.insert(texels.end(), {face ? static_cast<float>(psi(i, j + 1) - psi(i, j)) : 0.0f,
                                         face ? static_cast<float>(psi(i, j) - psi(i + 1, j)) : 0.0f, 0.0f, 0.0f});
        });
        upload(s.simulator.fields().flow.velocity, texels);
    }
};

// The vortex is steady: only advection dissipates energy, at any ratio. A ratio adds the error of the interpolated correction, of relative
// size (k H)^2 / 16 for the wave number k = pi of the speeds and H = r / 32 (linear interpolation between means: 1/12, and 1/24 of the
// means themselves, with opposite signs). The correction changes speeds by k U / 2 per second, and energies by twice that.
TEST_F(FlatRatio, VorticesDecayAtTheSameRate) {
    constexpr int kN = 32, kSteps = 31;
    double rates[3];
    for (int n = 0; n < 3; ++n) {
        Simulation s(device(), vortices(kN, 1u << n));
        s.step();
        const double before = s.measure().kineticEnergy;
        s.step(kSteps);
        rates[n] = std::log(before / s.measure().kineticEnergy) / (kSteps * 0.5 / kN);
    }
    RecordProperty("decay", std::to_string(rates[0]) + " " + std::to_string(rates[1]) + " " + std::to_string(rates[2]));
    EXPECT_GT(rates[0], 0.01);
    for (int n = 1; n < 3; ++n) {
        const double k = glm::pi<double>(), kH2 = std::pow(k * (1 << n) / kN, 2.0);
        EXPECT_NEAR(rates[n], rates[0], 2.0 * kH2 / 16.0 * k / 2.0) << "ratio " << (1 << n);
    }
}

// Vortices of the size of a pressure cell have no flux through its faces, so the coarse grid does not see them. They decay at the rate in
// the settings. Their speed is so low that a step moves them by less than 1e-5 cells.
TEST_F(FlatRatio, UnresolvedDetailDecaysAtTheGivenRate) {
    constexpr int kN = 16, kSteps = 4;
    for (const int ratio : {2, 4}) {
        double left[3];
        for (int n = 0; n < 3; ++n) {
            const float rate = n == 0 ? 0.0f : n == 1 ? 8.0f : 100.0f;
            Settings s = stillBox({kN, kN, 1}, kFlatCell);
            s.grid.sides = {Side::Periodic, Side::Periodic, Side::Periodic, Side::Periodic, Side::Wall, Side::Wall};
            s.grid.pressureRatio = static_cast<std::uint32_t>(ratio);
            s.timeStep = 0.01f;
            s.flow.detailDecay = rate;
            s.pressure = {.solver = PressureSolver::Mgpcg, .iterations = 3};
            Simulation simulation(device(), s);
            const double k = glm::pi<double>() / ratio, speed = 1e-5;
            uploadStream(simulation, {kN, kN}, [&](int i, int j) { return speed * std::sin(k * i) * std::sin(k * j); });
            const Field before = fieldOf(simulation.simulator.fields().flow.velocity);
            simulation.step(kSteps);
            const Field after = velocityOf(simulation);
            const double kept = std::exp(-double(rate) * double(s.timeStep) * kSteps);
            double worst = 0.0;
            left[n] = 0.0;
            forEach({kN, kN, 1}, [&](ivec3 c) {
                for (int a = 0; a < 2; ++a) {
                    worst = std::max(worst, std::abs(after(c)[a] - kept * before(c)[a]));
                    left[n] = std::max(left[n], std::abs(after(c)[a]));
                }
            });
            // A step by 3e-6 cells changes speeds by less than pi times that. 64 roundings are added.
            EXPECT_LE(worst, speed * (kSteps * 3.2 * 3.2e-6 + 64.0 * kEps)) << "ratio " << ratio << ", rate " << rate;
        }
        EXPECT_GT(left[0], 1.3 * left[1]);
        EXPECT_GT(left[1], 30.0 * left[2]);
    }
}

// A box with two periods has the same state in both.
TEST_F(FlatRatio, TwoPeriodsAreIdentical) {
    constexpr int kSteps = 4, kN = 32;
    for (const std::uint32_t ratio : {1u, 2u, 4u}) {
        Field density[2], velocity[2];
        for (int n = 0; n < 2; ++n) {
            const int wide = kN * (n + 1);
            Settings s = stillBox({wide, kN, 1}, kFlatCell);
            s.grid.sides = {Side::Periodic, Side::Periodic, Side::Periodic, Side::Periodic, Side::Wall, Side::Wall};
            s.grid.pressureRatio = ratio;
            s.pressure = {.solver = PressureSolver::Mgpcg, .iterations = 10};
            s.timeStep = 0.5f * kFlatCell;
            s.flow.weight = 0.5f;
            for (int p = 0; p <= n; ++p) {
                const float x = static_cast<float>(p) * kN * kFlatCell;
                s.initial.push_back({.shape = {ShapeKind::Box, {0.3f + x, 0.4f, 0.0f}, 0.0f, {0.17f, 0.21f, 1.0f}}, .density = 1.0f});
                s.obstacles.push_back({.shape = {ShapeKind::Box, {0.72f + x, 0.61f, 0.0f}, 0.0f, {0.11f, 0.07f, 1.0f}}});
            }
            Simulation simulation(device(), s);
            const double k = 2.0 * glm::pi<double>() / kN;
            uploadStream(simulation, {wide, kN}, [&](int i, int j) {
                return 2.0 * std::sin(k * i) * std::cos(k * j) + std::cos(2.0 * k * j) + std::cos(k * (i + 2 * j));
            });
            simulation.step(kSteps);
            density[n] = densityOf(simulation);
            velocity[n] = velocityOf(simulation);
        }
        // As in FlatLayer: roundings of q over the 64 cells of the wider box, and the local solve. Positions in the second period have half
        // the precision: 64 eps of a cell, where fields change by up to 1 per cell.
        const double tolerance = kSteps * std::pow(1.0 + 0.5 * 3.15 / 32.0, kSteps) * (64.0 * 8.0 * kEps + 3e-7 * 4.0 * 2.0 + 64.0 * kEps);
        double worst = 0.0;
        forEach({2 * kN, kN, 1}, [&](ivec3 c) {
            const ivec3 first(c.x % kN, c.y, 0);
            worst = std::max({worst, std::abs(density[1](c).x - density[0](first).x), std::abs(velocity[1](c).x - velocity[0](first).x),
                              std::abs(velocity[1](c).y - velocity[0](first).y)});
        });
        EXPECT_LE(worst, tolerance) << "ratio " << ratio;
    }
}

}  // namespace
}  // namespace wisp::test
