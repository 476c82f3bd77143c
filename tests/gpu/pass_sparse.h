// SPDX-License-Identifier: MIT
// Fixtures for the passes of a sparse simulation.
#pragma once

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
#include <numeric>

namespace wisp::test {

using engine::ShaderConstants;
using engine::Threads;
using Words = std::vector<std::uint32_t>;

inline constexpr std::uint32_t kMarkerWord = 0x40404040;  // a number in floats and in halves, and no result of any pass
inline constexpr double kMarker = 5.0;                    // larger than any result
inline constexpr VkFormat kFloat4 = VK_FORMAT_R32G32B32A32_SFLOAT;
/// Numbers of rounds in which passes with shaders/shared/each_cell.glsl are tested, see PassSparse::inRounds.
inline constexpr std::array<std::uint32_t, 3> kTestedRounds{1, 4, 0};
/// The passes with shaders/shared/each_cell.glsl.
inline constexpr std::array<std::string_view, 12> kPassesInRounds{
    "accelerate", "advect_scalars",       "advect_scalars_correct", "advect_velocity", "backtrace",         "correction_changes",
    "forces",     "presmooth_divergence", "presmooth_pressure",     "project",         "restrict_velocity", "vorticity_curl"};

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
        const glm::uvec3 count = grid.cells / std::uint32_t{WISP_BRICK_EDGE} + 1u;
        const std::uint32_t all = wisp::Bricks::wholeLayers(wisp::countOf(count) + WISP_BLANK_SLOTS);
        bricks.emplace(device(), grid, SlotCounts{all, all});
        step.perFlowTexel = 1.0f / glm::vec3(bricks->flowTexels(kBrickEdge + 1));
        step.perSmokeTexel = 1.0f / glm::vec3(bricks->smokeTexels(static_cast<std::uint32_t>(kBrickEdge * step.scalarRatio + 1)));
        unused = target(ivec3(1), VK_FORMAT_R32_SFLOAT);
        engine::ShaderOptions options;
        options.constants = {{"kHalfStorage", halfStorage ? 1 : 0},
                             {"kRatio", static_cast<std::uint32_t>(step.ratio)},
                             {"kScalarRatio", static_cast<std::uint32_t>(step.scalarRatio)}};
        // In half of the cases CPU devices use the work groups of GPUs.
        if (half()) options.constants.insert({{"kGroupY", 8}, {"kGroupZ", 4}});
        options.largestField = byAddress ? std::numeric_limits<std::uint64_t>::max() : 0;
        shaders = pooledLibrary(device(), embeddedShaders(), options);
    }
    void TearDown() override {
        unused = {};
        bricks.reset();
        shaders.reset();
        EveryCase::TearDown();
    }
    /// Runs what `record` records in one submission, with the list, the states and the slots as common bindings. Passes of dense storage
    /// (kSparse = 0) read no slots.
    void sparse(const std::function<void(engine::Recorder&)>& record) {
        const engine::Buffer stepData = buffer("step", sizeof step);
        run(*shaders, [&](engine::Recorder& rec) {
            rec.upload(stepData, std::as_bytes(std::span(&step, 1)));
            rec.setCommon({{"stepData", stepData},
                           {"brickList", bricks->list},
                           {"brickStates", bricks->states},
                           {"brickSlots", bricks->slots},
                           {"coarseVelocity", unused},
                           {"meshDistances", unused},
                           {"meshVelocities", unused}});
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
    /// As Domain::cubes. In half of the cases CPU devices use the work groups of GPUs.
    ShaderConstants cubes(std::uint32_t edge = 8) { return {{"kGroupX", edge}, {"kGroupZ", device().isCpu() && !half() ? 1u : edge}}; }
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
    /// All bricks are kept, but the first one is opened and the last one is in the halo.
    BrickStates borderStates() {
        BrickStates border = fullStates();
        border.values().front().before = false;
        border.values().back() = BrickState{};
        return border;
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
    /// The same as brick_states leaves them, with what the bricks want.
    static Words wantedOf(const BrickStates& states) {
        Words words = wordsOf(states);
        for (std::size_t i = 0; i < words.size(); ++i) {
            const BrickState& s = states.values()[i];
            words[i] |= (s.solid ? WISP_IS_SOLID : 0u) |
                        (s.opens() ? WISP_WANTS | static_cast<std::uint32_t>(s.rank) << WISP_RANK_SHIFT : 0u);
        }
        return words;
    }
    static std::vector<gpu::BrickSlots> slotsOf(const SlotTable& table) {
        std::vector<gpu::BrickSlots> slots;
        for (const SlotsOfBrick& s : table.slots.values()) slots.push_back({s.flow, s.smoke});
        return slots;
    }
    /// No brick has a slot, and the free ones are in a random order.
    SlotTable shuffledSlots() {
        SlotTable table{Grid<SlotsOfBrick>(brickCount(step), SlotsOfBrick{}), {}, {}};
        for (auto [free, count] : {std::pair(&table.freeFlow, bricks->flowSlots), {&table.freeSmoke, bricks->smokeSlots}}) {
            free->resize(count - kFirstSlot);
            std::iota(free->begin(), free->end(), kFirstSlot);
            std::shuffle(free->begin(), free->end(), shuffler);
        }
        return table;
    }
    /// The slots of bricks that were active before these states, and of those beside them.
    SlotTable slotsBefore(const BrickStates& after) {
        BrickStates before(after.size(), BrickState{});
        for (std::size_t i = 0; i < after.count(); ++i) {
            before.values()[i].active = after.values()[i].before;
            before.values()[i].solid = after.values()[i].solid;
        }
        return planBricks(before, shuffledSlots()).after;
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
        gpu::ListedBrick entry{static_cast<std::uint32_t>(b.place.x | b.place.y << 10 | b.place.z << 20), 0, {b.slots.flow, b.slots.smoke}};
        for (std::size_t n = 0; n < b.active.size(); ++n) entry.neighbours |= b.active[n] ? 1u << n : 0u;
        if (b.isNew) entry.neighbours |= WISP_IS_NEW;
        if (b.besideOpened) entry.neighbours |= WISP_BESIDE_OPENED;
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
    static std::uint32_t boxOf(const SmokeInBrick& s, ivec3 b) {
        if (!s.holds) return 0;
        const glm::uvec3 low(s.cells.first - b * 16), high(s.cells.last - b * 16);
        return low.x | low.y << 4 | low.z << 8 | high.x << 12 | high.y << 16 | high.z << 20 | 1u << 24;
    }
    /// Uploads the states, the twin of their list, and random slots.
    void use(const BrickStates& newStates, int reach = 6) {
        states = newStates;
        const BrickPlan plan = planBricks(states, slotsBefore(states));
        lists = plan.lists;
        slots = plan.after.slots;
        put(bricks->slots, slotsOf(plan.after));
        put(bricks->states, wordsOf(states));
        const gpu::BrickList header = headerOf(lists, reach);
        std::vector<std::byte> bytes(sizeof header);
        std::memcpy(bytes.data(), &header, sizeof header);
        const std::vector<gpu::ListedBrick> entries = entriesOf(lists);
        const auto more = std::as_bytes(std::span(entries));
        bytes.insert(bytes.end(), more.begin(), more.end());
        put(bricks->list, bytes);
    }
    /// As Domain::inRounds: each thread takes so many cells. 0: one work group takes all cells of a brick.
    Threads inRounds(std::string_view pass, Threads threads, std::uint32_t rounds) {
        const glm::uvec3 group = shaders->get(pass, threads.constants).interface.localSize;
        const std::uint32_t groups = std::max(threads.listed.threads / (group.x * group.y * group.z), 1u);
        rounds = rounds == 0 ? groups : std::min(rounds, groups);
        if (rounds == 1) return threads;
        threads.listed.threads /= rounds;
        threads.constants["kRounds"] = rounds;
        return threads;
    }
    /// The texels that `pass` computes over a part of the list, as 1. `near`, `border`: in cells, without the code of WISP_NEAR_PATHS.
    Grid<int> computed(std::string_view pass, const Threads& threads, BrickPart part, int edge, ivec3 texels, int near = 0,
                       int border = 0) {
        const ivec3 group(shaders->get(pass, threads.constants).interface.localSize);
        return computedTexels({partOf(lists, part), edge, group, near, border}, states, texels);
    }

    std::optional<wisp::Bricks> bricks;
    PooledLibrary shaders;
    engine::Image unused;
    BrickStates states;
    BrickLists lists;
    Grid<SlotsOfBrick> slots;
    std::mt19937 shuffler{11};
};

/// The values of `whole` in computed texels, and those of `before` in all others.
inline Field merged(const Grid<int>& computed, const Field& whole, const Field& before) {
    Field result = before;
    forEach(result.size(), [&](ivec3 c) {
        if (computed(c) != 0) result(c) = whole(c);
    });
    return result;
}
inline Field merged(const Grid<int>& computed, const Field& whole) { return merged(computed, whole, Field(whole.size(), dvec4(kMarker))); }

inline std::size_t countOf(const Grid<int>& computed) {
    return static_cast<std::size_t>(std::count(computed.values().begin(), computed.values().end(), 1));
}

/// The same bits. Neither field may have a NaN.
inline void expectSame(const Field& result, const Field& expected) {
    ASSERT_EQ(result.size(), expected.size());
    std::size_t wrong = 0;
    ivec3 first(0);
    forEach(result.size(), [&](ivec3 c) {
        if (result(c) != expected(c) && wrong++ == 0) first = c;
    });
    EXPECT_EQ(wrong, 0u) << "texels differ, first " << first.x << " " << first.y << " " << first.z << ": " << result(first).x << ", not "
                         << expected(first).x;
}

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

}  // namespace wisp::test
