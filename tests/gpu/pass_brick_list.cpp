// SPDX-License-Identifier: MIT
// Which bricks of a sparse simulation are active, and their list.
#include "tests/gpu/pass_sparse.h"

namespace wisp::test {
namespace {

struct BrickStatesPush {
    int seedCount;
    float threshold, vorticityThreshold;
};
WISP_MEMBERS(BrickStatesPush, seedCount, threshold, vorticityThreshold)

struct GrowSlotsPush {
    std::uint32_t flowSlots, smokeSlots;
};
WISP_MEMBERS(GrowSlotsPush, flowSlots, smokeSlots)

struct BrickListPush {
    std::uint32_t groups;
    float sourceSpeed;
};
WISP_MEMBERS(BrickListPush, groups, sourceSpeed)

class PassBrickList : public PassSparse {
protected:
    /// The states of a step, with random ranks.
    BrickStates wantedStates(double active, const BrickStates& before) {
        BrickStates wanted = randomStates(active, 0.0);
        const Field r = random(wanted.size(), 2, 0.0, 1.0);
        for (std::size_t i = 0; i < wanted.count(); ++i) {
            BrickState& s = wanted.values()[i];
            s.before = before.values()[i].active;
            s.rank = static_cast<int>(double(kRanks) * r.values()[i].x);
            s.solid = r.values()[i].y < 0.3;
        }
        return wanted;
    }
    /// Uploads the table. The first free slots are at these places of their rings, or at some.
    void putTable(const SlotTable& table) { putTable(table, {bricks->flowSlots - 5, 3}); }
    void putTable(const SlotTable& table, SlotCounts first) {
        put(bricks->slots, slotsOf(table));
        const auto count = [](const auto& free) { return static_cast<std::uint32_t>(free.size()); };
        gpu::FreeSlots header{.flowFirst = first.flow,
                              .flowFree = count(table.freeFlow),
                              .flowSlots = bricks->flowSlots,
                              .smokeFirst = first.smoke,
                              .smokeFree = count(table.freeSmoke),
                              .smokeSlots = bricks->smokeSlots};
        Words words(sizeof header / 4 + bricks->flowSlots + bricks->smokeSlots, 0xffffffffu);
        std::memcpy(words.data(), &header, sizeof header);
        Words::iterator ring = words.begin() + sizeof header / 4;
        for (std::uint32_t n = 0; n < header.flowFree; ++n) ring[(header.flowFirst + n) % header.flowSlots] = table.freeFlow[n];
        ring += header.flowSlots;
        for (std::uint32_t n = 0; n < header.smokeFree; ++n) ring[(header.smokeFirst + n) % header.smokeSlots] = table.freeSmoke[n];
        put(bricks->freeSlots, words);
    }
    SlotTable tableOnGpu() {
        SlotTable table{Grid<SlotsOfBrick>(brickCount(step), SlotsOfBrick{}), {}, {}};
        const auto found = valuesOf<gpu::BrickSlots>(bricks->slots, countOfBricks());
        for (std::size_t i = 0; i < found.size(); ++i) table.slots.values()[i] = {found[i].flow, found[i].smoke};
        const gpu::FreeSlots header = valuesOf<gpu::FreeSlots>(bricks->freeSlots, 1).front();
        EXPECT_EQ(header.flowSlots, bricks->flowSlots);
        EXPECT_EQ(header.smokeSlots, bricks->smokeSlots);
        for (int rank = 0; rank < WISP_RANKS; ++rank) EXPECT_EQ(header.flowWanted[rank] + header.smokeWanted[rank], 0u);
        const Words ring = valuesOf<std::uint32_t>(bricks->freeSlots, header.flowSlots + header.smokeSlots, sizeof header);
        for (std::uint32_t n = 0; n < header.flowFree; ++n) table.freeFlow.push_back(ring[(header.flowFirst + n) % header.flowSlots]);
        for (std::uint32_t n = 0; n < header.smokeFree; ++n)
            table.freeSmoke.push_back(ring[header.flowSlots + (header.smokeFirst + n) % header.smokeSlots]);
        return table;
    }
    void takeAndLeave() {
        sparse([&](engine::Recorder& rec) { rec.dispatch("brick_slots", glm::uvec3(1), {{"freeSlots", bricks->freeSlots}}); });
    }
    /// Makes the rings longer, between a list and takeAndLeave.
    void grow(SlotCounts to) {
        engine::Buffer longer = wisp::Bricks::makeFreeSlots(device(), to);
        sparse([&](engine::Recorder& rec) {
            rec.clear(longer, 0);
            rec.dispatch("grow_slots", {std::max(to.flow, to.smoke), 1, 1}, {{"freeSlots", bricks->freeSlots}, {"freeSlotsOut", longer}},
                         GrowSlotsPush{to.flow, to.smoke});
        });
        bricks->freeSlots = std::move(longer);
        bricks->flowSlots = to.flow;
        bricks->smokeSlots = to.smoke;
    }
    /// From `wanted` and the table on the GPU to states, list and table.
    void list(const BrickStates& wanted, float sourceSpeed) {
        listOnly(wanted, sourceSpeed);
        takeAndLeave();
    }
    void listOnly(const BrickStates& wanted, float sourceSpeed) {
        put(bricks->wanted, wantedOf(wanted));
        const glm::uvec3 threads = reductionThreads(bricks->size);
        sparse([&](engine::Recorder& rec) {
            rec.dispatch("brick_wanted", threads,
                         {{"states", bricks->wanted}, {"freeSlots", bricks->freeSlots}, {"slotsBefore", bricks->slots}});
            rec.dispatch("brick_counts", threads,
                         {{"states", bricks->wanted},
                          {"freeSlots", bricks->freeSlots},
                          {"slotsBefore", bricks->slots},
                          {"countsOut", bricks->counts}});
            rec.dispatch("brick_list", threads,
                         {{"states", bricks->wanted},
                          {"counts", bricks->counts},
                          {"brickListOut", bricks->list},
                          {"fastest", bricks->fastest},
                          {"freeSlots", bricks->freeSlots},
                          {"slotsBefore", bricks->slots},
                          {"slotsOut", bricks->slots},
                          {"statesOut", bricks->states}},
                         BrickListPush{static_cast<std::uint32_t>(reductionGroups(threads)), sourceSpeed});
        });
    }
    void expectPlan(const BrickPlan& twin, int reach) {
        gpu::BrickList expected = headerOf(twin.lists, reach);
        const gpu::BrickList header = valuesOf<gpu::BrickList>(bricks->list, 1).front();
        EXPECT_EQ(header.size, expected.size);
        EXPECT_EQ(header.kept, expected.kept);
        EXPECT_EQ(header.opened, expected.opened);
        EXPECT_EQ(header.halo, expected.halo);
        EXPECT_EQ(header.closing, expected.closing);
        EXPECT_EQ(header.taken, twin.taken);
        EXPECT_EQ(header.left, twin.left);
        EXPECT_EQ(header.refused, twin.refused);
        EXPECT_EQ(header.reach, expected.reach);
        for (std::size_t n = 0; n < std::size(header.commands); ++n) EXPECT_EQ(header.commands[n], expected.commands[n]) << n;
        const std::vector<gpu::ListedBrick> entries = entriesOf(twin.lists),
                                            found = valuesOf<gpu::ListedBrick>(bricks->list, entries.size(), sizeof(gpu::BrickList));
        std::size_t wrong = 0, wrongSlots = 0;
        for (std::size_t n = 0; n < entries.size(); ++n) {
            wrong += found[n].place != entries[n].place || found[n].neighbours != entries[n].neighbours;
            wrongSlots += found[n].slots.flow != entries[n].slots.flow || found[n].slots.smoke != entries[n].slots.smoke;
        }
        EXPECT_EQ(wrong, 0u) << "of " << entries.size() << " entries";
        EXPECT_EQ(wrongSlots, 0u) << "of " << entries.size() << " entries";
        EXPECT_EQ(valuesOf<std::uint32_t>(bricks->states, countOfBricks()), wordsOf(twin.states));
        const SlotTable table = tableOnGpu();
        EXPECT_TRUE(table.slots.values() == twin.after.slots.values());
        EXPECT_EQ(table.freeFlow, twin.after.freeFlow);
        EXPECT_EQ(table.freeSmoke, twin.after.freeSmoke);
    }
    /// Every slot belongs to one brick, or is free.
    void expectEverySlotOnce(const SlotTable& table) {
        Words flow = table.freeFlow, smoke = table.freeSmoke;
        for (const SlotsOfBrick& s : table.slots.values()) {
            if (s.flow >= kFirstSlot) flow.push_back(s.flow);
            if (s.smoke >= kFirstSlot) smoke.push_back(s.smoke);
        }
        for (auto [all, count] : {std::pair(&flow, bricks->flowSlots), {&smoke, bricks->smokeSlots}}) {
            std::sort(all->begin(), all->end());
            Words expected(count - kFirstSlot);
            std::iota(expected.begin(), expected.end(), kFirstSlot);
            EXPECT_EQ(*all, expected);
        }
    }
    bool isLarge() { return countOfBricks() > WISP_BRICKS_IN_ROW; }
};
INSTANTIATE_TEST_SUITE_P(Cases, PassBrickList,
                         testing::Values(PassCase{.cells = {40, 34, 20}, .ratio = 2, .obstacles = false},
                                         PassCase{.cells = {140, 90, 100}, .ratio = 2, .obstacles = false},
                                         PassCase{.cells = {524, 520, 500}, .ratio = 4, .obstacles = false}),  // two rows of bricks
                         nameOf);

// Several steps: bricks open, close, and come back.
TEST_P(PassBrickList, MatchesItsTwin) {
    struct Case {
        double active;
        float fastest, sourceSpeed;  // [m/s]
    };
    std::vector<Case> cases{{0.4, 2.0f, 1.0f},   {0.03, 0.1f, 3.0f}, {0.1, 0.0f, 0.0f},
                            {0.0, 100.0f, 0.0f}, {1.0, 1.0f, 9.0f},  {0.2, 2.0f, 0.0f}};
    if (isLarge()) cases.resize(2);
    SlotTable table = shuffledSlots();
    putTable(table);
    BrickStates before(brickCount(step), BrickState{});
    for (const Case& c : cases) {
        SCOPED_TRACE(testing::Message() << "active share " << c.active);
        put(bricks->fastest, std::vector<float>{c.fastest});
        const BrickStates wanted = wantedStates(c.active, before);
        list(wanted, c.sourceSpeed);
        const BrickPlan twin = planBricks(wanted, table);
        EXPECT_EQ(twin.refused, 0u);
        expectPlan(twin, pathLimit(step, double(std::max(c.fastest, c.sourceSpeed))));
        expectEverySlotOnce(twin.after);
        EXPECT_EQ(valuesOf<std::uint32_t>(bricks->fastest, 1).front(), 0u) << "not reset for the next step";
        if (isLarge() && c.active > 0.2) {
            EXPECT_GT(valuesOf<gpu::BrickList>(bricks->list, 1).front().commands[WISP_LISTED * WISP_UNIT_SIZES].z, 1u)
                << "the list has a single row";
        }
        before = twin.states;
        table = twin.after;
    }
}

// If there are too few slots, the bricks of the lower ranks stay closed.
TEST_P(PassBrickList, RefusesLowRanks) {
    BrickStates before(brickCount(step), BrickState{});
    const Numbers r = randomNumbers(before.size(), 0.0, 1.0);
    for (std::size_t i = 0; i < before.count(); ++i) before.values()[i].active = r.values()[i] < 0.02;
    const SlotTable all = planBricks(before, shuffledSlots()).after;
    const BrickStates wanted = wantedStates(isLarge() ? 0.02 : 0.2, before);
    const std::size_t opened = brickLists(wanted).opened.size();
    ASSERT_GT(opened, 0u);
    std::set<int> lowest;
    for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0}) {
        for (const bool ofFlow : {true, false}) {
            if (isLarge() && share != 0.5) continue;
            SCOPED_TRACE(testing::Message() << share << (ofFlow ? " of the slots of velocity" : " of the slots of smoke"));
            SlotTable few = all;
            const std::size_t needed = ofFlow ? planBricks(wanted, all).taken : opened;
            (ofFlow ? few.freeFlow : few.freeSmoke).resize(static_cast<std::size_t>(share * double(needed)));
            putTable(few);
            put(bricks->fastest, std::vector<float>{0.0f});
            list(wanted, 0.0f);
            const BrickPlan twin = planBricks(wanted, few);
            expectPlan(twin, 6);
            lowest.insert(lowestRank(wanted, few));
            EXPECT_EQ(twin.refused == 0, share == 1.0);
            // What the refused bricks wanted is counted anew in the next step.
            list(wanted, 0.0f);
            EXPECT_EQ(valuesOf<gpu::BrickList>(bricks->list, 1).front().refused, planBricks(wanted, twin.after).refused);
        }
    }
    if (countOfBricks() > 100 && !isLarge()) {
        EXPECT_GT(lowest.size(), 3u);
    }
}

