// SPDX-License-Identifier: MIT
// A sparse simulation against the dense one, and against itself with NaN in everything that it does not store.
#include "tests/physics/simulation.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace wisp::test {
namespace {

constexpr int kBrick = WISP_BRICK_EDGE;

/// A plume in a box of 1 x 1.5 x 1 m with an open top and open sides. Most of the box stays empty.
Settings plume(std::uint32_t ratio = 2) {
    Settings s = stillBox({64, 96, 64}, 1.0f / 64);
    for (const std::size_t side : {0u, 1u, 3u, 4u, 5u}) s.grid.sides[side] = Side::Open;
    s.grid.pressureRatio = ratio;
    s.grid.sparse = true;
    s.timeStep = 1.0f / 60;
    s.pressure = {.solver = PressureSolver::Multigrid, .iterations = 2};
    s.flow.buoyancy = 0.03f;
    s.flow.vorticity = 0.3f;
    s.flow.detailDecay = 1.0f;
    s.advection.filter = Filter::Hardware;
    EmitterSettings source;
    source.shape = {.centre = {0.5f, 0.12f, 0.5f}, .radius = 0.1f};
    source.density = 1.0f;
    source.temperature = 100.0f;
    source.velocity = {0.0f, 0.6f, 0.0f};
    source.hasVelocity = true;
    source.turbulence = 0.3f;
    source.turbulenceScale = 0.08f;
    s.emitters.push_back(source);
    return s;
}

Settings dense(Settings s) {
    s.grid.sparse = false;
    return s;
}

double rms(const Field& a, const Field& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.count(); ++i) sum += (a.values()[i].x - b.values()[i].x) * (a.values()[i].x - b.values()[i].x);
    return std::sqrt(sum / static_cast<double>(a.count()));
}

class Sparse : public PhysicsTest {
protected:
    /// Whether the brick of a cell or face texel of edge `edge` fine cells is active.
    class Active {
    public:
        Active(const Bricks& bricks, const std::vector<std::byte>& states) : size_(bricks.size), words_(states.size() / 4) {
            std::memcpy(words_.data(), states.data(), states.size());
        }
        bool operator()(ivec3 c, int edge = 1) const {
            const ivec3 b = c * edge / kBrick;
            return (words_[static_cast<std::size_t>((b.z * size_.y + b.y) * size_.x + b.x)] & WISP_IS_ACTIVE) != 0;
        }

    private:
        ivec3 size_;
        std::vector<std::uint32_t> words_;
    };
    Active activeIn(Simulation& s) {
        const Bricks& bricks = *s.simulator.fields().domain.bricks;
        return {bricks, downloadBytes(bricks.states)};
    }

