// SPDX-License-Identifier: MIT
// The number of slots of a sparse simulation: it grows, and is limited by grid.memory.
#include "compute/sim/slots.h"
#include "tests/physics/sparse.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>
#include <stdexcept>
#include <string>

namespace wisp::test {
namespace {

constexpr SlotCounts kLayer{Bricks::kSlotsInLayer, Bricks::kSlotsInLayer};

class SparseSlots : public SparsePhysics {
protected:
    /// A jet in a box of 539 bricks. With a limited memory its source and the halo around that start with one layer of slots.
    static Settings jet(float memory) {
        Settings s = plume();
        s.grid.cells = {96, 160, 96};
        s.grid.size = glm::vec3(s.grid.cells) / 64.0f;
        s.grid.memory = memory;
        s.emitters[0].shape = {.centre = {0.625f, 0.625f, 0.625f}, .radius = 0.06f};
        s.emitters[0].velocity = {0.0f, 3.0f, 0.0f};
        return s;
    }
    static Fields& fieldsOf(Simulation& s) { return s.simulator.fields(); }
    static SlotCounts slotsIn(Simulation& s) { return fieldsOf(s).domain.bricks->slotCounts(); }
    void addSlots(Simulation& s, SlotCounts slots) {
        s.recorder.begin();
        recordMoreSlots(device(), s.recorder, fieldsOf(s), slots);
        s.recorder.submit();
        s.recorder.finish();
    }
    /// The same smoke, velocity in active bricks, coarse velocity, and states.
    void expectSameRun(Simulation& a, Simulation& b) {
        EXPECT_EQ(downloadBytes(fieldsOf(a).domain.bricks->states), downloadBytes(fieldsOf(b).domain.bricks->states));
        EXPECT_TRUE(densityOf(a).values() == densityOf(b).values());
        EXPECT_TRUE(fieldOf(fieldsOf(a).flow.coarse->flow.velocity).values() == fieldOf(fieldsOf(b).flow.coarse->flow.velocity).values());
        const Active active = activeIn(a);
        const Field u = velocityOf(a), v = velocityOf(b);
        std::size_t wrong = 0, compared = 0;
        forEach(u.size(), [&](ivec3 c) {
            if (!active(c)) return;
            ++compared;
            wrong += u(c) != v(c);
        });
        EXPECT_EQ(wrong, 0u) << "velocities differ";
        EXPECT_GT(compared, 0u);
    }
    template <class Resource>
    std::vector<std::byte> bytesOf(Simulation& s, const Resource& resource) {
        std::vector<std::byte> bytes;
        engine::Recorder rec(device(), s.shaders, {.timing = engine::Timing::Off, .readbackBytes = resource.bytes()});
        rec.begin();
        rec.read(resource, [&](std::span<const std::byte> read) { bytes.assign(read.begin(), read.end()); });
        rec.submit();
        rec.finish();
        return bytes;
    }
    std::vector<std::vector<std::byte>> stateOf(Simulation& s) {
        std::vector<std::vector<std::byte>> state;
        for (const StateField& f : fieldsOf(s).state()) state.push_back(f.image ? bytesOf(s, *f.image) : bytesOf(s, *f.buffer));
        return state;
    }
    std::unique_ptr<Simulation> resumed(Simulation& s) {
        auto other = std::make_unique<Simulation>(device(), s.simulator.settings());
        other->recorder.begin();
        other->simulator.resume(other->recorder, s.simulator.state());
        other->recorder.submit();
        const auto state = stateOf(s);
        std::size_t n = 0;
        other->recorder.begin();
        for (const StateField& f : fieldsOf(*other).state()) {
            if (f.image) other->recorder.upload(*f.image, state.at(n++));
            else other->recorder.upload(*f.buffer, state.at(n++));
        }
        other->simulator.catchUp(other->recorder);
        other->recorder.submit();
        other->recorder.finish();
        return other;
    }
};

// With the filter of samplers the bits depend on the size of the images: coordinates are relative to it, and round differently.
TEST_F(SparseSlots, MoreOfThemChangeNothing) {
    for (const std::uint32_t ratio : {2u, 4u}) {
        SCOPED_TRACE(testing::Message() << "ratio " << ratio);
        Settings s = jet(0.0f);
        s.grid.pressureRatio = ratio;
        s.advection.filter = Filter::Exact;
        s.obstacles.push_back({.shape = {.centre = {0.9f, 1.2f, 0.6f}, .radius = 0.1f}, .velocity = {-1.0f, 0.0f, 0.0f}});
        Simulation plain(device(), s), grown(device(), s);
        plain.step(4);
        grown.step(1);
        const SlotCounts first = slotsIn(grown);
        addSlots(grown, {first.flow + 128, first.smoke + 256});
        grown.step(2);
        addSlots(grown, {first.flow + 256, first.smoke + 256});
        grown.step(1);
        EXPECT_EQ(slotsIn(grown), (SlotCounts{first.flow + 256, first.smoke + 256}));
        expectSameRun(plain, grown);
    }
}

// With a large memory the slots grow before the pool is full, or soon after.
TEST_F(SparseSlots, GrowWithTheSmoke) {
    Simulation s(device(), jet(10.0f));
    ASSERT_EQ(slotsIn(s), kLayer);
    s.step(30);
    EXPECT_GT(slotsIn(s).flow, kLayer.flow);
    const Quality q = s.measure();
    EXPECT_EQ(q.sparse->refusedBricks, 0.0);
    EXPECT_GT(q.sparse->activeBricks, 27.0);
}

// The memory has room for one layer of slots. The jet then cannot open the bricks that it needs.
TEST_F(SparseSlots, AFullPoolRefusesBricks) {
    const auto bytes = [&](SlotCounts slots) {
        Simulation s(device(), jet(10.0f));
        return static_cast<double>(slotBytes(fieldsOf(s), slots));
    };
    const auto memory = static_cast<float>(1.2 * bytes(kLayer) * 1e-9);
    Simulation full(device(), jet(memory)), whole(device(), jet(0.0f));
    double refused = 0.0;
    for (int n = 0; n < 2; ++n) {
        for (Simulation* each : {&full, &whole}) each->step(10);
        const Quality q = full.measure(), all = whole.measure();
        refused = q.sparse->refusedBricks;
        EXPECT_LE(static_cast<double>(slotBytes(fieldsOf(full), slotsIn(full))), static_cast<double>(memory) * 1e9);
        const Active active = activeIn(full);
        const double own = fineDivergence(full, active), usual = fineDivergence(whole, active);
        std::printf("refused %g, active %g of %g; fine divergence %.3e, usual %.3e; coarse %.3e, usual %.3e; mass %.4e, usual %.4e\n",
                    refused, q.sparse->activeBricks, all.sparse->activeBricks, own, usual, q.divergenceRms, all.divergenceRms, q.mass,
                    all.mass);
        EXPECT_LT(own, 1.1 * usual) << "in the same bricks";
        EXPECT_LT(q.divergenceRms, 1.1 * all.divergenceRms);
        EXPECT_LE(q.mass, 1.01 * all.mass);
        EXPECT_EQ(all.sparse->refusedBricks, 0.0);
    }
    EXPECT_GT(refused, 0.0);
    const auto expectFinite = [](const Field& field, const char* name) {
        std::size_t wrong = 0;
        for (const dvec4& v : field.values()) wrong += !std::isfinite(v.x + v.y + v.z + v.w);
        EXPECT_EQ(wrong, 0u) << name;
    };
    expectFinite(densityOf(full), "smoke");
    expectFinite(velocityOf(full), "velocity");
    expectFinite(fieldOf(fieldsOf(full).flow.coarse->flow.velocity), "coarse velocity");
    const auto other = resumed(full);
    for (Simulation* each : {&full, other.get()}) each->step(4);
    EXPECT_GT(full.measure().sparse->refusedBricks, 0.0);
    EXPECT_EQ(stateOf(full), stateOf(*other));
    EXPECT_EQ(full.simulator.state().slots.slots(), other->simulator.state().slots.slots());
}

// Checkpoints before and after the slots have grown, and while the decision is under way.
TEST_F(SparseSlots, ResumeWhileTheyGrow) {
    std::set<std::uint32_t> flow;
    Simulation whole(device(), jet(10.0f));
    int step = 0;
    for (const int steps : {9, 22}) {
        SCOPED_TRACE(testing::Message() << "after step " << steps);
        whole.step(steps - step);
        step = steps + 5;
        const auto other = resumed(whole);
        EXPECT_EQ(slotsIn(*other), slotsIn(whole));
        for (Simulation* each : {&whole, other.get()}) each->step(5);
        EXPECT_EQ(stateOf(whole), stateOf(*other));
        EXPECT_EQ(slotsIn(*other), slotsIn(whole));
        flow.insert(slotsIn(whole).flow);
    }
    EXPECT_GT(flow.size(), 1u);
}

// The fields before and after growth fit into the memory together.
TEST_F(SparseSlots, FitIntoTheMemory) {
    Simulation s(device(), jet(10.0f));
    const Fields& f = fieldsOf(s);
    const SlotCounts now = slotsIn(s);
    const std::uint64_t own = slotBytes(f, now), all = Bricks::wholeLayers(f.domain.bricks->count() + WISP_BLANK_SLOTS);
    const std::uint32_t edge = 2048;
    std::set<std::uint32_t> flow;
    for (const SlotCounts wanted : {SlotCounts{300, 128}, {500, 400}, {128, 300}, {100000, 100000}}) {
        for (std::uint64_t tenths = 10; tenths < 100; tenths += 3) {
            const std::uint64_t bytes = own * tenths / 10;
            const SlotCounts fit = slotsWithin(f, wanted, bytes, edge);
            flow.insert(fit.flow);
            const SlotCounts copied{fit.flow == now.flow ? 0 : fit.flow, fit.smoke == now.smoke ? 0 : fit.smoke};
            EXPECT_LE(own + slotBytes(f, copied), bytes) << fit.flow << " " << fit.smoke;
            EXPECT_LE(slotBytes(f, fit), bytes) << fit.flow << " " << fit.smoke;
            for (const std::uint32_t n : {fit.flow, fit.smoke}) EXPECT_TRUE(n % 128 == 0 && n >= 128 && n <= all) << n;
            EXPECT_LE(fit.flow, Bricks::wholeLayers(std::max(wanted.flow, now.flow)));
        }
        const SlotCounts most = slotsWithin(f, wanted, 100 * own, edge);
        EXPECT_GE(most.flow, std::min<std::uint64_t>(wanted.flow, all));
        EXPECT_GE(most.smoke, std::min<std::uint64_t>(wanted.smoke, all));
    }
    EXPECT_EQ(slotsWithin(f, {100000, 128}, 100 * own, 2 * 17).flow, 256u) << "two layers in the largest image";
    EXPECT_GT(flow.size(), 3u);
}

TEST_F(SparseSlots, TooLittleMemoryIsRefused) {
    try {
        Simulation s(device(), jet(1e-3f));
        ADD_FAILURE() << "one megabyte suffices";
    } catch (const std::invalid_argument& e) {
        EXPECT_EQ(std::string(e.what()).find("grid.memory"), 0u) << e.what();
    }
}

}  // namespace
}  // namespace wisp::test