// The rings begin at any place, and bricks have taken and left slots since the rings were last changed. The new slots come last.
TEST_P(PassBrickList, GetsMoreSlots) {
    const std::uint32_t flow = bricks->flowSlots, smoke = bricks->smokeSlots;
    std::vector<SlotCounts> firsts{{0, 0}, {flow - 1, 1}, {flow / 2, smoke - 1}, {flow - 5, 3}};
    if (isLarge()) firsts.resize(2);
    std::size_t taken = 0, left = 0;
    for (const SlotCounts& first : firsts) {
        SCOPED_TRACE(testing::Message() << "first " << first.flow << " " << first.smoke);
        bricks->freeSlots = wisp::Bricks::makeFreeSlots(device(), {flow, smoke});
        bricks->flowSlots = flow;
        bricks->smokeSlots = smoke;
        BrickStates before(brickCount(step), BrickState{});
        const Numbers r = randomNumbers(before.size(), 0.0, 1.0);
        for (std::size_t i = 0; i < before.count(); ++i) before.values()[i].active = r.values()[i] < 0.1;
        SlotTable table = planBricks(before, shuffledSlots()).after;
        putTable(table, first);
        for (const SlotCounts& more : {SlotCounts{256, 128}, {0, 384}, {128, 0}}) {
            const BrickStates wanted = wantedStates(0.1, before);
            listOnly(wanted, 0.0f);
            const SlotCounts had = bricks->slotCounts();
            grow({had.flow + more.flow, had.smoke + more.smoke});
            takeAndLeave();
            BrickPlan twin = planBricks(wanted, table);
            for (std::uint32_t n = 0; n < more.flow; ++n) twin.after.freeFlow.push_back(had.flow + n);
            for (std::uint32_t n = 0; n < more.smoke; ++n) twin.after.freeSmoke.push_back(had.smoke + n);
            expectPlan(twin, 6);
            expectEverySlotOnce(twin.after);
            taken += twin.taken;
            left += twin.left;
            before = twin.states;
            table = twin.after;
        }
    }
    EXPECT_GT(taken, 0u);
    EXPECT_GT(left, 0u);
}

