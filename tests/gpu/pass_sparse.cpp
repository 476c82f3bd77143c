// SPDX-License-Identifier: MIT
// Passes of a sparse simulation: which bricks are active, passes over listed bricks, and the coarse velocity.
#include "compute/domain/bricks.h"
#include "compute/domain/domain.h"
#include "shaders/shared/bricks.h"
#include "tests/gpu/pass_test.h"
#include "tests/reference/bricks.h"
#include "tests/reference/pressure.h"
#include "tests/reference/sparse.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace wisp::test {
namespace {

using engine::ShaderConstants;
using engine::Threads;
using Words = std::vector<std::uint32_t>;

constexpr std::uint32_t kMarkerWord = 0x40404040;  // a number in floats and in halves, and no result of any pass
constexpr double kMarker = 5.0;                    // larger than any result
constexpr VkFormat kFloat4 = VK_FORMAT_R32G32B32A32_SFLOAT;
const ShaderConstants kCubes{{"kGroupX", 8}, {"kGroupZ", 8}};

struct BrickListPush {
    std::uint32_t groups;
    float sourceSpeed;
};
WISP_MEMBERS(BrickListPush, groups, sourceSpeed)

/// The buffers of a sparse simulation, and a library of its own, because dispatches over a list have specialization constants of their own.
class PassSparse : public EveryCase {
protected:
    void SetUp() override {
        EveryCase::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        for (const auto& [texel, size] :
             {std::pair(&step.perCell, step.cells), {&step.perFace, faces(step)}, {&step.perScalar, step.scalarCells}})
            *texel = 1.0f / glm::vec3(size);
        GridSettings grid;
        grid.cells = glm::uvec3(step.cells);
        bricks.emplace(device(), grid);
        engine::ShaderOptions options;
        options.constants = {{"kHalfStorage", halfStorage ? 1 : 0},
                             {"kRatio", static_cast<std::uint32_t>(step.ratio)},
                             {"kScalarRatio", static_cast<std::uint32_t>(step.scalarRatio)}};
        // In half of the cases CPU devices use the work groups of GPUs.
        if (half()) options.constants.insert({{"kGroupY", 8}, {"kGroupZ", 4}});
        options.largestField = byAddress ? std::numeric_limits<std::uint64_t>::max() : 0;
        shaders = library(embeddedShaders(), options);
    }
    void TearDown() override {
        bricks.reset();
        shaders.reset();
        EveryCase::TearDown();
    }
    /// Runs what `record` records in one submission, with the list and the states as common bindings.
    void sparse(const std::function<void(engine::Recorder&)>& record) {
        const engine::Buffer stepData = buffer("step", sizeof step);
        run(*shaders, [&](engine::Recorder& rec) {
            rec.upload(stepData, std::as_bytes(std::span(&step, 1)));
            rec.setCommon({{"stepData", stepData}, {"brickList", bricks->list}, {"brickStates", bricks->states}});
            record(rec);
        });
    }
    template <class T>
    void put(const engine::Buffer& to, const std::vector<T>& values) {
        if (!values.empty()) run(*shaders, [&](engine::Recorder& rec) { rec.upload(to, std::as_bytes(std::span(values))); });
    }
    template <class T>
    std::vector<T> valuesOf(const engine::Buffer& buffer, std::size_t count, std::size_t offset = 0) {
        const std::vector<std::byte> bytes = downloadBytes(buffer);
        std::vector<T> values(count);
        std::memcpy(values.data(), bytes.data() + offset, count * sizeof(T));
        return values;
    }
    engine::Buffer marked(std::size_t words) {
        engine::Buffer result = target(words);
        put(result, Words(words, kMarkerWord));
        return result;
    }
    engine::Buffer markedVectors() {
        engine::Buffer result = vectorTarget(step.cells);
        put(result, Words(result.bytes() / 4, kMarkerWord));
        return result;
    }
    engine::Image marked(ivec3 size, VkFormat format) {
        Field field(size, dvec4(kMarker));
        return toGpu(field, format);
    }
    std::size_t countOfBricks() { return Numbers(brickCount(step)).count(); }