    /// Overwrites with NaN what a sparse simulation would not store: velocity and paths of bricks that are not active, and scratch.
    void poison(Simulation& s) {
        const Active active = activeIn(s);
        const Fields& f = s.simulator.fields();
        const ivec3 cells(f.domain.cells());
        const auto inImage = [&](const engine::Image& image, int edge) {
            std::vector<float> values = download(image);
            const std::size_t channels = values.size() / Field(ivec3(image.size())).count();
            std::size_t i = 0;
            forEach(ivec3(image.size()), [&](ivec3 c) {
                if (!active(c, edge)) std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(i * channels), channels, kNaN);
                ++i;
            });
            upload(image, values);
        };
        const auto inBuffer = [&](const engine::Buffer& buffer) {
            std::vector<float> values = download(buffer);
            std::size_t i = 0;
            forEach(cells, [&](ivec3 c) {
                if (!active(c)) std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(4 * i), 4, kNaN);
                ++i;
            });
            upload(buffer, values);
        };
        const auto whole = [&](const auto& resource) { upload(resource, std::vector<float>(download(resource).size(), kNaN)); };
        for (const engine::Image* image : {&f.flow.velocity, &f.flow.projected, &f.flow.centre}) inImage(*image, 1);
        for (const engine::Buffer* buffer : {&f.flow.centreVectors, &f.flow.back, &f.flow.ahead}) inBuffer(*buffer);
        whole(f.flow.scratch);
        whole(f.pressure.correction);
        for (const engine::Image& image : f.pressure.blocks.changes) whole(image);
        if (!f.pressure.middle) return;
        const MiddleGrid& m = *f.pressure.middle;
        for (const engine::Image* image : {&m.velocity, &m.projected}) whole(*image);
        whole(m.correction);
        for (const engine::Image& image : m.blocks.changes) whole(image);
    }
    static constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

    /// Rms divergence [1/s] of the fine cells in active bricks.
    double fineDivergence(Simulation& s, const Active& active) {
        const Field u = velocityOf(s);
        const ivec3 cells(s.simulator.fields().domain.cells());
        double sum = 0.0, count = 0.0;
        forEach(cells, [&](ivec3 c) {
            if (!active(c)) return;
            double out = 0.0;
            for (int axis = 0; axis < 3; ++axis) {
                ivec3 high = c;
                ++high[axis];
                out += u(high)[axis] - u(c)[axis];
            }
            sum += out * out;
            count += 1.0;
        });
        return std::sqrt(sum / count) / double(s.simulator.settings().grid.cellSize());
    }

    /// Steps a simulation and its poisoned twin. Both must give the same bits.
    void expectNothingHidden(const Settings& settings, int steps) {
        Simulation clean(device(), settings), poisoned(device(), settings);
        for (int n = 0; n < steps; ++n) {
            clean.step();
            poisoned.step();
            poison(poisoned);
        }
        const Active active = activeIn(clean);
        EXPECT_EQ(downloadBytes(clean.simulator.fields().domain.bricks->states),
                  downloadBytes(poisoned.simulator.fields().domain.bricks->states));
        const Field density = densityOf(clean), velocity = velocityOf(clean), other = velocityOf(poisoned);
        EXPECT_EQ(density.values(), densityOf(poisoned).values());
        EXPECT_EQ(fieldOf(clean.simulator.fields().flow.coarse->flow.velocity).values(),
                  fieldOf(poisoned.simulator.fields().flow.coarse->flow.velocity).values());
        std::size_t compared = 0, idle = 0;
        forEach(velocity.size(), [&](ivec3 c) {
            if (!active(c)) return void(++idle);
            ++compared;
            ASSERT_EQ(velocity(c), other(c)) << c.x << " " << c.y << " " << c.z;
        });
        EXPECT_GT(compared, velocity.count() / 20);
        EXPECT_GT(idle, velocity.count() / 4) << "nearly all bricks are active: the test shows nothing";
    }
};

TEST_F(Sparse, HidesNothingInEmptyBricks) {
    for (const std::uint32_t ratio : {2u, 4u}) {
        SCOPED_TRACE(testing::Message() << "ratio " << ratio);
        expectNothingHidden(plume(ratio), 14);
    }
}

// A ball flies through empty room towards the plume, and opens bricks on its way.
TEST_F(Sparse, HidesNothingAroundAMovingBall) {
    for (const std::uint32_t ratio : {2u, 4u}) {
        SCOPED_TRACE(testing::Message() << "ratio " << ratio);
        Settings s = plume(ratio);
        s.grid.scalarRatio = 2;
        s.emitters[0].colour = {0.9f, 0.4f, 0.1f};
        s.obstacles.push_back({.shape = {.centre = {0.15f, 1.2f, 0.5f}, .radius = 0.1f}, .velocity = {1.5f, -1.0f, 0.0f}});
        expectNothingHidden(s, 12);
    }
}