class PassBrickStates : public PassSparse {
protected:
    static constexpr float kThreshold = 0.01f, kVorticityThreshold = 0.03f;
    void choose(engine::Recorder& rec, int seeds) {
        rec.dispatch("brick_states", reductionThreads(bricks->size),
                     {{"smoke", bricks->smoke},
                      {"vorticity", bricks->vorticity},
                      {"fastest", bricks->fastest},
                      {"seeds", bricks->seeds},
                      {"statesIn", bricks->states},
                      {"statesOut", bricks->wanted}},
                     BrickStatesPush{seeds, kThreshold, kVorticityThreshold});
    }
    // What can need a brick.
    struct Needs {
        bool vorticity = false, seeds = false, surfaces = false, smoke = false;
        float fastest = 4.0f;  // [m/s]
    };
    // Returns the number of needed bricks.
    std::size_t expectTwin(const Needs& needs) {
        step.obstacleCount = needs.surfaces ? obstacles : 0;
        const BrickStates before = randomStates(0.5, 0.5);
        const Grid<SmokeInBrick> smoke = needs.smoke ? randomSmoke() : Grid<SmokeInBrick>(brickCount(step), SmokeInBrick{});
        const BrickVorticity vorticity = randomVorticity(double(needs.fastest), needs.vorticity);
        std::vector<CellRange> seeds;
        // A box within a brick, one across bricks, and one that is partly outside of the grid.
        if (needs.seeds)
            seeds = {{ivec3(17, 2, 1), ivec3(30, 15, 4)}, {ivec3(15, 3, 5), ivec3(16, 16, 9)}, {step.cells - 3, step.cells + 40}};
        put(bricks->states, wordsOf(before));
        put(bricks->smoke, gpuSmoke(smoke));
        put(bricks->vorticity, std::vector<float>(vorticity.swirl.values().begin(), vorticity.swirl.values().end()));
        put(bricks->fastest, std::vector<float>{needs.fastest});
        std::vector<gpu::SeedBox> boxes;
        for (const CellRange& s : seeds) boxes.push_back({s.first, s.last});
        put(bricks->seeds, boxes);
        sparse([&](engine::Recorder& rec) { choose(rec, static_cast<int>(boxes.size())); });
        const BrickStates twin = reference::brickStates(step, before, smoke, vorticity, seeds, double(kThreshold),
                                                        double(kVorticityThreshold));
        const Words found = valuesOf<std::uint32_t>(bricks->wanted, twin.count()), expected = wantedOf(twin);
        std::size_t needed = 0, wrong = 0;
        for (std::size_t i = 0; i < found.size(); ++i) {
            wrong += found[i] != expected[i];
            needed += twin.values()[i].idle == 0;
            if (twin.values()[i].opens()) ranks.insert(twin.values()[i].rank);
            solids += twin.values()[i].solid;
        }
        EXPECT_EQ(wrong, 0u) << "of " << found.size() << " bricks";
        return needed;
    }
    // The first brick and a few others have smoke. Some paths are longer than two bricks.
    Grid<SmokeInBrick> randomSmoke() {
        Grid<SmokeInBrick> smoke(brickCount(step), SmokeInBrick{});
        const Field low = random(smoke.size(), 3, 0.0, 1.0), high = random(smoke.size(), 3, 0.0, 1.0),
                    more = random(smoke.size(), 2, 0.0, 1.0);
        forEach(smoke.size(), [&](ivec3 b) {
            if (b != ivec3(0) && more(b).x > 0.015) return;
            const ivec3 first(16.0 * dvec3(low(b)));
            smoke(b).holds = true;
            smoke(b).cells = {b * 16 + first, b * 16 + first + ivec3(dvec3(16 - first) * dvec3(high(b)))};
            smoke(b).reach = double(static_cast<float>(45.0 * more(b).y));
            // Between powers of 8 times the threshold, so that rounding does not decide the rank.
            smoke(b).most = double(kThreshold) * std::exp2(3.0 * std::floor(8.0 * low(b).x) + 0.3 + 2.4 * low(b).y);
        });
        return smoke;
    }
    static std::vector<gpu::BrickSmoke> gpuSmoke(const Grid<SmokeInBrick>& smoke) {
        std::vector<gpu::BrickSmoke> result;
        forEach(smoke.size(), [&](ivec3 b) {
            const SmokeInBrick& s = smoke(b);
            result.push_back({boxOf(s, b), static_cast<float>(s.most), static_cast<float>(s.reach)});
        });
        return result;
    }
    // Swirls are multiples of a hundredth of the largest speed, plus a half. So rounding does not decide which ones exceed a twentieth.
    BrickVorticity randomVorticity(double fastest, bool swirls) {
        BrickVorticity vorticity{randomNumbers(brickCount(step), 0.0, 7.0), fastest};
        for (double& v : vorticity.swirl.values()) v = swirls ? (std::floor(v) + 0.5) / 100.0 * fastest : 0.0;
        return vorticity;
    }
    void SetUp() override {
        PassSparse::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        obstacles = step.obstacleCount;
        forEach(brickCount(step), [&](ivec3 b) {  // so that rounding does not decide
            ASSERT_GT(std::abs(std::abs(surfaceDistance(step, b)) - surfaceLimit(step)), 1e-4);
            ASSERT_GT(std::abs(surfaceDistance(step, b)), 1e-4);
        });
    }

