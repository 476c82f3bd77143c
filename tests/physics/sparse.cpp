// SPDX-License-Identifier: MIT
// A sparse simulation against the dense one, and against itself with NaN in everything that it does not store.
#include "tests/physics/sparse.h"

#include <bit>
#include <cmath>
#include <limits>
#include <memory>

namespace wisp::test {
namespace {

// Pushes of tests/gpu/shaders/sparse_overwrite_texels.comp and sparse_overwrite_words.comp. `overwritten`: kinds of slots, as bits.
struct OverwriteTexelsPush {
    float value;
    int edge;  // of a slot [texels]
    std::uint32_t overwritten;
    int marginsOnly;
};
WISP_MEMBERS(OverwriteTexelsPush, value, edge, overwritten, marginsOnly)
struct OverwriteWordsPush {
    std::uint32_t word, ofSlot, overwritten;
};
WISP_MEMBERS(OverwriteWordsPush, word, ofSlot, overwritten)

class Sparse : public SparsePhysics {
protected:
    void SetUp() override {
        SparsePhysics::SetUp();
        if (!IsSkipped() && !HasFatalFailure()) overwriting = pooledLibrary(device(), testShaders());
    }
    void TearDown() override {
        overwriting.reset();
        SparsePhysics::TearDown();
    }
    /// Overwrites with NaN what a step does not take from the step before. All of it, except blank slots: scratch fields. In the halo: what
    /// is filled anew in each step. In slots that no brick has: everything but smoke, which must be 0 there.
    void poison(Simulation& s) {
        const Fields& f = s.simulator.fields();
        const SlotUse use(*this, s);
        constexpr std::uint32_t kFree = 1u << SlotUse::Free, kNotActive = kFree | 1u << SlotUse::Halo,
                                kNotBlank = kNotActive | 1u << SlotUse::Active;
        const engine::Buffer flow = kindsToGpu(use.flowBits()), smoke = kindsToGpu(use.smokeBits());
        // Samplers read texels beside a slot with a weight of 0, so images that are sampled must hold numbers.
        const bool samples = s.simulator.settings().advection.filter == Filter::Hardware;
        const float sampled = samples ? 1000.0f : kNaN;
        run(*overwriting, [&](engine::Recorder& rec) {
            const auto words = [&](const engine::Buffer& buffer, std::uint32_t kinds, float value) {
                const OverwriteWordsPush push{std::bit_cast<std::uint32_t>(value),
                                              static_cast<std::uint32_t>(buffer.bytes() / 4 / use.flowBits().size()), kinds};
                rec.dispatch("sparse_overwrite_words", {static_cast<std::uint32_t>(buffer.bytes() / 4), 1, 1},
                             {{"words", buffer}, {"kinds", flow}}, push);
            };
            const auto texels = [&](const engine::Image& image, int edge, std::uint32_t kinds, float value, bool ofSmoke = false) {
                const glm::uvec3 size = image.size();
                rec.dispatch("sparse_overwrite_texels", {size.x / static_cast<std::uint32_t>(edge), size.y, size.z},
                             {{"field", image}, {"kinds", ofSmoke ? smoke : flow}},
                             OverwriteTexelsPush{value, edge, kinds, ofSmoke ? 1 : 0});
            };
            const int half = kBrick / 2, whole = kBrick + 1;  // edges of slots
            const auto blocks = [&](const Blocks& b) {
                for (const engine::Image& image : b.changes) {
                    if (use.isInSlots(image, kBrick / 2)) texels(image, half, kNotBlank, sampled);
                    else rec.clear(image, sampled);
                }
                for (const engine::Buffer* bits : {&b.openFaces, &b.smoothFaces})
                    if (use.isInSlots(*bits, kBrick / 2)) words(*bits, kFree, sampled);
            };
            for (const engine::Buffer* buffer : {&f.flow.centreVectors, &f.flow.back, &f.flow.ahead}) words(*buffer, kNotActive, kNaN);
            words(f.pressure.potential, kNotBlank, kNaN);
            if (use.isInSlots(f.domain.solidVelocity, kBrick)) texels(f.domain.solidVelocity, whole, kFree, kNaN);
            for (const engine::Image* image : {&f.flow.velocity, &f.flow.projected, &f.flow.centre})
                texels(*image, whole, kNotActive, sampled);
            for (const engine::Image* image : {&f.domain.aperture, &f.domain.apertureBefore})
                if (*image) texels(*image, whole, kFree, 0.4f);  // the format has no NaN; bricks without obstacles have 1
            for (const engine::Image* image : {&f.domain.solidDistance, &f.domain.solidDistanceBefore})
                if (*image && use.isInSlots(*image, kBrick)) texels(*image, whole, kFree, sampled);
            texels(f.flow.scratch, whole, kNotBlank, sampled);
            // Margins of smoke become current before they are sampled.
            for (const auto* field : {&f.smoke.scalars, &f.smoke.colours}) {
                for (const engine::Image& image : *field) {
                    if (image) texels(image, static_cast<int>(image.size().x / WISP_SLOTS_X), kNotBlank, sampled, true);
                }
            }
            // The outermost faces of the halo get values from these.
            if (use.isInSlots(f.pressure.correction, kBrick)) words(f.pressure.correction, kNotBlank, sampled);
            else rec.clear(f.pressure.correction, std::bit_cast<std::uint32_t>(sampled));
            blocks(f.pressure.blocks);
            if (!f.pressure.middle) return;
            const MiddleGrid& m = *f.pressure.middle;
            for (const engine::Image* image : {&m.velocity, &m.projected}) texels(*image, half, kNotBlank, sampled);
            words(m.correction, kNotBlank, sampled);
            texels(m.aperture, half, kFree, sampled);
            blocks(m.blocks);
        });
    }
    engine::Buffer kindsToGpu(const std::vector<std::uint32_t>& kinds) {
        engine::Buffer result = buffer("kinds of slots", kinds.size() * sizeof(std::uint32_t));
        run(*overwriting, [&](engine::Recorder& rec) { rec.upload(result, std::as_bytes(std::span(kinds))); });
        return result;
    }
    /// Slots of smoke that no brick has must be empty: bricks that open take them as they are.
    void expectEmptySlots(Simulation& s) {
        const Smoke& smoke = s.simulator.fields().smoke;
        const SlotUse use(*this, s);
        std::size_t wrong = 0;
        for (const auto* field : {&smoke.scalars, &smoke.colours}) {
            if (!(*field)[0]) continue;
            for (const engine::Image& image : *field) {
                if (!image) continue;
                const std::vector<float> values = download(image);
                use.forSmoke(image, values.size(), [&](std::size_t i, SlotUse::SmokeKind kind) {
                    wrong += kind == SlotUse::SmokeKind::Free && values[i] != 0.0f;
                });
            }
        }
        EXPECT_EQ(wrong, 0u) << "values in slots that no brick has";
    }
    static constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
    PooledLibrary overwriting;