// The difference to the dense simulation must be small beside the difference that another seed of the source's turbulence makes.
TEST_F(Sparse, AgreesWithDense) {
    const Settings s = plume();
    Settings reseeded = dense(s);
    reseeded.seed = s.seed + 1;
    Simulation sparse(device(), s), whole(device(), dense(s)), other(device(), reseeded);
    for (int n = 0; n < 3; ++n) {
        for (Simulation* each : {&sparse, &whole, &other}) each->step(20);
        const Field reference = densityOf(whole);
        const double own = rms(densityOf(sparse), reference), ofSeed = rms(densityOf(other), reference);
        std::printf("step %d: rms difference to dense %.2e, of another seed %.2e\n", 20 * (n + 1), own, ofSeed);
        EXPECT_LT(own, ofSeed / 5.0);
    }
    const Quality a = sparse.measure(), b = whole.measure();
    ASSERT_TRUE(a.sparse.has_value());
    std::printf("active share %.3f, dropped %.2e of the mass, divergence %.2e and %.2e, fine %.2e and %.2e\n", a.sparse->activeShare,
                a.sparse->droppedMass / a.mass, a.divergenceRms, b.divergenceRms, a.fineDivergenceRms, b.fineDivergenceRms);
    EXPECT_LT(a.sparse->activeShare, 0.6);
    EXPECT_LE(a.sparse->droppedMass, 1e-5 * a.mass);
    EXPECT_NEAR(a.mass, b.mass, 1e-3 * b.mass);
    EXPECT_NEAR(a.kineticEnergy, b.kineticEnergy, 1e-2 * b.kineticEnergy);
    // The fields differ, so their divergences do, too. Both are what the pressure solver leaves. Outside of active bricks only the coarse
    // divergence is small: fine faces of active bricks bound cells whose other faces are upsampled.
    EXPECT_LT(a.divergenceRms, 1.1 * b.divergenceRms);
    const Active active = activeIn(sparse);
    EXPECT_LT(fineDivergence(sparse, active), 1.1 * fineDivergence(whole, active));
}

// A vortex ring in clear air is seen on the coarse grid alone. It crosses several bricks.
TEST_F(Sparse, KeepsAVortexRingInClearAir) {
    Settings s = plume();
    s.emitters.clear();
    s.flow.vorticity = 0.0f;
    s.flow.detailDecay = 0.0f;
    s.initial.push_back({.shape = {.centre = {0.5f, 0.35f, 0.5f}, .radius = 0.14f}, .velocity = {0.0f, 2.0f, 0.0f}});
    Simulation sparse(device(), s), whole(device(), dense(s));
    for (Simulation* each : {&sparse, &whole}) each->step(40);
    const Quality a = sparse.measure(), b = whole.measure();
    std::printf("energy %.6e, dense %.6e; active share %.3f\n", a.kineticEnergy, b.kineticEnergy, a.sparse->activeShare);
    EXPECT_NEAR(a.kineticEnergy, b.kineticEnergy, 0.01 * b.kineticEnergy);
    EXPECT_LT(a.sparse->activeShare, 0.8);
    EXPECT_GT(a.sparse->activeShare, 0.0);
}

TEST_F(Sparse, GivesTheSameBitsInEveryRun) {
    Settings s = plume();
    s.grid.precision = Precision::Half;
    s.pressure.iterations = 0;
    Simulation a(device(), s), b(device(), s);
    for (Simulation* each : {&a, &b}) each->step(20);
    EXPECT_EQ(densityOf(a).values(), densityOf(b).values());
    EXPECT_EQ(fieldOf(a.simulator.fields().flow.coarse->flow.velocity).values(),
              fieldOf(b.simulator.fields().flow.coarse->flow.velocity).values());
}

// Measuring a step fills all bricks with velocity. This must not change the run, also where bricks have just been opened: the ball jumps
// into bricks that nothing has opened ahead of it.
TEST_F(Sparse, IsNotChangedByMeasuring) {
    for (const std::uint32_t ratio : {2u, 4u}) {
        SCOPED_TRACE(testing::Message() << "ratio " << ratio);
        Settings s = plume(ratio);
        s.obstacles.push_back({.shape = {.centre = {0.15f, 1.2f, 0.5f}, .radius = 0.1f}});
        const glm::vec3 here(0.15f, 1.2f, 0.5f), there(0.8f, 1.1f, 0.45f);
        s.obstacles[0].keys = {{0.0f, here}, {4.0f / 60, here}, {5.0f / 60, there}, {9.0f / 60, there}};
        Simulation plain(device(), s), measured(device(), s);
        for (int n = 0; n < 12; ++n) {
            plain.step();
            measured.recorder.begin();
            measured.simulator.step(measured.recorder, true);
            measured.recorder.submit();
            measured.recorder.finish();
            measured.measure();
        }
        EXPECT_EQ(densityOf(plain).values(), densityOf(measured).values());
        const Active active = activeIn(plain);
        const Field a = velocityOf(plain), b = velocityOf(measured);
        std::size_t differ = 0;
        forEach(a.size(), [&](ivec3 c) { differ += active(c) && a(c) != b(c) ? 1 : 0; });
        EXPECT_EQ(differ, 0u);
    }
}