    int obstacles = 0;
    std::set<int> ranks;
    std::size_t solids = 0;
};
INSTANTIATE_TEST_SUITE_P(Cases, PassBrickStates, testing::Values(PassCase{{40, 34, 20}, 2}, PassCase{{100, 100, 84}, 4}), nameOf);

TEST_P(PassBrickStates, MatchTheirTwin) {
    EXPECT_EQ(expectTwin({}), 0u);
    std::vector<Needs> all{{.vorticity = true}, {.seeds = true}, {.surfaces = true}, {.vorticity = true, .seeds = true, .smoke = true}};
    // Fluid may come from bricks one, two and three bricks away.
    for (const float fastest : {4.0f, 12.0f, 40.0f}) all.push_back({.smoke = true, .fastest = fastest});
    for (std::size_t n = 0; n < all.size(); ++n) {
        SCOPED_TRACE(n);
        const std::size_t needed = expectTwin(all[n]);
        if (countOfBricks() < 100) continue;  // all bricks of a small grid may be needed, or none
        EXPECT_GT(needed, 3u);
        EXPECT_LT(needed, countOfBricks() - 3);
    }
    if (countOfBricks() < 100) return;
    EXPECT_GT(ranks.size(), 4u);
    EXPECT_GT(solids, 0u);
}

