// SPDX-License-Identifier: MIT
#include "compute/pressure/pyramid.h"

#include "shaders/shared/tile.h"

#include <span>

namespace wisp {
namespace {

constexpr int kTiledCells = 64 * 64 * 64;  // levels up to this size are swept in tiles; measured (docs/performance.md)

// Whether one work group can solve all of these levels, see mg_bottom.comp.
bool fitsBottom(std::span<const gpu::PressureLevel> levels) {
    const gpu::PressureLevel &top = levels.front(), &last = levels.back();
    const gpu::PressureLevel second = gpu::coarser(top), end = gpu::coarser(last);
    constexpr int kShared = 32768, kLevelBytes = 48 + 4;  // a PressureLevel as std430 pads it, and an index
    static_assert(WISP_BOTTOM_FLOATS * 4 + WISP_BOTTOM_LEVELS * kLevelBytes <= kShared && WISP_BOTTOM_TEXELS * 16 <= kShared);
    if (end.firstWeight - second.firstWeight > WISP_BOTTOM_TEXELS || levels.size() > WISP_BOTTOM_LEVELS) return false;
    int floats = end.first - second.first;
    for (const gpu::PressureLevel& l : levels) floats += gpu::haloCount(l);
    return floats <= WISP_BOTTOM_FLOATS && (top.cells.x + 1) / 2 * top.cells.y * top.cells.z <= WISP_BOTTOM_THREADS;
}

}  // namespace

Pyramid::Pyramid(engine::Device& device, const gpu::PressureLevel& finest, bool periodic)
    : tiledCells(periodic || device.isCpu() ? 0 : kTiledCells), levels{finest} {
    while (levels.back().cells != glm::ivec3(1)) {
        gpu::PressureLevel next = gpu::coarser(levels.back());
        if (levels.size() == 1) next.first = next.firstWeight = next.firstRegular = 0;  // the pressure grid has its own buffers
        levels.push_back(next);
    }
    if (levels.size() == 1) return;
    for (bottom = 1; !fitsBottom(std::span(levels).subspan(bottom));) ++bottom;
    const auto buffer = [&](const char* name, int end, std::size_t bytes) {
        return engine::Buffer(device, {.name = name, .bytes = static_cast<std::uint64_t>(end) * bytes});
    };
    const gpu::PressureLevel end = gpu::coarser(levels.back());
    weights = buffer("pyramid weights", end.firstWeight, 4 * sizeof(float));
    regular = buffer("pyramid regular cells", end.firstRegular, sizeof(std::uint32_t));
    rhs = buffer("pyramid right-hand side", end.first, sizeof(float));
    pressure = buffer("pyramid pressure", end.first, sizeof(float));
    if (tiledCells > 0) other = buffer("pyramid pressure, other", end.first, sizeof(float));
}

}  // namespace wisp