    /// Random states: a share of the bricks is active, another one was.
    BrickStates randomStates(double active, double before) {
        const Field r = random(brickCount(step), 3, 0.0, 1.0);
        BrickStates drawn(r.size(), BrickState{});
        for (std::size_t i = 0; i < r.count(); ++i)
            drawn.values()[i] = {r.values()[i].x < active, r.values()[i].y < before, static_cast<int>(10.0 * r.values()[i].z)};
        return drawn;
    }
    /// Two bricks at the upper end of y are active, and others close: one in the halo and one far away. The halo is not all of the rest.
    BrickStates cornerStates() {
        BrickStates corner(brickCount(step), BrickState{});
        const ivec3 last = corner.size() - 1;
        corner(ivec3(0, last.y, 0)) = {true, true, 0};
        corner(ivec3(1, last.y, 0)) = {true, false, 0};
        corner(ivec3(0, last.y - 1, 0)) = corner(ivec3(last.x, 0, last.z)) = {false, true, 9};
        return corner;
    }
    /// All bricks are active, as in the step before.
    BrickStates fullStates() { return BrickStates(brickCount(step), {true, true, 0}); }
    static Words wordsOf(const BrickStates& states) {
        Words words;
        for (const BrickState& s : states.values())
            words.push_back((s.active ? WISP_IS_ACTIVE : 0u) | (s.before ? WISP_WAS_ACTIVE : 0u) |
                            static_cast<std::uint32_t>(s.idle) << WISP_IDLE_SHIFT);
        return words;
    }
    static std::vector<ListedBrick> joined(const std::vector<ListedBrick>& a, const std::vector<ListedBrick>& b) {
        std::vector<ListedBrick> all = a;
        all.insert(all.end(), b.begin(), b.end());
        return all;
    }
    /// The bricks of a part, see shaders/shared/brick_list.h.
    static std::vector<ListedBrick> partOf(const BrickLists& l, BrickPart part) {
        switch (part) {
            case BrickPart::Active: return joined(l.kept, l.opened);
            case BrickPart::Fill: return joined(l.opened, l.halo);
            case BrickPart::Listed: return joined(joined(l.kept, l.opened), l.halo);
            default: return l.closing;
        }
    }
    static gpu::ListedBrick entryOf(const ListedBrick& b) {
        gpu::ListedBrick entry{static_cast<std::uint32_t>(b.place.x | b.place.y << 10 | b.place.z << 20), 0};
        for (std::size_t n = 0; n < b.active.size(); ++n) entry.neighbours |= b.active[n] ? 1u << n : 0u;
        return entry;
    }
    static std::vector<gpu::ListedBrick> entriesOf(const BrickLists& l) {
        std::vector<gpu::ListedBrick> entries;
        for (const auto& part : {l.kept, l.opened, l.halo, l.closing})
            for (const ListedBrick& b : part) entries.push_back(entryOf(b));
        return entries;
    }
    gpu::BrickList headerOf(const BrickLists& l, int reach) {
        gpu::BrickList header{};
        const auto count = [](const auto& part) { return static_cast<std::uint32_t>(part.size()); };
        for (std::uint32_t part = 0; part < WISP_PARTS; ++part) {
            const std::uint32_t n = count(partOf(l, static_cast<BrickPart>(part)));
            for (std::uint32_t unit = 0; unit < WISP_UNIT_SIZES; ++unit)
                header.commands[part * WISP_UNIT_SIZES + unit] = {1u << unit, std::min(n, 32768u), n / 32768 + (n % 32768 > 0 ? 1 : 0)};
        }
        header.size = brickCount(step);
        header.kept = count(l.kept);
        header.opened = count(l.opened);
        header.halo = count(l.halo);
        header.closing = count(l.closing);
        header.reach = reach;
        return header;
    }
    /// Uploads the states and the twin of their list.
    void use(const BrickStates& newStates, int reach = 6) {
        states = newStates;
        lists = brickLists(states);
        put(bricks->states, wordsOf(states));
        const gpu::BrickList header = headerOf(lists, reach);
        std::vector<std::byte> bytes(sizeof header);
        std::memcpy(bytes.data(), &header, sizeof header);
        const std::vector<gpu::ListedBrick> entries = entriesOf(lists);
        const auto more = std::as_bytes(std::span(entries));
        bytes.insert(bytes.end(), more.begin(), more.end());
        put(bricks->list, bytes);
    }
    /// The texels that `pass` computes over a part of the list, as 1. `near`: in cells, without the code of WISP_NEAR_PATHS.
    Grid<int> computed(std::string_view pass, const Threads& threads, BrickPart part, int edge, ivec3 texels, int near = 0,
                       bool border = false) {
        const ivec3 group(shaders->get(pass, threads.constants).interface.localSize);
        return computedTexels({partOf(lists, part), edge, group, near, border}, states, texels);
    }

    std::optional<wisp::Bricks> bricks;
    std::unique_ptr<engine::ShaderLibrary> shaders;
    BrickStates states;
    BrickLists lists;
};

/// The values of `whole` in computed texels, and those of `before` in all others.
Field merged(const Grid<int>& computed, const Field& whole, const Field& before) {
    Field result = before;
    forEach(result.size(), [&](ivec3 c) {
        if (computed(c) != 0) result(c) = whole(c);
    });
    return result;
}
Field merged(const Grid<int>& computed, const Field& whole) { return merged(computed, whole, Field(whole.size(), dvec4(kMarker))); }

std::size_t countOf(const Grid<int>& computed) {
    return static_cast<std::size_t>(std::count(computed.values().begin(), computed.values().end(), 1));
}

/// The same bits. Neither field may have a NaN.
void expectSame(const Field& result, const Field& expected) {
    ASSERT_EQ(result.size(), expected.size());
    std::size_t wrong = 0;
    ivec3 first(0);
    forEach(result.size(), [&](ivec3 c) {
        if (result(c) != expected(c) && wrong++ == 0) first = c;
    });
    EXPECT_EQ(wrong, 0u) << "texels differ, first " << first.x << " " << first.y << " " << first.z << ": " << result(first).x << ", not "
                         << expected(first).x;
}

// ---- Which bricks are active ----

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
        sparse([&](engine::Recorder& rec) {
            rec.dispatch("brick_states", reductionThreads(bricks->size),
                         {{"smoke", bricks->smoke},
                          {"vorticity", bricks->vorticity},
                          {"fastest", bricks->fastest},
                          {"seeds", bricks->seeds},
                          {"solidDistance", distanceGpu},
                          {"statesIn", bricks->states},
                          {"statesOut", bricks->states}},
                         static_cast<int>(boxes.size()));
        });
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
    static std::uint32_t boxOf(const SmokeInBrick& s, ivec3 b) {
        if (!s.holds) return 0;
        const glm::uvec3 low(s.cells.first - b * 16), high(s.cells.last - b * 16);
        return low.x | low.y << 4 | low.z << 8 | high.x << 12 | high.y << 16 | high.z << 20 | 1u << 24;
    }

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
    const auto pass = [&](engine::Recorder& rec) {
        rec.dispatch("brick_states", reductionThreads(bricks->size),
                     {{"smoke", bricks->smoke},
                      {"vorticity", bricks->vorticity},
                      {"fastest", bricks->fastest},
                      {"seeds", bricks->seeds},
                      {"solidDistance", distanceGpu},
                      {"statesIn", bricks->states},
                      {"statesOut", bricks->states}},
                     0);
    };
    for (std::uint32_t n = 1; n <= 10; ++n) {
        sparse(pass);
        const std::uint32_t state = valuesOf<std::uint32_t>(bricks->states, 1).front();
        EXPECT_EQ(state & WISP_IS_ACTIVE, n <= 8 ? WISP_IS_ACTIVE : 0u) << n;
        EXPECT_EQ(state & WISP_WAS_ACTIVE, n <= 9 ? WISP_WAS_ACTIVE : 0u) << n;
    }
}

