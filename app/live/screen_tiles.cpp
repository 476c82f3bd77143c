// SPDX-License-Identifier: MIT
#include "app/live/screen_tiles.h"

#include <glm/common.hpp>

#include <numeric>

namespace wisp::app {
namespace {

/// Calls f(tile, entry) for every pair; in the order of the triangles.
template <class F>
void forTiles(std::span<const gpu::ScreenVertex> vertices, std::span<const std::uint16_t> indices, std::span<const gpu::ScreenRange> ranges,
              glm::ivec2 tiles, F&& f) {
    constexpr float kTile = WISP_SCREEN_TILE;
    for (std::uint32_t n = 0; n < ranges.size(); ++n) {
        const gpu::ScreenRange& r = ranges[n];
        for (std::uint32_t t = 0; t < r.triangles; ++t) {
            const std::uint32_t first = r.first + 3 * t;
            const glm::vec2 a = vertices[r.base + indices[first]].position, b = vertices[r.base + indices[first + 1]].position,
                            c = vertices[r.base + indices[first + 2]].position;
            const glm::vec2 from = glm::max(glm::min(a, glm::min(b, c)), glm::vec2(r.clip)), to = glm::min(glm::max(a, glm::max(b, c)), glm::vec2(r.clip.z, r.clip.w));
            if (!(from.x < to.x && from.y < to.y)) continue;  // without area, or a number that is none
            const glm::ivec2 low(glm::clamp(glm::floor(from / kTile), glm::vec2(0.0f), glm::vec2(tiles))),
                high(glm::clamp(glm::ceil(to / kTile), glm::vec2(0.0f), glm::vec2(tiles)));
            for (int y = low.y; y < high.y; ++y)
                for (int x = low.x; x < high.x; ++x) f(static_cast<std::size_t>(y * tiles.x + x), gpu::ScreenEntry{n, first});
        }
    }
}

}  // namespace

ScreenTiles sortIntoTiles(std::span<const gpu::ScreenVertex> vertices, std::span<const std::uint16_t> indices,
                          std::span<const gpu::ScreenRange> ranges, glm::uvec2 pixels) {
    const glm::ivec2 tiles((pixels + glm::uvec2(WISP_SCREEN_TILE - 1)) / glm::uvec2(WISP_SCREEN_TILE));
    const std::size_t count = static_cast<std::size_t>(tiles.x) * static_cast<std::size_t>(tiles.y);
    ScreenTiles result;
    result.first.assign(count + 1, 0);
    forTiles(vertices, indices, ranges, tiles, [&](std::size_t tile, const gpu::ScreenEntry&) { ++result.first[tile + 1]; });
    std::partial_sum(result.first.begin(), result.first.end(), result.first.begin());
    result.entries.resize(result.first.back());
    std::vector<std::uint32_t> next(result.first.begin(), result.first.end() - 1);
    forTiles(vertices, indices, ranges, tiles, [&](std::size_t tile, const gpu::ScreenEntry& entry) { result.entries[next[tile]++] = entry; });
    return result;
}

}  // namespace wisp::app
