// SPDX-License-Identifier: MIT
#pragma once

#include "app/live/dock.h"
#include "app/live/screen_tiles.h"
#include "engine/recorder.h"

#include <glm/vec2.hpp>

struct ImDrawData;

namespace wisp::app {

/// Composites the contents of the window: the rendered image in its area, and the triangles of Dear ImGui over it.
class Overlay {
public:
    /// Uses the font atlas of the current ImGui context. Construct a new Overlay when the fonts change.
    explicit Overlay(engine::Device& device);

    /// Records the drawing of a window of `pixels` into words(): `picture` (0xAABBGGRR words, `size` pixels), scaled to the `area` of the
    /// window, and `triangles` over it.
    void draw(engine::Recorder& rec, const engine::Buffer& picture, glm::uvec2 size, const Area& area, const ImDrawData& triangles,
              glm::uvec2 pixels, bool blueFirst);

    /// One word per pixel of the window, top row first.
    [[nodiscard]] const engine::Buffer& words() const { return words_; }

private:
    engine::Device& device_;
    engine::Image atlas_;
    bool hasAtlas_ = false;
    ScreenTiles screen_;
    engine::Buffer triangles_, tiles_, entries_, words_;
};

/// Fills `tiles` with the triangles of Dear ImGui for a window of `pixels`. Their coordinates are those of the desktop.
void collect(ScreenTiles& tiles, const ImDrawData& triangles, glm::ivec2 pixels);

}  // namespace wisp::app