// ---- Fields in bricks ----

class PassBrickFields : public PassSparse {
protected:
    // A few cells of each kind: smoke and warm air below the threshold of 0.01, smoke, and cold air.
    Field sparseScalars() {
        Field scalars(step.scalarCells);
        const dvec4 kinds[] = {{0.005, 0.0, 0.0, 0.0}, {0.0, 0.5, 0.0, 0.0}, {0.3, 0.0, 0.0, 0.0}, {0.0, -5.0, 0.0, 0.0}};
        const Numbers r = randomNumbers(step.scalarCells, 0.0, double(scalars.count()) / 20.0);  // about 20 cells
        forEach(scalars.size(), [&](ivec3 c) {
            if (r(c) < 1.0) scalars(c) = kinds[static_cast<int>(4.0 * r(c))];
        });
        return scalars;
    }
    ivec3 smokeBrickCount() const { return (step.scalarCells + 7) / 8; }
    // Index of the brick of a brick of smoke.
    ivec3 brickOfSmoke(ivec3 part) const { return part * 8 / step.scalarRatio / kBrickEdge; }
};
INSTANTIATE_TEST_SUITE_P(Cases, PassBrickFields,
                         testing::Values(PassCase{{40, 34, 20}, 2, 1}, PassCase{{32, 20, 36}, 4, 2, Precision::Half},
                                         PassCase{{40, 36, 36}, 4, 1, Precision::Half}, PassCase{{40, 34, 36}, 2, 1}),
                         nameOf);

TEST_P(PassBrickFields, Smoke) {
    Field scalars = sparseScalars();
    const engine::Image image = toGpu(scalars, scalarFormat());
    const ivec3 group(shaders->get("backtrace").interface.localSize);
    Numbers reach = randomNumbers((step.cells + group - 1) / group, 0.0, 12.0);
    const engine::Buffer reachGpu = toGpu(reach);
    use(randomStates(0.6, 0.5));
    const std::size_t parts = Numbers(smokeBrickCount()).count();
    const engine::Buffer smokeOut = marked(2 * countOfBricks()), flags = marked(2 * parts);
    const float threshold = 0.01f;
    sparse([&](engine::Recorder& rec) {
        rec.dispatch("brick_smoke", bricks->each(BrickPart::Active, 256),
                     {{"scalars", image}, {"reach", reachGpu}, {"smokeOut", smokeOut}, {"bricks", flags}}, threshold);
    });
    const Grid<SmokeInBrick> twin = brickSmoke(step, scalars, reach, group, double(threshold));
    const Words found = valuesOf<std::uint32_t>(smokeOut, 2 * countOfBricks()), foundFlags = valuesOf<std::uint32_t>(flags, 2 * parts);
    std::size_t n = 0, filled = 0;
    forEach(states.size(), [&](ivec3 b) {
        const bool active = states(b).active;
        EXPECT_EQ(found[n], active ? PassBrickStates::boxOf(twin(b), b) : kMarkerWord) << "box of brick " << n / 2;
        EXPECT_EQ(found[n + 1], active ? std::bit_cast<std::uint32_t>(static_cast<float>(twin(b).reach)) : kMarkerWord)
            << "brick " << n / 2;
        filled += active && twin(b).holds;
        n += 2;
    });
    EXPECT_GT(filled, 0u);
    const reference::Bricks ofSmoke = smokeBricks(step, scalars, reach, group);
    n = 0;
    forEach(smokeBrickCount(), [&](ivec3 p) {
        const bool active = states(brickOfSmoke(p)).active;
        EXPECT_EQ(foundFlags[n], active ? (ofSmoke(p).holds ? 1u : 0u) : kMarkerWord) << "brick of smoke " << n / 2;
        EXPECT_EQ(foundFlags[n + 1], active ? 0u : kMarkerWord) << "brick of smoke " << n / 2;
        n += 2;
    });
}

