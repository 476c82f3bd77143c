// SPDX-License-Identifier: MIT
// Which bricks of a sparse simulation are active, and their list.
#include "tests/gpu/pass_sparse.h"

namespace wisp::test {
namespace {

struct BrickListPush {
    std::uint32_t groups;
    float sourceSpeed;
};
WISP_MEMBERS(BrickListPush, groups, sourceSpeed)

class PassBrickList : public PassSparse {};
INSTANTIATE_TEST_SUITE_P(Cases, PassBrickList,
                         testing::Values(PassCase{.cells = {40, 34, 20}, .ratio = 2, .obstacles = false},
                                         PassCase{.cells = {140, 90, 100}, .ratio = 2, .obstacles = false},
                                         PassCase{.cells = {524, 520, 500}, .ratio = 4, .obstacles = false}),  // two rows of bricks
                         nameOf);

TEST_P(PassBrickList, MatchesItsTwin) {
    const bool isLarge = countOfBricks() > WISP_BRICKS_IN_ROW;
    struct Case {
        double active, before;
        float fastest, sourceSpeed;  // [m/s]
    };
    std::vector<Case> cases{
        {0.4, 0.5, 2.0f, 1.0f}, {0.03, 0.1, 0.1f, 3.0f}, {0.0, 0.3, 0.0f, 0.0f}, {0.0, 0.0, 100.0f, 0.0f}, {1.0, 0.9, 1.0f, 9.0f}};
    if (isLarge) cases.resize(1);
    for (const Case& c : cases) {
        SCOPED_TRACE(testing::Message() << "active share " << c.active);
        const BrickStates given = randomStates(c.active, c.before);
        put(bricks->states, wordsOf(given));
        put(bricks->fastest, std::vector<float>{c.fastest});
        const glm::uvec3 threads = reductionThreads(bricks->size);
        sparse([&](engine::Recorder& rec) {
            rec.dispatch("brick_counts", threads, {{"states", bricks->states}, {"countsOut", bricks->counts}});
            rec.dispatch(
                "brick_list", threads,
                {{"states", bricks->states}, {"counts", bricks->counts}, {"brickListOut", bricks->list}, {"fastest", bricks->fastest}},
                BrickListPush{static_cast<std::uint32_t>(reductionGroups(threads)), c.sourceSpeed});
        });
        const BrickLists twin = brickLists(given);
        const gpu::BrickList expected = headerOf(twin, pathLimit(step, double(std::max(c.fastest, c.sourceSpeed)))),
                             header = valuesOf<gpu::BrickList>(bricks->list, 1).front();
        EXPECT_EQ(header.size, expected.size);
        EXPECT_EQ(header.kept, expected.kept);
        EXPECT_EQ(header.opened, expected.opened);
        EXPECT_EQ(header.halo, expected.halo);
        EXPECT_EQ(header.closing, expected.closing);
        EXPECT_EQ(header.reach, expected.reach);
        for (std::size_t n = 0; n < std::size(header.commands); ++n) EXPECT_EQ(header.commands[n], expected.commands[n]) << n;
        const std::vector<gpu::ListedBrick> entries = entriesOf(twin),
                                            found = valuesOf<gpu::ListedBrick>(bricks->list, entries.size(), sizeof(gpu::BrickList));
        std::size_t wrong = 0;
        for (std::size_t n = 0; n < entries.size(); ++n)
            wrong += found[n].place != entries[n].place || found[n].neighbours != entries[n].neighbours;
        EXPECT_EQ(wrong, 0u) << "of " << entries.size() << " entries";
        EXPECT_EQ(valuesOf<std::uint32_t>(bricks->fastest, 1).front(), 0u) << "not reset for the next step";
        if (isLarge) {
            EXPECT_GT(header.commands[WISP_LISTED * WISP_UNIT_SIZES].z, 1u) << "the list has a single row";
        }
    }
}

class PassBrickStates : public PassSparse {
protected:
    void choose(engine::Recorder& rec, int seeds) {
        rec.dispatch("brick_states", reductionThreads(bricks->size),
                     {{"smoke", bricks->smoke},
                      {"vorticity", bricks->vorticity},
                      {"fastest", bricks->fastest},
                      {"seeds", bricks->seeds},
                      {"solidDistance", distanceGpu},
                      {"statesIn", bricks->states},
                      {"statesOut", bricks->states}},
                     seeds);
    }
    // What can need a brick.
    struct Needs {
        bool vorticity = false, seeds = false, surfaces = false, smoke = false;
        float fastest = 4.0f;  // [m/s]
    };
    // Returns the number of needed bricks.
    std::size_t expectTwin(const Needs& needs) {
        step.obstacleCount = needs.surfaces ? 3 : 0;
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
        const BrickStates twin = reference::brickStates(step, before, smoke, vorticity, seeds, distance);
        const Words found = valuesOf<std::uint32_t>(bricks->states, twin.count()), expected = wordsOf(twin);
        std::size_t needed = 0, wrong = 0;
        for (std::size_t i = 0; i < found.size(); ++i) {
            wrong += found[i] != expected[i];
            needed += twin.values()[i].idle == 0;
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
        });
        return smoke;
    }
    static std::vector<gpu::BrickSmoke> gpuSmoke(const Grid<SmokeInBrick>& smoke) {
        std::vector<gpu::BrickSmoke> result;
        forEach(smoke.size(), [&](ivec3 b) {
            const SmokeInBrick& s = smoke(b);
            result.push_back({boxOf(s, b), static_cast<float>(s.reach)});
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
        distance = Field(step.cells, dvec4(WISP_FAR_CELLS));
        const Numbers r = randomNumbers(brickCount(step), -40.0, 40.0);
        forEach(brickCount(step), [&](ivec3 b) { distance(glm::min(b * 16 + 8, step.cells - 1)).x = r(b); });
        distanceGpu = toGpu(distance, VK_FORMAT_R16_SFLOAT);
        forEach(brickCount(step), [&](ivec3 b) {  // so that rounding does not decide
            ASSERT_GT(std::abs(surfaceDistance(step, distance, b) - surfaceLimit(step, b)), 1e-4);
        });
    }

public:
protected:
    Field distance;
    engine::Image distanceGpu;
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
}

// A brick that nothing needs is active for eight more steps.
TEST_P(PassBrickStates, CloseAfterEightSteps) {
    step.obstacleCount = 0;
    put(bricks->states, Words(countOfBricks(), WISP_IS_ACTIVE | WISP_WAS_ACTIVE));
    put(bricks->smoke, std::vector<gpu::BrickSmoke>(countOfBricks()));
    put(bricks->vorticity, std::vector<float>(countOfBricks()));
    put(bricks->fastest, std::vector<float>{1.0f});
    const auto pass = [&](engine::Recorder& rec) { choose(rec, 0); };
    for (std::uint32_t n = 1; n <= 10; ++n) {
        sparse(pass);
        const std::uint32_t state = valuesOf<std::uint32_t>(bricks->states, 1).front();
        EXPECT_EQ(state & WISP_IS_ACTIVE, n <= 8 ? WISP_IS_ACTIVE : 0u) << n;
        EXPECT_EQ(state & WISP_WAS_ACTIVE, n <= 9 ? WISP_WAS_ACTIVE : 0u) << n;
    }
}

}  // namespace
}  // namespace wisp::test