// A brick that nothing needs is active for eight more steps.
TEST_P(PassBrickStates, CloseAfterEightSteps) {
    step.obstacleCount = 0;
    put(bricks->states, Words(countOfBricks(), WISP_IS_ACTIVE | WISP_WAS_ACTIVE));
    put(bricks->smoke, std::vector<gpu::BrickSmoke>(countOfBricks()));
    put(bricks->vorticity, std::vector<float>(countOfBricks()));
    put(bricks->fastest, std::vector<float>{1.0f});
    const auto pass = [&](engine::Recorder& rec) { choose(rec, 0); };
    const std::uint32_t kept = WISP_IS_ACTIVE | WISP_WAS_ACTIVE | 0xffffffffu << WISP_IDLE_SHIFT;
    for (std::uint32_t n = 1; n <= 10; ++n) {
        sparse(pass);
        Words wanted = valuesOf<std::uint32_t>(bricks->wanted, countOfBricks());
        const std::uint32_t state = wanted.front();
        for (std::uint32_t& word : wanted) word &= kept;
        put(bricks->states, wanted);  // as brick_list.comp does
        EXPECT_EQ(state & WISP_IS_ACTIVE, n <= 8 ? WISP_IS_ACTIVE : 0u) << n;
        EXPECT_EQ(state & WISP_WAS_ACTIVE, n <= 9 ? WISP_WAS_ACTIVE : 0u) << n;
    }
}

}  // namespace
}  // namespace wisp::test