TEST_P(PassBrickFields, Vorticity) {
    Field coarse = random(pressureFaces(step), 3, -1.0, 1.0);
    // Half of the bricks has slower flow.
    const Numbers slow = randomNumbers(brickCount(step), 0.0, 1.0);
    forEach(coarse.size(), [&](ivec3 c) { coarse(c) *= slow(c * step.ratio / kBrickEdge) < 0.5 ? 0.1 : 1.0; });
    const engine::Image image = toGpu(coarse, vectorFormat());
    put(bricks->fastest, Words{0});
    sparse([&](engine::Recorder& rec) {
        rec.dispatch("brick_vorticity", bricks->size * glm::uvec3(64, 1, 1),
                     {{"coarseVelocity", image}, {"vorticityOut", bricks->vorticity}, {"fastest", bricks->fastest}});
    });
    const BrickVorticity twin = brickVorticity(step, coarse);
    // Two differences of at most 2 and their difference: 8 roundings along each axis. The length of at most 4 sqrt(3) adds 12 of its size
    // (the square root may be wrong by 4).
    expectNear(fromGpu(bricks->vorticity, brickCount(step)), twin.swirl, (8.0 + 12.0 * 4.0) * std::sqrt(3.0) * kEps);
    EXPECT_EQ(double(valuesOf<float>(bricks->fastest, 1).front()), twin.fastest);
}

TEST_P(PassBrickFields, Close) {
    // Densities are multiples of 2^-20, or halves, so that their sum in units of 2^-16 does not depend on rounding. Some are negative, and
    // some exceed the limit of a cell.
    Field scalars = random(step.scalarCells, 2, -0.1, 1.0);
    const Numbers large = randomNumbers(step.scalarCells, 0.0, 1.0);
    forEach(scalars.size(), [&](ivec3 c) { scalars(c).x = large(c) < 0.01 ? 20.0 : std::floor(scalars(c).x * 1048576.0) / 1048576.0; });
    const engine::Image scratch0 = marked(step.scalarCells, scalarFormat()), scratch1 = marked(step.scalarCells, scalarFormat());
    const Field markers = fromGpu(scratch0);
    use(randomStates(0.4, 0.7));
    ASSERT_FALSE(lists.closing.empty());
    const std::size_t parts = Numbers(smokeBrickCount()).count();
    const engine::Buffer smokeOut = marked(2 * countOfBricks()), flags = marked(2 * parts);
    const std::uint64_t lostBefore = 0xFFFFFF00;  // so that the low word overflows
    put(bricks->losses, std::vector<std::uint64_t>{lostBefore});
    const engine::Image image = toGpu(scalars, scalarFormat());
    Field twin = scalars, zeros = markers;
    const std::uint64_t units = closeBricks(step, states, twin);
    closeBricks(step, states, zeros);
    std::uint64_t expected = lostBefore;
    for (const int counts : {0, 1}) {  // colours are not counted
        expected += counts != 0 ? units : 0;
        const engine::Image copy = toGpu(scalars, scalarFormat());
        sparse([&](engine::Recorder& rec) {
            rec.dispatch("close_bricks", bricks->over(BrickPart::Closing, static_cast<std::uint32_t>(kBrickEdge * step.scalarRatio)),
                         {{"scalarsIn", copy},
                          {"scalarsOut", copy},
                          {"scratch0", scratch0},
                          {"scratch1", scratch1},
                          {"smokeOut", smokeOut},
                          {"bricks", flags},
                          {"losses", bricks->losses}},
                         counts);
        });
        expectSame(fromGpu(copy), twin);
        EXPECT_EQ(valuesOf<std::uint64_t>(bricks->losses, 1).front(), expected);
    }
    EXPECT_GT(units, 1000u);
    expectSame(fromGpu(scratch0), zeros);
    expectSame(fromGpu(scratch1), zeros);
    const auto isClosing = [&](ivec3 b) { return states(b).before && !states(b).active; };
    const auto expectZeros = [&](const Words& words, ivec3 size, const auto& brickOf) {
        std::size_t n = 0;
        forEach(size, [&](ivec3 c) {
            for (int word = 0; word < 2; ++word) EXPECT_EQ(words[n++], isClosing(brickOf(c)) ? 0u : kMarkerWord) << n / 2;
        });
    };
    expectZeros(valuesOf<std::uint32_t>(smokeOut, 2 * countOfBricks()), states.size(), [](ivec3 b) { return b; });
    expectZeros(valuesOf<std::uint32_t>(flags, 2 * parts), smokeBrickCount(), [&](ivec3 p) { return brickOfSmoke(p); });
}

// ---- The coarse velocity ----

