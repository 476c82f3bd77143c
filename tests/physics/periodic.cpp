// SPDX-License-Identifier: MIT
// Whole steps in periodic boxes: there must be no seam.
#include "compute/pressure/pressure.h"
#include "compute/smoke/smoke_passes.h"
#include "tests/physics/simulation.h"
#include "tests/support/meshes.h"

#include <glm/exponential.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <glm/trigonometric.hpp>
#include <glm/vec2.hpp>

#include <algorithm>
#include <cmath>

namespace wisp::test {
namespace {

constexpr int kX = 1, kY = 2, kZ = 4;
constexpr float kH = 1.0f / 16;

Shape wholeBox(const Settings& s) { return {ShapeKind::Box, s.grid.origin + 0.5f * s.grid.size, 0.0f, s.grid.size}; }

Settings periodicBox(glm::uvec3 cells, int axes) {
    Settings s = stillBox(cells, kH);
    for (std::size_t side = 0; side < 6; ++side) {
        if ((axes >> (side / 2) & 1) != 0) s.grid.sides[side] = Side::Periodic;
    }
    s.timeStep = kH;  // so that speeds are in cells per step
    s.pressure = {.solver = PressureSolver::Multigrid, .iterations = 14};
    return s;
}

class Periodic : public PhysicsTest {
protected:
    // Checks that texels past the seam repeat the first cells.
    static void expectWrapped(const Field& field, ivec3 cells, int axes, const char* what) {
        std::size_t wrong = 0;
        forEach(field.size(), [&](ivec3 c) {
            ivec3 owner = c;
            for (int a = 0; a < 3; ++a) owner[a] = (axes >> a & 1) != 0 ? c[a] % cells[a] : c[a];
            wrong += field(c) != field(owner);
        });
        EXPECT_EQ(wrong, 0u) << what;
    }
};

// The flow moves by whole cells per step, and the correction is clamped to bounds of equal numbers, so nothing is rounded.
TEST_F(Periodic, UniformFlowCrossesTheSeamExactly) {
    for (const std::uint32_t ratio : {1u, 2u, 4u}) {
        Settings s = periodicBox({16, 8, 32}, kX | kY | kZ);
        s.grid.precision = Precision::Half;
        s.grid.pressureRatio = ratio;
        s.advection.filter = ratio == 2 ? Filter::Hardware : Filter::Exact;
        s.flow.vorticity = 0.5f;
        const ivec3 u(2, -1, 3);
        s.initial.push_back({.shape = wholeBox(s), .velocity = glm::vec3(u)});
        s.initial.push_back({.field = InitialField::Gaussian, .shape = {.centre = {0.1f, 0.2f, 0.3f}, .radius = 0.2f}, .density = 0.9f});
        Simulation simulation(device(), s);
        const Field before = densityOf(simulation);
        const double mass = simulation.measure().mass, energy = simulation.measure().kineticEnergy;
        simulation.step(9);
        const Field after = densityOf(simulation), velocity = velocityOf(simulation);
        std::size_t wrong = 0;
        forEach(before.size(), [&](ivec3 c) {
            ivec3 to = c + 9 * u;
            for (int a = 0; a < 3; ++a) to[a] = (to[a] % before.size()[a] + before.size()[a]) % before.size()[a];
            wrong += before(c).x != after(to).x;
        });
        EXPECT_EQ(wrong, 0u) << "ratio " << ratio;
        for (const dvec4& v : velocity.values()) ASSERT_EQ(dvec3(v), dvec3(u)) << "ratio " << ratio;
        EXPECT_NEAR(simulation.measure().mass, mass, 20.0 * 6e-8 * mass);  // the order of summation differs
        EXPECT_EQ(simulation.measure().kineticEnergy, energy);
    }
}

// All features at once, across the seams of x and z. All positions are multiples of h / 8, so distances have the same bits wherever the
// scene lies.
Settings scene(std::uint32_t ratio, AdvectionScheme scheme, ivec3 shift) {
    Settings s = periodicBox({20, 24, 16}, kX | kZ);
    s.grid.sides[3] = Side::Open;
    s.grid.pressureRatio = ratio;
    s.advection.scheme = scheme;
    s.flow.vorticity = 0.3f;
    s.flow.buoyancy = 0.02f;
    s.flow.viscosity = 1e-3f;
    const auto place = [&](glm::vec3 cells) { return kH * (cells + glm::vec3(shift)); };
    EmitterSettings emitter;
    emitter.shape = {.centre = place({0.5f, 5.0f, 15.0f}), .radius = 3.25f * kH};
    emitter.velocity = {0.5f, 1.0f, 0.25f};
    emitter.hasVelocity = true;
    emitter.density = 1.0f;
    emitter.temperature = 20.0f;
    s.emitters.push_back(emitter);
    s.obstacles.push_back({.shape = {.centre = place({18.5f, 13.0f, 1.0f}), .radius = 3.125f * kH},
                           .velocity = {0.5f, -0.125f, 0.0f},
                           .angularVelocity = {0, 2, 1}});
    s.obstacles.push_back({.shape = {ShapeKind::Box, place({8.0f, 17.0f, 15.0f}), 0.0f, glm::vec3(1.75f, 2.25f, 2.5f) * kH},
                           .velocity = {0.0f, 0.0f, 0.25f}});
    s.initial.push_back(
        {.shape = {.centre = place({19.0f, 9.0f, 8.0f}), .radius = 4.5f * kH}, .density = 0.5f, .velocity = {1.0f, 0.0f, 0.5f}});
    return s;
}

// Relative L2 difference of a field and a shifted field.
double differenceOf(const Field& a, const Field& b, ivec3 cells, ivec3 shift) {
    double difference = 0.0, size = 0.0;
    forEach(cells, [&](ivec3 c) {
        const dvec3 x(a((c + shift) % cells)), y(b(c));
        difference += glm::dot(x - y, x - y);
        size += glm::dot(y, y);
    });
    return std::sqrt(difference / size);
}

// Only rounding differs: positions to 32 eps of a cell in fields that change by about 1 per cell, which is 2e-6 per step, and the pressure
// to its residual of 1e-6, in ten steps. Semi-Lagrangian advection is continuous. MacCormack clamps, and falls back to semi-Lagrangian at
// some positions. So one cell in a thousand may differ by a correction of some hundredths.
TEST_F(Periodic, AShiftedSceneIsTheSameScene) {
    const ivec3 shift(8, 0, 4);
    for (const std::uint32_t ratio : {1u, 2u, 4u}) {
        const AdvectionScheme scheme = ratio == 2 ? AdvectionScheme::SemiLagrangian : AdvectionScheme::MacCormack;
        Field density[2], velocity[2];
        for (int n = 0; n < 2; ++n) {
            const Settings s = scene(ratio, scheme, n * shift);
            Simulation simulation(device(), s);
            simulation.step(10);
            density[n] = densityOf(simulation);
            velocity[n] = velocityOf(simulation);
            EXPECT_EQ(simulation.measure().leakedMass, 0.0);
            const ivec3 cells(s.grid.cells);
            expectWrapped(velocity[n], cells, kX | kZ, "velocity");
            expectWrapped(fieldOf(simulation.simulator.fields().domain.aperture), cells, kX | kZ, "aperture");
            expectWrapped(fieldOf(simulation.simulator.fields().domain.solidVelocity), cells, kX | kZ, "solid velocity");
            simulation.recorder.begin();
            Fields& f = simulation.simulator.fields();
            recordForces(simulation.recorder, f.domain, f.pressure, f.flow, f.smoke, s);
            simulation.recorder.submit();
            simulation.recorder.finish();
            expectWrapped(fieldOf(simulation.simulator.fields().flow.velocity), cells, kX | kZ, "velocity before it is projected");
        }
        const ivec3 cells = density[0].size();
        const double smoke = differenceOf(density[1], density[0], cells, shift),
                     flow = differenceOf(velocity[1], velocity[0], cells, shift);
        const bool smooth = scheme == AdvectionScheme::SemiLagrangian;
        const std::string what = "ratio " + std::to_string(ratio) + (smooth ? ", semi-Lagrangian" : ", MacCormack");
        RecordProperty(what, std::to_string(1e6 * smoke) + "e-6 " + std::to_string(1e6 * flow) + "e-6");
        EXPECT_LE(smoke, smooth ? 3e-5 : 1e-3) << what;
        EXPECT_LE(flow, smooth ? 3e-5 : 1e-3) << what;
        double across = 0.0;  // the scene must reach over both seams, or the test proves nothing
        forEach(cells,
                [&](ivec3 c) { across += c.x == 0 || c.x == cells.x - 1 || c.z == 0 || c.z == cells.z - 1 ? density[0](c).x : 0.0; });
        EXPECT_GT(across, 20.0);
    }
}

// Symmetric flow makes almost no difference between a wall and a periodic side. So four copies of the steady vortex of a closed box equal
// the vortex of whole waves in a periodic box.
TEST_F(Periodic, TaylorGreenMatchesTheClosedBox) {
    constexpr std::uint32_t n = 24;
    Field velocity[2];
    for (const bool periodic : {false, true}) {
        const std::uint32_t edge = periodic ? 2 * n : n;
        Settings s = periodicBox({edge, edge, 1}, periodic ? kX | kY | kZ : 0);
        s.timeStep = 0.5f * kH;
        s.initial.push_back({.field = InitialField::TaylorGreen, .velocity = {1.0f, 0.0f, 0.0f}});
        Simulation simulation(device(), s);
        simulation.step();
        double energy = simulation.measure().kineticEnergy;
        for (int step = 1; step < 48; ++step) {
            simulation.step();
            const double next = simulation.measure().kineticEnergy;
            EXPECT_LE(next, energy * (1.0 + 1e-4)) << "step " << step;
            energy = next;
        }
        velocity[periodic ? 1 : 0] = velocityOf(simulation);
    }
    forEach({n, n, 1}, [&](ivec3 c) {
        // Samples beyond a wall are clamped, but samples beyond a periodic side are not. In the middle of a trace, up to 0.016 cells from
        // the face, the velocity towards the wall changes by 0.13 per cell and is therefore wrong by 2e-3. The trace is wrong by half as
        // many cells: 1.4e-4 per step in a flow that changes by 0.13 per cell.
        for (int a = 0; a < 2; ++a) EXPECT_NEAR(velocity[1](c)[a], velocity[0](c)[a], 48 * 1.4e-4) << c.x << " " << c.y;
    });
}

// Like SmoothProjection, which has walls. The waves of the box have phases, so that nothing vanishes at the seam. Returns the rms errors of
// velocity and vorticity.
class PeriodicProjection : public Periodic {
protected:
    glm::dvec2 errors(std::uint32_t n, std::uint32_t ratio) {
        Settings s = periodicBox(glm::uvec3(n), kX | kY | kZ);
        s.grid.pressureRatio = ratio;
        Simulation simulation(device(), s);
        const ivec3 cells(s.grid.cells);
        Field exact(cells + 1);
        std::vector<float> values;
        forEach(exact.size(), [&](ivec3 c) {
            for (int axis = 0; axis < 3; ++axis) {
                dvec3 p = dvec3(c) + 0.5;
                p[axis] = c[axis];
                const dvec3 k = 2.0 * glm::pi<double>() * p / double(n) + dvec3(0.4, 1.1, 2.3), sine = glm::sin(k), cosine = glm::cos(k);
                exact(c)[axis] = dvec3(sine.y * cosine.z, cosine.x * sine.z, sine.x * cosine.y)[axis];
                const dvec3 gradient(cosine.x * sine.y * sine.z, sine.x * cosine.y * sine.z, sine.x * sine.y * cosine.z);
                values.push_back(static_cast<float>(exact(c)[axis] + 0.5 * gradient[axis]));
            }
            values.push_back(0.0f);
        });
        Fields& f = simulation.simulator.fields();
        upload(f.flow.velocity, values);
        simulation.recorder.begin();
        recordDownsample(simulation.recorder, f.domain, f.flow, f.pressure, s);
        recordPressure(simulation.recorder, f.domain, f.pressure, s.pressure, isClosed(s.grid));
        recordProject(simulation.recorder, f.domain, f.pressure, f.flow, s);
        simulation.recorder.submit();
        simulation.recorder.finish();
        Field d = velocityOf(simulation);
        for (std::size_t i = 0; i < d.count(); ++i) d.values()[i] -= exact.values()[i];
        glm::dvec2 sums(0.0);
        forEach(cells, [&](ivec3 c) {
            for (int axis = 0; axis < 3; ++axis) {
                const int a = (axis + 1) % 3, b = (axis + 2) % 3;
                const double omega = ((d.nearest(c, cells)[b] - d.nearest(c - unit(a), cells)[b]) -
                                      (d(c)[a] - d.nearest(c - unit(b), cells)[a])) *
                                     n;
                sums += glm::dvec2(d(c)[axis] * d(c)[axis], omega * omega);
            }
        });
        return glm::sqrt(sums / static_cast<double>(n * n * n));
    }
};

TEST_F(PeriodicProjection, IsSecondOrderAcrossTheSeam) {
    for (const std::uint32_t ratio : {2u, 4u}) {
        const glm::dvec2 coarse = errors(24, ratio), fine = errors(48, ratio);
        RecordProperty("ratio " + std::to_string(ratio), std::to_string(fine.x) + " " + std::to_string(fine.y));
        EXPECT_GE(std::log2(coarse.x / fine.x), 1.8) << "ratio " << ratio << ": " << coarse.x << ", " << fine.x;
        EXPECT_GE(std::log2(coarse.y / fine.y), 1.8) << "ratio " << ratio << ": " << coarse.y << ", " << fine.y;
    }
}

// At the seam and elsewhere, with odd numbers of pressure cells and bodies across the seam.
TEST_F(Periodic, DivergenceVanishesEverywhere) {
    for (const std::uint32_t ratio : {1u, 2u, 4u}) {
        for (const int axes : {kX, kY | kZ, kX | kY | kZ}) {
            const glm::uvec3 cells = axes == kX ? glm::uvec3(20, 24, 36) : glm::uvec3(12, 20, 28);
            Settings s = periodicBox(cells, axes);
            s.grid.pressureRatio = ratio;
            s.pressure.iterations = 20;
            s.initial.push_back({.shape = {.centre = glm::vec3(0.1f), .radius = 0.5f}, .velocity = {0.5f, 1.0f, -0.3f}});
            // Across the seams, but not through walls: a body through a wall has no solution.
            const auto place = [&](glm::vec3 x) {
                for (int a = 0; a < 3; ++a) x[a] = (axes >> a & 1) != 0 ? x[a] : 0.45f * s.grid.size[a];
                return x;
            };
            s.obstacles.push_back({.shape = {.centre = place({0.05f, 0.5f, 0.6f}), .radius = 0.2f},
                                   .velocity = {-0.4f, 0.2f, 0.1f},
                                   .angularVelocity = {0, 2, 1}});
            s.obstacles.push_back(
                {.shape = {ShapeKind::Capsule, place({0.7f, 0.05f, 0.1f}), 0.1f, {0.1f, 0.2f, 0.15f}}, .angularVelocity = {1, 0, 2}});
            Simulation simulation(device(), s);
            simulation.recorder.begin();
            simulation.simulator.step(simulation.recorder, true);
            simulation.recorder.submit();
            simulation.recorder.finish();
            const Quality q = simulation.measure();
            const std::string what = "ratio " + std::to_string(ratio) + ", " + std::to_string(cells.x) + " along x, axes " +
                                     std::to_string(axes);
            EXPECT_LT(q.divergenceMax, 2e-5 / double(kH)) << what << ", residual " << q.residual;
            EXPECT_LE(q.fineDivergenceRms, 1e-4 * q.fineDivergenceBefore) << what << ", split blocks " << q.splitBlocks;
            expectWrapped(velocityOf(simulation), ivec3(cells), axes, what.c_str());
        }
    }
}

// An obstacle leaves the box at one end and enters it again at the other end. After one full crossing the state is as at the start.
TEST_F(Periodic, ObstacleReturnsThroughTheSeam) {
    Settings s = periodicBox({16, 12, 8}, kX | kZ);
    s.grid.pressureRatio = 2;
    s.pressure.iterations = 2;
    s.initial.push_back({.shape = wholeBox(s), .density = 1.0f});
    s.obstacles.push_back({.shape = {.centre = kH * glm::vec3(3.0f, 6.0f, 4.0f), .radius = 2.5f * kH}, .velocity = {0.5f, 0.0f, 0.25f}});
    Simulation simulation(device(), s);
    const Field start = fieldOf(simulation.simulator.fields().domain.aperture);
    double solid = 0.0;
    for (int step = 1; step <= 32; ++step) {
        simulation.step();
        EXPECT_EQ(simulation.measure().leakedMass, 0.0) << "step " << step;
        const Field now = fieldOf(simulation.simulator.fields().domain.aperture);
        double volume = 0.0;
        forEach(ivec3(s.grid.cells), [&](ivec3 c) { volume += 1.0 - now(c).w; });
        if (step == 8) solid = volume;
        if (step % 8 == 0) {  // moved by whole blocks of cells
            EXPECT_NEAR(volume, solid, 1e-9) << "step " << step;
        }
        const Field density = densityOf(simulation);
        forEach(ivec3(s.grid.cells), [&](ivec3 c) {
            if (now(c).w == 0.0) return;
            EXPECT_NEAR(density(c).x, 1.0, 32 * 16 * 6e-8) << "step " << step;  // see ObstacleMotion
        });
    }
    EXPECT_EQ(fieldOf(simulation.simulator.fields().domain.aperture).values(), start.values());
}

// A bar as long as the box has no ends: every slice is the same, and nothing flows through the bar.
TEST_F(Periodic, BodiesThatSpanTheBoxAreEndless) {
    const float length = 12 * kH;
    const Shape bars[] = {{ShapeKind::Box, {0.2f, 0.4f, 0.3f}, 0.0f, {0.5f * length, 0.15f, 0.17f}},
                          {ShapeKind::Box, {0.2f, 0.4f, 0.3f}, 0.0f, {2.0f * length, 0.15f, 0.17f}},
                          {ShapeKind::Capsule, {0.2f, 0.4f, 0.3f}, 0.16f, {0.5f * length, 0.0f, 0.0f}}};
    for (const Shape& bar : bars) {
        Settings s = periodicBox({12, 12, 12}, kX);
        s.obstacles.push_back(
            {.shape = bar, .angularVelocity = bar.half.x < length && bar.kind == ShapeKind::Box ? glm::vec3(1, 0, 0) : glm::vec3(0)});
        s.initial.push_back({.shape = wholeBox(s), .density = 1.0f, .velocity = {0.3f, 0.0f, 0.0f}});
        Simulation simulation(device(), s);
        simulation.step(3);
        const Field aperture = fieldOf(simulation.simulator.fields().domain.aperture),
                    distance = fieldOf(simulation.simulator.fields().domain.solidDistance);
        double solid = 0.0;
        forEach(ivec3(12), [&](ivec3 c) {
            const ivec3 first(0, c.y, c.z);
            // The bar is rotated by a rounded quaternion. A corner may be off by 1e-6 and round differently.
            EXPECT_NEAR(glm::distance(aperture(c), aperture(first)), 0.0, 2.0 / 255.0);
            EXPECT_NEAR(distance(c).x, distance(first).x, 2e-3);  // distances below 4, stored as 16-bit floats
            solid += aperture(c).w == 0.0;
        });
        EXPECT_GT(solid, 12 * 8);
        EXPECT_EQ(simulation.measure().leakedMass, 0.0);
    }
}

// All positions are multiples of h / 4, so the samples of the mesh distance grid have the same bits on both sides of the seam.
TEST_F(Periodic, AMeshAcrossTheSeamIsWhole) {
    Field aperture[2], velocity[2];
    const ivec3 cells(16, 12, 20), shift(6, 0, 10);
    for (int n = 0; n < 2; ++n) {
        Settings s = periodicBox(glm::uvec3(cells), kX | kZ);
        s.meshes.push_back(shared(torus(4.0f * kH, 1.75f * kH, 24, 12)));
        ObstacleSettings o{
            .shape = {.kind = ShapeKind::Mesh, .centre = kH * (glm::vec3(1.25f, 6.5f, 9.75f) + static_cast<float>(n) * glm::vec3(shift))},
            .rotation = {0.4f, 0.3f, 0.0f},
            .velocity = {0.25f, 0.0f, 0.5f},
            .angularVelocity = {0, 1, 0}};
        s.obstacles.push_back(o);
        Simulation simulation(device(), s);
        simulation.step(2);
        aperture[n] = fieldOf(simulation.simulator.fields().domain.aperture);
        velocity[n] = fieldOf(simulation.simulator.fields().domain.solidVelocity);
    }
    std::size_t wrong = 0, cut = 0;
    forEach(cells, [&](ivec3 c) {
        wrong += aperture[1]((c + shift) % cells) != aperture[0](c) || velocity[1]((c + shift) % cells) != velocity[0](c);
        cut += aperture[0](c).w < 1.0 && (c.x < 2 || c.x > 13);
    });
    EXPECT_EQ(wrong, 0u);
    EXPECT_GT(cut, 100u);
}

// An image shows one period. A ball across the seam is cut there and must be visible at both sides, and nowhere else.
TEST_F(Periodic, ABodyAcrossTheSeamShowsOnBothSides) {
    Settings s = periodicBox({16, 16, 16}, kX);
    s.obstacles.push_back({.shape = {.centre = {0.0f, 0.5f, 0.5f}, .radius = 0.25f}});
    s.camera = {.eye = {0.5f, 0.5f, 40.0f}, .target = {0.5f, 0.5f, 0.5f}, .fov = 0.04f};  // 1.58 m wide at the centre, nearly parallel rays
    s.render.size = {79, 79};
    const Field picture = pictureOf(s);
    int wrong = 0;
    forEach(picture.size(), [&](ivec3 p) {
        // Relative to the centre of the ball, 50 pixels per metre.
        const double x = (p.x + 0.5) / 50.0 - 0.29, y = 0.79 - (p.y + 0.5) / 50.0;
        const double left = std::hypot(x, y), right = std::hypot(x - 1.0, y);
        const bool inside = x > 0.0 && x < 1.0 && std::min(left, right) < 0.25;
        const bool unsure = std::abs(std::min(left, right) - 0.25) < 0.03 || std::abs(x) < 0.03 || std::abs(x - 1.0) < 0.03;
        wrong += !unsure && (picture(p).w == 1.0) != inside;
    });
    EXPECT_EQ(wrong, 0);
}

TEST_F(Periodic, GivesTheSameBitsTwice) {
    Field density[2], velocity[2];
    for (int run = 0; run < 2; ++run) {
        Settings s = scene(2, AdvectionScheme::MacCormack, ivec3(0));
        s.grid.cells = {26, 18, 30};
        s.grid.size = kH * glm::vec3(s.grid.cells);
        s.grid.precision = Precision::Half;
        s.pressure = {.solver = PressureSolver::Mgpcg, .iterations = 3};
        Simulation simulation(device(), s);
        simulation.step(6);
        density[run] = densityOf(simulation);
        velocity[run] = velocityOf(simulation);
    }
    EXPECT_EQ(density[0].values(), density[1].values());
    EXPECT_EQ(velocity[0].values(), velocity[1].values());
}

}  // namespace
}  // namespace wisp::test