    /// Steps a simulation and its poisoned twin. Both must give the same bits.
    void expectNothingHidden(const Settings& settings, int steps) {
        Simulation clean(device(), settings), poisoned(device(), settings);
        for (int n = 0; n < steps; ++n) {
            clean.step();
            poisoned.step();
            poison(poisoned);
        }
        expectEmptySlots(poisoned);
        EXPECT_EQ(downloadBytes(clean.simulator.fields().domain.bricks->slots),
                  downloadBytes(poisoned.simulator.fields().domain.bricks->slots));
        const Active active = activeIn(clean);
        EXPECT_EQ(downloadBytes(clean.simulator.fields().domain.bricks->states),
                  downloadBytes(poisoned.simulator.fields().domain.bricks->states));
        const Field density = densityOf(clean), velocity = velocityOf(clean), other = velocityOf(poisoned);
        EXPECT_TRUE(density.values() == densityOf(poisoned).values());
        EXPECT_TRUE(fieldOf(clean.simulator.fields().flow.coarse->flow.velocity).values() ==
                    fieldOf(poisoned.simulator.fields().flow.coarse->flow.velocity).values());
        std::size_t compared = 0, idle = 0, wrong = 0;
        forEach(velocity.size(), [&](ivec3 c) {
            if (!active(c)) return void(++idle);
            ++compared;
            wrong += velocity(c) != other(c);
        });
        EXPECT_EQ(wrong, 0u) << "velocities differ";
        EXPECT_GT(compared, velocity.count() / 20);
        EXPECT_GT(idle, velocity.count() / 4) << "nearly all bricks are active: the test shows nothing";
    }
};

TEST_F(Sparse, HidesNothingInEmptyBricks) {
    for (const std::uint32_t ratio : {2u, 4u}) {
        SCOPED_TRACE(testing::Message() << "ratio " << ratio);
        Settings s = plume(ratio);
        expectNothingHidden(s, 9);
        s.advection.filter = Filter::Exact;
        if (ratio == 2) expectNothingHidden(s, 5);
    }
}

// A layer of smoke that is one brick thick: bricks in its middle have neighbours that are filled only above and below.
TEST_F(Sparse, HidesNothingBesideALayer) {
    Settings s = plume(4);
    s.grid.cells = {80, 80, 48};
    s.grid.size = glm::vec3(80, 80, 48) / 64.0f;
    s.emitters.clear();
    s.flow.buoyancy = 0.0f;
    InitialSettings layer;
    layer.shape = {.kind = ShapeKind::Box, .centre = glm::vec3(40, 40, 24) / 64.0f, .half = glm::vec3(16, 16, 3) / 64.0f};
    layer.density = 1.0f;
    layer.velocity = {0.1f, 0.05f, 0.02f};
    s.initial.push_back(layer);
    expectNothingHidden(s, 4);
}

// A ball flies through empty room towards the plume, and opens bricks on its way.
TEST_F(Sparse, HidesNothingAroundAMovingBall) {
    for (const std::uint32_t ratio : {2u, 4u}) {
        SCOPED_TRACE(testing::Message() << "ratio " << ratio);
        Settings s = plume(ratio);
        s.grid.scalarRatio = 2;
        if (ratio == 4) s.grid.precision = Precision::Half;  // lavapipe has 2 GiB of memory
        s.emitters[0].colour = {0.9f, 0.4f, 0.1f};
        s.obstacles.push_back({.shape = {.centre = {0.15f, 1.2f, 0.5f}, .radius = 0.1f}, .velocity = {2.5f, -1.6f, 0.0f}});
        expectNothingHidden(s, 7);
        s.grid.precision = Precision::Half;
        s.advection.filter = Filter::Exact;
        if (ratio == 4) expectNothingHidden(s, 3);
    }
}

// The difference to the dense simulation must be small beside the difference that another seed of the source's turbulence makes.
TEST_F(Sparse, AgreesWithDense) {
    const Settings s = plume();
    Settings reseeded = dense(s);
    reseeded.seed = s.seed + 1;
    Simulation sparse(device(), s), whole(device(), dense(s)), other(device(), reseeded);
    for (int n = 0; n < 2; ++n) {
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
    // The momentum of a box with sides nearly cancels, so the scale is that of all fluid at its mean speed.
    const glm::dvec3 size = glm::dvec3(s.grid.cells) * double(s.grid.cellSize());
    const double scale = double(s.flow.fluidDensity) * std::sqrt(2.0 * b.kineticEnergy * size.x * size.y * size.z);
    std::printf("momentum differs by %.2e of the fluid's mean\n", glm::length(vec(*a.momentum) - vec(*b.momentum)) / scale);
    EXPECT_LT(glm::length(vec(*a.momentum) - vec(*b.momentum)), 1e-2 * scale);
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
    for (Simulation* each : {&sparse, &whole}) each->step(24);
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
        for (int n = 0; n < 9; ++n) {  // the ball jumps in the fifth step
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
    const Field colours = coloursOf(simulation), density = densityOf(simulation);
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
        const Field fine = facesOf(simulation, f.flow.velocity), coarse = fieldOf(f.flow.coarse->flow.velocity);
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
