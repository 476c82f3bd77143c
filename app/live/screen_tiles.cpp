// SPDX-License-Identifier: MIT
#include "app/live/screen_tiles.h"

#include <glm/common.hpp>
#include <glm/packing.hpp>
#include <glm/vec3.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace wisp::app {
namespace {

constexpr int kTile = WISP_SCREEN_TILE;
constexpr std::uint32_t kAlpha = 0xff000000u;
static_assert(kTile == 8, "coordinates of a pixel in its tile have 3 bits");

/// First and last pixel with a centre between two coordinates.
int firstPixel(float low) { return static_cast<int>(std::floor(low + 0.5f)); }
int lastPixel(float high) { return static_cast<int>(std::ceil(high - 0.5f)) - 1; }

struct Range {
    float low, high;
    void include(float x) {
        low = std::min(low, x);
        high = std::max(high, x);
    }
};

/// Horizontal extent of a triangle between two heights.
Range rangeWithin(const gpu::ScreenTriangle& t, float top, float bottom) {
    Range range{INFINITY, -INFINITY};
    for (int n = 0; n < 3; ++n) {
        const glm::vec2 a = t.corners[n].position, b = t.corners[(n + 1) % 3].position;
        if (a.y >= top && a.y <= bottom) range.include(a.x);
        for (const float y : {top, bottom})
            if ((a.y < y) != (b.y < y)) range.include(a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x));
    }
    return range;
}

}  // namespace

void ScreenTiles::begin(glm::ivec2 pixels, glm::vec2 white) {
    pixels_ = pixels;
    white_ = white;
    count_ = (pixels + kTile - 1) / kTile;
    triangles_.clear();
    spans_.clear();
    most_.assign(static_cast<std::size_t>(count_.x) * static_cast<std::size_t>(count_.y), 0);
}

/// Calls `visit` for each tile of a span, with the tile's number and its first and last pixel column.
template <class Visit>
void ScreenTiles::eachTile(const Span& s, Visit visit) const {
    const int row = s.first.y / kTile * count_.x;
    for (int x = s.first.x / kTile; x <= s.last.x / kTile; ++x)
        visit(static_cast<std::size_t>(row) + static_cast<std::size_t>(x), std::max(s.first.x - x * kTile, 0),
              std::min(s.last.x - x * kTile, kTile - 1));
}

void ScreenTiles::add(const gpu::ScreenTriangle& triangle, glm::vec4 clip) {
    if (triangles_.size() == kMost) return;
    gpu::ScreenTriangle t = triangle;
    gpu::ScreenCorner(&c)[3] = t.corners;
    const glm::vec2 ab = c[1].position - c[0].position, ac = c[2].position - c[0].position;
    const float area = ab.x * ac.y - ab.y * ac.x;
    if (area == 0.0f || !std::isfinite(area) || ((c[0].colour | c[1].colour | c[2].colour) & kAlpha) == 0) return;
    if (area < 0.0f) std::swap(c[1], c[2]);
    // Rounding decides whether a pixel centre on an edge is inside. So the bounding box is enlarged; the clip rectangle is exact.
    constexpr float kMargin = 0.01f;
    const glm::vec2 low = glm::min(c[0].position, glm::min(c[1].position, c[2].position)) - kMargin;
    const glm::vec2 high = glm::max(c[0].position, glm::max(c[1].position, c[2].position)) + kMargin;
    const glm::vec2 from = glm::max(glm::max(low, glm::vec2(clip)), glm::vec2(0.0f)),
                    to = glm::min(glm::min(high, glm::vec2(clip.z, clip.w)), glm::vec2(pixels_));
    if (!(from.x < to.x && from.y < to.y)) return;
    const glm::ivec2 first(firstPixel(from.x), firstPixel(from.y)), last(lastPixel(to.x), lastPixel(to.y));
    const std::size_t before = spans_.size();
    for (int y = first.y; y <= last.y; y = (y / kTile + 1) * kTile) {
        Span s{{first.x, y}, {last.x, std::min(last.y, y / kTile * kTile + kTile - 1)}, static_cast<std::uint32_t>(triangles_.size())};
        if (last.x - first.x > 2 * kTile) {
            // Pixel centres are half a pixel inside these pixels; rounding errors are much smaller.
            const Range range = rangeWithin(t, static_cast<float>(s.first.y), static_cast<float>(s.last.y + 1));
            s.first.x = std::max(first.x, static_cast<int>(std::floor(std::max(range.low, from.x))));
            s.last.x = std::min(last.x, static_cast<int>(std::floor(std::min(range.high, to.x))));
        }
        if (s.first.x > s.last.x) continue;
        eachTile(s, [&](std::size_t tile, int, int) { ++most_[tile]; });
        spans_.push_back(s);
    }
    if (spans_.size() > before) triangles_.push_back(t);
}