TEST_P(PassBrickFields, RestrictFaces) {
    Field fineAperture = aperture(), velocity = randomVelocity(step), weights = coarseAperture(step, fineAperture);
    const engine::Image open = toGpu(fineAperture, VK_FORMAT_R8G8B8A8_UNORM), u = toGpu(velocity, vectorFormat());
    const engine::Buffer w = weightsToGpu(weights), regular = regularToGpu(weights);
    const Field twin = restrictFaces(step, fineAperture, velocity);
    const int edge = kBrickEdge / step.ratio;
    struct Case {
        int near;  // [cells]; -1: all faces of active bricks
        bool allActive;
    };
    for (const auto& [near, allActive] : {Case{-1, false}, {2, false}, {6 + 2 + 3 * step.ratio, false}, {6 + 2 + 3 * step.ratio, true}}) {
        SCOPED_TRACE(testing::Message() << "near " << near);
        use(allActive ? fullStates() : randomStates(0.6, 0.5), 6);
        const std::uint32_t code = near < 0 ? 0u : static_cast<std::uint32_t>(near < 6 ? near : WISP_NEAR_PATHS + near - 6 - 2);
        const Threads threads = near < 0 ? bricks->over(BrickPart::Active, static_cast<std::uint32_t>(edge))
                                         : bricks->over(BrickPart::Active, static_cast<std::uint32_t>(edge), code, {{"kBorder", 1}});
        const engine::Image result = marked(pressureFaces(step), vectorFormat());
        sparse([&](engine::Recorder& rec) {
            rec.dispatch("restrict_faces", threads,
                         {{"weights", w}, {"regular", regular}, {"aperture", open}, {"velocity", u}, {"coarseOut", result}});
        });
        // Beyond a brick's edge it is not known which bricks are active: nothing is skipped.
        const bool skips = near >= 0 && near <= kBrickEdge;
        const Grid<int> all = computed("restrict_faces", threads, BrickPart::Active, edge, pressureFaces(step)),
                        some = computed("restrict_faces", threads, BrickPart::Active, edge, pressureFaces(step), skips ? near : 0, skips);
        EXPECT_GT(countOf(some), 0u);
        if (skips && allActive && glm::all(glm::greaterThan(brickCount(step), ivec3(2)))) {
            EXPECT_LT(countOf(some), countOf(all));
        }
        // A quotient of sums of up to 16 products of speeds below 1, each with a rounding.
        expectNear(fromGpu(result), merged(some, twin), (2.0 * step.ratio * step.ratio + 2.0) * kEps, half());
    }
}

TEST_P(PassBrickFields, ProjectCoarse) {
    Field weights = coarseAperture(step, aperture()), coarse = random(pressureFaces(step), 3, -1.0, 1.0),
          correction = random(pressureFaces(step), 3, -1.0, 1.0);
    std::vector<float> values;  // all faces of an axis, then all of the next
    for (int axis = 0; axis < 3; ++axis) {
        for (dvec4& v : correction.values()) {
            values.push_back(static_cast<float>(v[axis]));
            v[axis] = double(values.back());
        }
    }
    const engine::Buffer c = target(values.size()), w = weightsToGpu(weights), regular = regularToGpu(weights),
                         vectors = buffer("vectors", Field(step.pressureCells).count() * (halfStorage ? 8 : 16), true);
    upload(c, values);
    const engine::Image u = toGpu(coarse, vectorFormat()), result = target(pressureFaces(step), vectorFormat()),
                        centre = target(step.pressureCells, vectorFormat());
    const Level level{step.cells, 1, 0.625f};
    sparse([&](engine::Recorder& rec) {
        rec.dispatch("project_coarse", pressureFaces(step),
                     {{"weights", w},
                      {"correction", c},
                      {"regular", regular},
                      {"coarseIn", u},
                      {"coarseOut", result},
                      {"centreOut", centre},
                      {"centreVectors", vectors}},
                     level);
    });
    const CoarseVelocity twin = projectCoarse(step, 0.625, weights, correction, coarse);
    const double tolerance = 6.0 * kEps;  // a product, a sum below 2, and a mean of two of these
    expectNear(fromGpu(result), twin.faces, tolerance, half());
    expectNear(fromGpu(centre), twin.centre, tolerance, half());
    expectNear(vectorsFromGpu(vectors, step.pressureCells), twin.centre, tolerance, half());
}

// ---- Passes over listed bricks: in these they give the bits of a pass over the whole grid, and elsewhere they write nothing ----

TEST_P(PassBrickFields, ListedFaces) {
    Field acceleration = random(step.cells, 3, -10.0, 10.0), velocity = randomVelocity(step);
    const engine::Buffer a = vectorsToGpu(acceleration);
    const engine::Image u = toGpu(velocity, vectorFormat()), dense = target(faces(step), vectorFormat());
    const auto accelerate = [&](const Threads& threads, const engine::Image& result) {
        sparse([&](engine::Recorder& rec) {
            rec.dispatch("accelerate", threads, {{"acceleration", a}, {"velocityIn", u}, {"velocityOut", result}});
        });
        return fromGpu(result);
    };
    const Field whole = accelerate(faces(step), dense);
    struct Case {
        BrickPart part;
        int near;            // [cells]
        std::uint32_t code;  // of `near`
    };
    use(cornerStates(), 6);
    for (const auto& [part, near, code] : {Case{BrickPart::Active, 0, 0},
                                           {BrickPart::Listed, 0, 0},
                                           {BrickPart::Listed, 5, 5},
                                           {BrickPart::Fill, 9, WISP_NEAR_PATHS + 1},
                                           {BrickPart::Closing, 0, 0}}) {
        SCOPED_TRACE(testing::Message() << "part " << static_cast<int>(part) << ", near " << near);
        const Threads threads = bricks->over(part, kBrickEdge, code);
        const Grid<int> texels = computed("accelerate", threads, part, kBrickEdge, faces(step), near);
        EXPECT_GT(countOf(texels), 0u);
        EXPECT_LT(countOf(texels), texels.count());
        if (near == 5) {
            EXPECT_LT(countOf(texels), countOf(computed("accelerate", threads, part, kBrickEdge, faces(step))));
        }
        expectSame(accelerate(threads, marked(faces(step), vectorFormat())), merged(texels, whole));
    }
}

