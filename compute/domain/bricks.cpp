// SPDX-License-Identifier: MIT
#include "compute/domain/bricks.h"

#include "compute/scene/motion.h"
#include "compute/scene/shape_data.h"

#include <glm/vector_relational.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <vector>

namespace wisp {

static_assert(WISP_UNIT_SIZES == engine::kUnitSizes);

namespace {

// Of 1024 words, as a checkpoint stores a buffer, see rowsOf.
std::uint64_t wholeRows(std::uint64_t bytes) { return (bytes + 4095) / 4096 * 4096; }

}  // namespace

std::uint32_t Bricks::wholeLayers(std::uint64_t slots, std::uint32_t columns) {
    const std::uint32_t layer = kSlotsInLayer * columns;
    return static_cast<std::uint32_t>((slots + layer - 1) / layer * layer);
}

std::uint32_t Bricks::columnsOf(const GridSettings& grid) {
    constexpr std::uint64_t kMany = 16384;
    const glm::u64vec3 bricks = grid.cells / std::uint32_t{WISP_BRICK_EDGE} + 1u;
    return bricks.x * bricks.y * bricks.z > kMany ? WISP_SLOT_COLUMNS : 1;
}

engine::Buffer Bricks::makeFreeSlots(engine::Device& device, SlotCounts slots) {
    const std::uint64_t words = std::uint64_t{slots.flow} + slots.smoke;
    return {device, {.name = "free slots", .bytes = wholeRows(sizeof(gpu::FreeSlots) + words * sizeof(std::uint32_t))}};
}

Bricks::Bricks(engine::Device& device, const GridSettings& grid, SlotCounts first)
    : size(grid.cells / std::uint32_t{WISP_BRICK_EDGE} + 1u), columns(columnsOf(grid)), flowSlots(first.flow), smokeSlots(first.smoke) {
    const auto buffer = [&](const char* name, std::uint64_t bytes) { return engine::Buffer(device, {.name = name, .bytes = bytes}); };
    const std::uint64_t n = count();
    states = buffer("brick states", wholeRows(n * sizeof(std::uint32_t)));
    wanted = buffer("wanted brick states", n * sizeof(std::uint32_t));
    slots = buffer("slots of bricks", wholeRows(n * sizeof(gpu::BrickSlots)));
    freeSlots = makeFreeSlots(device, first);
    smoke = buffer("smoke of bricks", n * sizeof(gpu::BrickSmoke));
    vorticity = buffer("vorticity of bricks", n * sizeof(float));
    fastest = buffer("largest coarse speed", sizeof(std::uint32_t));
    seeds = buffer("seeds of bricks", kSeeds * sizeof(gpu::SeedBox));
    counts = buffer("brick counts", (n + 255) / 256 * 7 * sizeof(std::uint32_t));
    list = buffer("brick list",
                  wholeRows(sizeof(gpu::BrickList) + 2 * n * sizeof(gpu::ListedBrick)));  // a closing brick may be in the halo, too
    losses = buffer("losses of bricks", sizeof(gpu::BrickLosses));
}

void Bricks::recordFreeSlots(engine::Recorder& rec) const {
    static_assert(WISP_OPEN_SLOT == 0u);
    rec.clear(slots, WISP_OPEN_SLOT);
    rec.clear(freeSlots, 0);
    const gpu::FreeSlots all{.flowFree = flowSlots - WISP_BLANK_SLOTS,
                             .flowSlots = flowSlots,
                             .smokeFree = smokeSlots - WISP_BLANK_SLOTS,
                             .smokeSlots = smokeSlots};
    std::vector<std::uint32_t> words(sizeof all / sizeof(std::uint32_t) + flowSlots + smokeSlots);
    std::memcpy(words.data(), &all, sizeof all);
    const auto flow = words.begin() + sizeof all / sizeof(std::uint32_t), smokeRing = flow + flowSlots;
    std::iota(flow, smokeRing - WISP_BLANK_SLOTS, WISP_BLANK_SLOTS);
    std::iota(smokeRing, words.end() - WISP_BLANK_SLOTS, WISP_BLANK_SLOTS);
    rec.upload(freeSlots, std::as_bytes(std::span(words)));
}

engine::Threads Bricks::over(BrickPart part, std::uint32_t edge, std::uint32_t near, engine::ShaderConstants more) const {
    more.insert({{"kUnit", edge}, {"kPart", static_cast<std::uint32_t>(part)}, {"kNear", near}});
    const std::uint64_t first = static_cast<std::uint64_t>(part) * WISP_UNIT_SIZES;
    const engine::ListedUnits units{
        .commands = &list, .offset = offsetof(gpu::BrickList, commands) + first * sizeof(glm::uvec3), .threads = edge * edge * edge};
    return {units, std::move(more)};
}

engine::Threads Bricks::each(BrickPart part, std::uint32_t threads) const {
    engine::Threads all = over(part, 1);
    all.listed.threads = threads;
    return all;
}

Seeds seedsOfStart(const Settings& settings) {
    Seeds seeds;
    const GridSettings& grid = settings.grid;
    const glm::uvec3 faces = grid.cells + 1u;
    const std::vector<MeshGrid> grids = meshGrids(settings);
    for (const EmitterSettings& e : settings.emitters)
        for (const CellBox& box : emitterCells(e, grid, grids, 0.0, 0.0)) seeds.add(box);
    for (const InitialSettings& i : settings.initial) {
        const CellBox all{glm::ivec3(0), faces};
        const CellBox box = i.field == InitialField::Shape ? cellsTouched(i.shape, grid, grid.cellSize(), faces) : all;
        // The coarse grid resolves a velocity that is the same everywhere.
        const bool isWind = i.field == InitialField::Shape && i.density == 0.0f && i.temperature == 0.0f && box.size == all.size;
        if (!isWind) seeds.add(box);
    }
    return seeds;
}

void Seeds::add(const CellBox& box) {
    const glm::ivec3 last = box.first + glm::ivec3(box.size) - 1;
    if (glm::all(glm::lessThanEqual(box.first, last))) boxes.push_back({box.first, last});
}

SlotCounts firstSlots(const Settings& settings) {
    Seeds seeds = seedsOfStart(settings);
    const GridSettings& grid = settings.grid;
    for (const ObstacleSettings& o : settings.obstacles) seeds.add(cellsTouched(o.shape, grid, grid.cellSize(), grid.cells + 1u));
    const std::uint64_t room = grid.memory == 0.0f ? 512 : 0;  // a limited memory may not have it
    std::uint64_t active = room, listed = 2 * room;
    for (const gpu::SeedBox& s : seeds.boxes) {
        const glm::uvec3 bricks(s.last / WISP_BRICK_EDGE - s.first / WISP_BRICK_EDGE + 1);
        // Obstacles also need the bricks beside them, and around all there is a halo.
        active += std::uint64_t{bricks.x + 2} * (bricks.y + 2) * (bricks.z + 2);
        listed += std::uint64_t{bricks.x + 4} * (bricks.y + 4) * (bricks.z + 4);
    }
    const glm::u64vec3 all = grid.cells / std::uint32_t{WISP_BRICK_EDGE} + 1u;
    const std::uint64_t most = all.x * all.y * all.z;
    const std::uint32_t columns = Bricks::columnsOf(grid);
    return {Bricks::wholeLayers(std::min(listed, most) + WISP_BLANK_SLOTS, columns),
            Bricks::wholeLayers(std::min(active, most) + WISP_BLANK_SLOTS, columns)};
}

}  // namespace wisp
