// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/shared/screen.h"

#include <glm/vec4.hpp>

#include <vector>

namespace wisp::app {

/// The tiles of a window that triangles meet, each with a list of those, in drawing order (shaders/shared/screen.h). Keeps its
/// memory from one picture to the next.
class ScreenTiles {
public:
    static constexpr std::size_t kMost = std::size_t{1} << WISP_SCREEN_INDEX_BITS;  ///< triangles; what comes later is left out

    /// A window of so many pixels, without triangles. `white` is the place of a white texel in the atlas: triangles that have it at
    /// all corners are of plain colour.
    void begin(glm::ivec2 pixels, glm::vec2 white = glm::vec2(-1.0f));
    /// One more, over those before it, either way round, for pixels whose middles lie inside `clip` (x0, y0, x1, y1) [pixels]. What
    /// shows nothing is left out: no area, no colour, outside of what can be seen, not finite.
    void add(const gpu::ScreenTriangle& triangle, glm::vec4 clip);
    /// No more: makes tiles() and entries().
    void finish();

    [[nodiscard]] const std::vector<gpu::ScreenTriangle>& triangles() const { return triangles_; }
    [[nodiscard]] const std::vector<gpu::ScreenTile>& tiles() const { return tiles_; }
    [[nodiscard]] const std::vector<std::uint32_t>& entries() const { return entries_; }

private:
    struct Span {  // pixels of one row of tiles, first and last
        glm::ivec2 first, last;
        std::uint32_t triangle;
    };
    [[nodiscard]] bool isPlain(const gpu::ScreenTriangle& t) const;
    [[nodiscard]] bool covers(const gpu::ScreenTriangle& t, glm::ivec2 corner) const;
    template <class Visit>
    void eachTile(const Span& span, Visit visit) const;

    glm::ivec2 pixels_{0}, count_{0};
    glm::vec2 white_{-1.0f};
    std::vector<gpu::ScreenTriangle> triangles_;
    std::vector<Span> spans_;
    std::vector<std::uint32_t> most_;    ///< by tile: how many entries it may have
    std::vector<std::uint32_t> number_;  ///< by tile: its place in tiles_
    std::vector<gpu::ScreenTile> tiles_;
    std::vector<std::uint32_t> entries_;
};

}  // namespace wisp::app