TEST_P(PassBrickFields, ListedVectors) {
    Field centre = random(step.cells, 3, -1.0, 1.0);
    const engine::Buffer u = vectorsToGpu(centre), dense = vectorTarget(step.cells), result = markedVectors();
    const Field before = vectorsFromGpu(result, step.cells);
    use(cornerStates());
    const Threads threads = bricks->over(BrickPart::Listed, kBrickEdge, 2, kCubes);
    sparse([&](engine::Recorder& rec) {
        rec.dispatch("vorticity_curl", step.cells, {{"centre", u}, {"curl", dense}});
        rec.dispatch("vorticity_curl", threads, {{"centre", u}, {"curl", result}});
    });
    const Grid<int> texels = computed("vorticity_curl", threads, BrickPart::Listed, kBrickEdge, step.cells, 2);
    EXPECT_GT(countOf(texels), 0u);
    EXPECT_LT(countOf(texels), texels.count());
    expectSame(vectorsFromGpu(result, step.cells), merged(texels, vectorsFromGpu(dense, step.cells), before));
}

// Paths over listed bricks are those over the whole grid, cut to the reach in the list along each axis.
TEST_P(PassBrickFields, ListedPaths) {
    step.obstacleCount = 0;
    const double reach = 6.0;
    // Waves with speeds of up to 12 cells per step, so that some paths are longer than the reach.
    const double fastest = 12.0 * double(step.h) / double(step.dt);
    Field velocity = smoothField(step.cells, 3, -fastest, fastest);
    Field distances(step.cells, dvec4(WISP_FAR_CELLS));
    const engine::Image centre = toGpu(velocity, vectorFormat()), distance = toGpu(distances, VK_FORMAT_R16_SFLOAT);
    use(cornerStates(), static_cast<int>(reach));
    const Threads threads = bricks->over(BrickPart::Listed, kBrickEdge, 4);
    const ivec3 group(shaders->get("backtrace", threads.constants).interface.localSize), groups = (step.cells + group - 1) / group;
    struct Paths {
        engine::Buffer back, ahead, reach;
    };
    const auto traced = [&](const Threads& over) {
        Paths paths{markedVectors(), markedVectors(), marked(Numbers(groups).count())};
        sparse([&](engine::Recorder& rec) {
            rec.dispatch("backtrace", over,
                         {{"centre", centre},
                          {"solidDistance", distance},
                          {"distanceBefore", distance},
                          {"backOut", paths.back},
                          {"aheadOut", paths.ahead},
                          {"reachOut", paths.reach}});
        });
        return paths;
    };
    const Paths dense = traced(step.cells), listed = traced(threads);
    const Grid<int> cells = computed("backtrace", threads, BrickPart::Listed, kBrickEdge, step.cells, 4);
    const Field before = vectorsFromGpu(markedVectors(), step.cells);
    std::size_t cut = 0;
    const auto cutToReach = [&](const engine::Buffer& paths) {
        Field result = vectorsFromGpu(paths, step.cells);
        forEach(step.cells, [&](ivec3 c) {
            cut += cells(c) != 0 && glm::length(glm::max(glm::abs(dvec3(result(c))) - reach, 0.0)) > 0.0;
            result(c) = glm::clamp(result(c), -reach, reach);
        });
        return result;
    };
    const Field back = merged(cells, cutToReach(dense.back), before), ahead = merged(cells, cutToReach(dense.ahead), before);
    EXPECT_GT(cut, 0u);
    EXPECT_LT(cut, 2 * countOf(cells));
    expectSame(vectorsFromGpu(listed.back, step.cells), back);
    expectSame(vectorsFromGpu(listed.ahead, step.cells), ahead);
    // Of each work group the longest component, which is not rounded to halves. Groups past the last cells must not write.
    const Numbers longest = pathReach(step, back, group), found = fromGpu(listed.reach, groups);
    forEach(groups, [&](ivec3 g) {
        if (cells(g * group) != 0) EXPECT_NEAR(found(g), longest(g), half() ? longest(g) / 1024.0 : 0.0);
        else EXPECT_EQ(std::bit_cast<std::uint32_t>(static_cast<float>(found(g))), kMarkerWord);
    });
}