// Colours that are added while a simulation runs start in bricks whose neighbours have none.
TEST_F(Sparse, TakesColoursWhileItRuns) {
    Settings s = plume();
    Simulation simulation(device(), s);
    simulation.step(4);
    s.emitters[0].colour = {0.9f, 0.3f, 0.1f};
    simulation.simulator.change(s);
    simulation.step(11);  // an odd number: the colours are in the image that was a scratch field at the start
    const Field colours = fieldOf(simulation.simulator.fields().smoke.colours[0]), density = densityOf(simulation);
    double sum = 0.0;
    forEach(colours.size(), [&](ivec3 c) {
        ASSERT_TRUE(std::isfinite(colours(c).x)) << c.x << " " << c.y << " " << c.z;
        sum += colours(c).x - colours(c).z;
    });
    EXPECT_GT(sum, 0.0) << "the new smoke is red";
}

// The invariant between steps: coarse faces of active bricks are the means of their fine faces.
TEST_F(Sparse, CoarseFacesAreMeansOfFineFaces) {
    for (const std::uint32_t ratio : {2u, 4u}) {
        SCOPED_TRACE(testing::Message() << "ratio " << ratio);
        Simulation simulation(device(), plume(ratio));
        simulation.step(10);
        const Fields& f = simulation.simulator.fields();
        const Field fine = fieldOf(f.flow.velocity), coarse = fieldOf(f.flow.coarse->flow.velocity);
        const Active active = activeIn(simulation);
        const int r = static_cast<int>(ratio);
        double worst = 0.0, largest = 0.0;
        forEach(ivec3(f.domain.pressureCells()), [&](ivec3 C) {
            if (!active(C, r)) return;
            for (int axis = 0; axis < 3; ++axis) {
                if (axis == 1 && C.y == 0) continue;  // the floor
                double sum = 0.0;
                for (int b = 0; b < r; ++b) {
                    for (int a = 0; a < r; ++a) {
                        ivec3 c = C * r;
                        c[(axis + 1) % 3] += a;
                        c[(axis + 2) % 3] += b;
                        sum += fine(c)[axis];
                    }
                }
                worst = std::max(worst, std::abs(sum / (r * r) - coarse(C)[axis]));
                largest = std::max(largest, std::abs(coarse(C)[axis]));
            }
        });
        // A sum of r^2 floats and a quotient.
        EXPECT_LT(worst, (r * r + 1) * std::exp2(-24.0) * 2.0 * largest);
        EXPECT_GT(largest, 0.1);
    }
}

// When the source stops and the smoke has left, all bricks close.
TEST_F(Sparse, ClosesBricksThatAreEmpty) {
    Settings s = plume();
    s.flow.densityDecay = 6.0f;  // so slow that some smoke below the threshold is left when a brick closes
    s.flow.velocityDecay = 30.0f;
    s.flow.buoyancy = 0.0f;
    s.emitters[0].temperature = 0.0f;
    Simulation simulation(device(), s);
    simulation.step(3);
    EXPECT_GT(simulation.measure().sparse->activeBricks, 4.0);
    s.emitters.clear();
    s.emitters.push_back({.shape = {.centre = {0.9f, 1.4f, 0.9f}, .radius = 1e-3f}, .density = 0.0f});
    simulation.simulator.change(s);
    simulation.step(120);
    const Quality q = simulation.measure();
    EXPECT_LE(q.sparse->activeBricks, 8.0) << "only those of the source";
    EXPECT_GT(q.sparse->droppedMass, 0.0);
    EXPECT_LT(q.mass, 1e-6);
}

}  // namespace
}  // namespace wisp::test
