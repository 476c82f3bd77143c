// SPDX-License-Identifier: MIT
#pragma once

#include "app/live/dock.h"
#include "app/live/screen_tiles.h"
#include "engine/recorder.h"

#include <glm/vec2.hpp>

struct ImDrawData;

namespace wisp::app {

/// Puts a window's contents together: a picture in its part of it, and Dear ImGui's triangles over it.
class Overlay {
public:
    /// Takes the font atlas of the current ImGui context. To be made again when its fonts change.
    explicit Overlay(engine::Device& device);

    /// Records the contents of a window of `pixels` into words(): `picture` of 0xAABBGGRR words, `size` pixels, in the `area` of the window
    /// that it is to fill, and `triangles`.
    void draw(engine::Recorder& rec, const engine::Buffer& picture, glm::uvec2 size, const Area& area, const ImDrawData& triangles,
              glm::uvec2 pixels, bool blueFirst);

    /// A word a pixel of the window, from the top.
    [[nodiscard]] const engine::Buffer& words() const { return words_; }

private:
    engine::Device& device_;
    engine::Image atlas_;
    bool hasAtlas_ = false;
    ScreenTiles screen_;
    engine::Buffer triangles_, tiles_, entries_, words_;
};

/// Fills `tiles` with what Dear ImGui wants to see in a window of so many pixels; its coordinates are those of the desktop.
void collect(ScreenTiles& tiles, const ImDrawData& triangles, glm::ivec2 pixels);

}  // namespace wisp::app