/// The grids below the pressure grid, and random coarse velocities that fill them.
class PassFill : public PassBrickFields {
protected:
    struct Grid {
        Level level;
        Field aperture, coarse;
        Numbers open;
        VkFormat format;
        [[nodiscard]] int edge() const { return kBrickEdge / (2 * level.fineCells); }  // of a brick [blocks]
    };
    std::vector<Grid> grids() {
        std::vector<Grid> all;
        const Level fine{step.cells, 1, 0.625f};  // a fill keeps nothing all the same
        const Field fineAperture = aperture();
        all.push_back({fine, fineAperture, {}, {}, vectorFormat()});
        if (step.ratio == 4) all.push_back({{blocks(fine), 2, 0.625f}, restrictAperture(fine, fineAperture), {}, {}, kFloat4});
        for (Grid& g : all) {
            g.open = openFaces(g.level, g.aperture);
            g.coarse = random(blocks(g.level) + 1, 3, -1.0, 1.0);
            forEach(g.coarse.size(), [&](ivec3 c) {
                for (int axis = 0; axis < 3; ++axis)
                    if (!gridHasFace(blocks(g.level), c, axis)) g.coarse(c)[axis] = 0.0;
            });
        }
        return all;
    }
    engine::Buffer bitsToGpu(const Numbers& bits) {
        engine::Buffer result = target(bits.count());
        put(result, Words(bits.values().begin(), bits.values().end()));
        return result;
    }
    using Images = std::array<engine::Image, 3>;
    Images markedChanges(const Grid& g) {
        return {marked(g.coarse.size(), kFloat4), marked(g.coarse.size(), kFloat4), marked(g.coarse.size(), kFloat4)};
    }
    // What a round of filling writes.
    struct Filled {
        engine::Image velocity, centre;
        engine::Buffer vectors;
    };
    Filled markedFill(const Grid& g) { return {marked(g.level.cells + 1, g.format), marked(step.cells, vectorFormat()), markedVectors()}; }
    void project(const Threads& threads, const Grid& g, const engine::Buffer& open, const Images& changes, const Filled& to) {
        sparse([&](engine::Recorder& rec) {
            rec.dispatch("project", threads,
                         {{"openFaces", open},
                          {"changesX", changes[0]},
                          {"changesY", changes[1]},
                          {"changesZ", changes[2]},
                          {"velocityIn", to.velocity},
                          {"velocityOut", to.velocity},
                          {"centreOut", to.centre},
                          {"centreVectors", to.vectors}},
                         g.level);
        });
    }
    // Texels of a field on the faces of a level, or on its cells, that belong to bricks for which `holds` is true.
    template <class F>
    reference::Grid<int> texelsOf(ivec3 texels, int fineCells, const F& holds) {
        reference::Grid<int> result(texels);
        forEach(texels, [&](ivec3 c) { result(c) = holds(states(c * fineCells / kBrickEdge)) ? 1 : 0; });
        return result;
    }
    // As computed() of the blocks, for the cells of the blocks.
    static reference::Grid<int> cellsOf(const reference::Grid<int>& blocks, ivec3 cells) {
        reference::Grid<int> result(cells);
        forEach(cells, [&](ivec3 c) { result(c) = blocks(c / 2); });
        return result;
    }
};
INSTANTIATE_TEST_SUITE_P(Cases, PassFill,
                         testing::Values(PassCase{{40, 34, 20}, 2, 1}, PassCase{{32, 20, 36}, 4, 2, Precision::Half},
                                         PassCase{{40, 36, 20}, 4, 1}),
                         nameOf);

TEST_P(PassFill, CorrectionChanges) {
    for (Grid& g : grids()) {
        use(cornerStates(), 6);
        const engine::Image coarse = toGpu(g.coarse, kFloat4);
        const engine::Buffer open = bitsToGpu(g.open), smooth = bitsToGpu(smoothFaces(g.level, g.open)), unused = target(std::size_t{1});
        const Images dense = markedChanges(g), listed = markedChanges(g);
        const int more = 2 * 2 * g.level.fineCells;  // two blocks
        ShaderConstants constants = kCubes;
        constants.insert({"kFills", 1});
        const Threads threads = bricks->over(BrickPart::Listed, static_cast<std::uint32_t>(g.edge()),
                                             static_cast<std::uint32_t>(WISP_NEAR_PATHS + more), constants);
        const auto changes = [&](const Threads& of, const Images& to) {
            sparse([&](engine::Recorder& rec) {
                rec.dispatch("correction_changes", of,
                             {{"openFaces", open},
                              {"smoothFaces", smooth},
                              {"correction", unused},
                              {"coarseFaces", coarse},
                              {"changesX", to[0]},
                              {"changesY", to[1]},
                              {"changesZ", to[2]}},
                             g.level);
            });
        };
        changes(Threads(glm::uvec3(g.coarse.size()), {{"kFills", 1}}), dense);
        changes(threads, listed);
        const Changes twin = correctionChanges(step, g.level, g.open, g.coarse);
        const reference::Grid<int> texels = computed("correction_changes", threads, BrickPart::Listed, g.edge(), g.coarse.size(),
                                                     6 + 2 + more);
        EXPECT_GT(countOf(texels), 0u);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const Field whole = fromGpu(dense[axis]);
            expectNear(whole, twin[axis], 16.0 * kEps, false);  // sums of at most sixteen values below 1
            expectSame(fromGpu(listed[axis]), merged(texels, whole));
        }
    }
}

// Listed bricks, and all that are not active, take the upsampled coarse velocity P(u_H), whatever velocity they had.
TEST_P(PassFill, Project) {
    for (Grid& g : grids()) {
        use(cornerStates(), 6);
        Changes changes = correctionChanges(step, g.level, g.open, g.coarse);
        const Images c{toGpu(changes[0], kFloat4), toGpu(changes[1], kFloat4), toGpu(changes[2], kFloat4)};
        const engine::Buffer open = bitsToGpu(g.open);
        const Filled dense = markedFill(g), listed = markedFill(g), rest = markedFill(g);
        const bool isFine = g.level.fineCells == 1;
        const ivec3 allBlocks = blocks(g.level) + 1, texels = g.level.cells + 1;
        const Threads over = bricks->over(BrickPart::Fill, static_cast<std::uint32_t>(g.edge()), 0, {{"kFills", 1}, {"kWritesCentres", 1}});
        project(Threads(glm::uvec3(allBlocks), {{"kFills", 1}}), g, open, c, dense);
        project(over, g, open, c, listed);
        ShaderConstants ofRest{{"kFills", 1}, {"kWritesCentres", 0}};
        if (isFine) ofRest.insert({"kPart", static_cast<std::uint32_t>(BrickPart::Rest)});
        project(Threads(glm::uvec3(allBlocks), ofRest), g, open, c, rest);

        const Field whole = fromGpu(dense.velocity), none(g.level.cells + 1);
        // Faces below 3 m/s with 8 roundings; two transforms of 8 divergences below 18 m/s, see PassProjection.
        const double tolerance = (8.0 * 3.0 + 2.0 * 12.0 * 144.0 / 16.0) * kEps;
        expectNear(whole, reference::project(g.level, g.open, changes, none), tolerance, g.format != kFloat4);
        const auto filled = computed("project", over, BrickPart::Fill, g.edge(), allBlocks);
        EXPECT_GT(countOf(filled), 0u);
        expectSame(fromGpu(listed.velocity), merged(cellsOf(filled, texels), whole));
        const auto idle = texelsOf(texels, g.level.fineCells, [&](const BrickState& s) { return !isFine || !s.active; });
        expectSame(fromGpu(rest.velocity), merged(idle, whole));
        const Field centre = fromGpu(dense.centre), vectors = vectorsFromGpu(dense.vectors, step.cells), before = fromGpu(rest.centre),
                    vectorsBefore = vectorsFromGpu(rest.vectors, step.cells);
        expectSame(before, Field(step.cells, dvec4(kMarker)));
        if (!isFine) {
            expectSame(centre, before);
            continue;
        }
        expectSame(fromGpu(listed.centre), merged(cellsOf(filled, step.cells), centre, before));
        expectSame(vectorsFromGpu(listed.vectors, step.cells), merged(cellsOf(filled, step.cells), vectors, vectorsBefore));
    }
}