bool ScreenTiles::isPlain(const gpu::ScreenTriangle& t) const {
    const gpu::ScreenCorner(&c)[3] = t.corners;
    return c[0].colour == c[1].colour && c[0].colour == c[2].colour && c[0].uv == white_ && c[1].uv == white_ && c[2].uv == white_;
}

/// Whether the centres of all pixels of a tile are well inside the triangle.
bool ScreenTiles::covers(const gpu::ScreenTriangle& t, glm::ivec2 corner) const {
    const glm::vec2 low = glm::vec2(corner) + 0.5f, high = glm::vec2(glm::min(corner + kTile, pixels_)) - 0.5f;
    for (int n = 0; n < 3; ++n) {
        const glm::vec2 a = t.corners[n].position, edge = t.corners[(n + 1) % 3].position - a;
        // The pixel centre that is farthest outside of this edge.
        const glm::vec2 x(edge.y > 0.0f ? high.x : low.x, edge.x > 0.0f ? low.y : high.y);
        constexpr float kInside = 0.01f;  // [pixels]
        if (edge.x * (x.y - a.y) - edge.y * (x.x - a.x) < kInside * (std::abs(edge.x) + std::abs(edge.y))) return false;
    }
    return true;
}

void ScreenTiles::finish() {
    tiles_.clear();
    number_.assign(most_.size(), 0);
    std::uint32_t begin = 0;
    for (glm::ivec2 tile(0); tile.y < count_.y; ++tile.y)
        for (tile.x = 0; tile.x < count_.x; ++tile.x) {
            const auto number = static_cast<std::size_t>(tile.y) * static_cast<std::size_t>(count_.x) + static_cast<std::size_t>(tile.x);
            number_[number] = static_cast<std::uint32_t>(tiles_.size());
            if (most_[number] > 0)
                tiles_.push_back({.corner = kTile * tile, .first = begin, .end = begin, .ground = {0.0f, 0.0f, 0.0f, 1.0f}});
            begin += most_[number];
        }
    entries_.resize(begin);
    for (const Span& s : spans_) {
        const gpu::ScreenTriangle& t = triangles_[s.triangle];
        const bool plain = isPlain(t);
        eachTile(s, [&](std::size_t number, int first, int last) {
            gpu::ScreenTile& tile = tiles_[number_[number]];
            const glm::ivec2 pixels = glm::min(pixels_ - tile.corner, kTile);
            const bool whole = first == 0 && s.first.y % kTile == 0 && last == pixels.x - 1 && s.last.y % kTile == pixels.y - 1;
            if (plain && whole && tile.first == tile.end && covers(t, tile.corner)) {
                const glm::vec4 colour = glm::unpackUnorm4x8(t.corners[0].colour);
                tile.ground = {glm::mix(glm::vec3(tile.ground), glm::vec3(colour), colour.a), tile.ground.w * (1.0f - colour.a)};
                return;
            }
            const int box = first | (s.first.y % kTile) << 3 | last << 6 | (s.last.y % kTile) << 9;
            entries_[tile.end++] = s.triangle | static_cast<std::uint32_t>(box) << WISP_SCREEN_INDEX_BITS;
        });
    }
}

}  // namespace wisp::app
