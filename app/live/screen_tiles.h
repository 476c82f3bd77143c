// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/shared/screen.h"

#include <glm/vec4.hpp>

#include <vector>

namespace wisp::app {

/// The tiles of a window that triangles overlap, each with the list of its triangles in drawing order (shaders/shared/screen.h). Reuses its
/// memory in the next frame.
class ScreenTiles {
public:
    static constexpr std::size_t kMost = std::size_t{1} << WISP_SCREEN_INDEX_BITS;  ///< triangles; further triangles are ignored

    /// Starts a frame of a window of `pixels`. `white` is the texture coordinate of a white texel in the atlas: triangles with this
    /// coordinate at all corners have a plain colour.
    void begin(glm::ivec2 pixels, glm::vec2 white = glm::vec2(-1.0f));
    /// Adds a triangle of any orientation over the previous ones. It covers only pixels whose centres are inside `clip` (x0, y0, x1, y1)
    /// [pixels]. Invisible triangles are skipped: no area, alpha 0, outside of the window or the clip rectangle, or not finite.
    void add(const gpu::ScreenTriangle& triangle, glm::vec4 clip);
    /// Ends the frame: builds tiles() and entries().
    void finish();

    [[nodiscard]] const std::vector<gpu::ScreenTriangle>& triangles() const { return triangles_; }
    [[nodiscard]] const std::vector<gpu::ScreenTile>& tiles() const { return tiles_; }
    [[nodiscard]] const std::vector<std::uint32_t>& entries() const { return entries_; }

private:
    struct Span {  // first and last pixel in one row of tiles
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
    std::vector<std::uint32_t> most_;    ///< by tile: maximum number of entries
    std::vector<std::uint32_t> number_;  ///< by tile: index in tiles_
    std::vector<gpu::ScreenTile> tiles_;
    std::vector<std::uint32_t> entries_;
};

}  // namespace wisp::app
