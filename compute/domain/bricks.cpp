// SPDX-License-Identifier: MIT
#include "compute/domain/bricks.h"

#include <cstddef>

namespace wisp {

static_assert(WISP_UNIT_SIZES == engine::kUnitSizes);

Bricks::Bricks(engine::Device& device, const GridSettings& grid) : size(grid.cells / std::uint32_t{WISP_BRICK_EDGE} + 1u) {
    const auto buffer = [&](const char* name, std::uint64_t bytes) { return engine::Buffer(device, {.name = name, .bytes = bytes}); };
    const std::uint64_t n = count();
    // Whole rows of 1024, see rowsOf.
    states = buffer("brick states", (n + 1023) / 1024 * 1024 * sizeof(std::uint32_t));
    smoke = buffer("smoke of bricks", n * sizeof(gpu::BrickSmoke));
    vorticity = buffer("vorticity of bricks", n * sizeof(float));
    fastest = buffer("largest coarse speed", sizeof(std::uint32_t));
    seeds = buffer("seeds of bricks", kSeeds * sizeof(gpu::SeedBox));
    counts = buffer("brick counts", (n + 255) / 256 * 4 * sizeof(std::uint32_t));
    list = buffer("brick list", sizeof(gpu::BrickList) + 2 * n * sizeof(gpu::ListedBrick));  // a closing brick may be in the halo, too
    losses = buffer("losses of bricks", sizeof(gpu::BrickLosses));
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

}  // namespace wisp