TEST_P(PassFill, RestrictVelocity) {
    Grid g = grids().front();
    Field velocity = randomVelocity(step);
    use(cornerStates(), 6);
    const engine::Image open = toGpu(g.aperture, VK_FORMAT_R8G8B8A8_UNORM), solidVelocity = solidVelocityToGpu(g.aperture),
                        u = toGpu(velocity, vectorFormat()), dense = target(g.coarse.size(), kFloat4),
                        listed = marked(g.coarse.size(), kFloat4);
    const engine::Buffer bits = bitsToGpu(g.open);
    const Threads threads = bricks->over(BrickPart::Listed, static_cast<std::uint32_t>(g.edge()), WISP_NEAR_PATHS + 1);
    sparse([&](engine::Recorder& rec) {
        for (const auto& [over, result] : {std::pair(Threads(glm::uvec3(g.coarse.size())), &dense), {threads, &listed}})
            rec.dispatch(
                "restrict_velocity", over,
                {{"aperture", open}, {"openFaces", bits}, {"solidVelocity", solidVelocity}, {"velocity", u}, {"coarseOut", *result}},
                g.level);
    });
    const auto faces = computed("restrict_velocity", threads, BrickPart::Listed, g.edge(), g.coarse.size(), 6 + 2 + 1);
    EXPECT_GT(countOf(faces), 0u);
    EXPECT_LT(countOf(faces), faces.count());
    expectSame(fromGpu(listed), merged(faces, fromGpu(dense)));
}

// Blocks beside solids are repaired after a fill, except those of bricks that were active before and still are.
TEST_P(PassFill, Repair) {
    Grid g = grids().front();
    Field velocity = randomVelocity(step);
    use(randomStates(0.6, 0.6));
    const engine::Image open = toGpu(g.aperture, VK_FORMAT_R8G8B8A8_UNORM), solidVelocity = solidVelocityToGpu(g.aperture);
    const engine::Buffer bits = bitsToGpu(g.open);
    const auto repaired = [&](ShaderConstants constants) {
        Field copy = velocity;
        const engine::Image u = toGpu(copy, vectorFormat()), centre = marked(step.cells, vectorFormat());
        const engine::Buffer vectors = markedVectors();
        sparse([&](engine::Recorder& rec) {
            rec.dispatch("repair", Threads(glm::uvec3(blocks(g.level) + 1) * glm::uvec3(8, 1, 1), std::move(constants)),
                         {{"aperture", open},
                          {"solidVelocity", solidVelocity},
                          {"solidOutflow", u},
                          {"openFaces", bits},
                          {"velocityIn", u},
                          {"velocityOut", u},
                          {"centreOut", centre},
                          {"centreVectors", vectors}},
                         g.level);
        });
        return std::array{fromGpu(u), fromGpu(centre), vectorsFromGpu(vectors, step.cells)};
    };
    toGpu(velocity, vectorFormat());  // rounds it
    const auto whole = repaired({{"kFills", 0}, {"kWritesCentres", 1}}), some = repaired({{"kFills", 1}, {"kWritesCentres", 1}}),
               faceOnly = repaired({{"kFills", 1}, {"kWritesCentres", 0}});
    const auto isFilled = [](const BrickState& s) { return !s.active || !s.before; };
    const Field unwritten(step.cells, dvec4(kMarker));
    expectSame(some[0], merged(texelsOf(faces(step), 1, isFilled), whole[0], velocity));
    expectSame(some[1], merged(texelsOf(step.cells, 1, isFilled), whole[1]));
    expectSame(some[2], merged(texelsOf(step.cells, 1, isFilled), whole[2], faceOnly[2]));
    expectSame(faceOnly[0], some[0]);
    expectSame(faceOnly[1], unwritten);
    std::size_t changed = 0, kept = 0;
    forEach(step.cells, [&](ivec3 c) {
        changed += some[1](c) != unwritten(c);
        kept += some[1](c) != whole[1](c);
    });
    EXPECT_GT(changed, 0u) << "no block is repaired";
    EXPECT_GT(kept, 0u) << "no block keeps its velocity";
}

}  // namespace
}  // namespace wisp::test
