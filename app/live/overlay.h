// SPDX-License-Identifier: MIT
#pragma once

#include "engine/recorder.h"
#include "shaders/shared/screen.h"

#include <glm/vec2.hpp>

struct ImDrawData;

namespace wisp::app {

/// Puts a window's contents together: a picture that fills it, and Dear ImGui's triangles over it.
class Overlay {
public:
    /// Takes the font atlas of the current ImGui context. To be made again when its fonts change.
    explicit Overlay(engine::Device& device);

    /// Records the contents of a window of `pixels` into words(): `picture` of 0xAABBGGRR words, `size` pixels, and `triangles`.
    void draw(engine::Recorder& rec, const engine::Buffer& picture, glm::uvec2 size, const ImDrawData& triangles, glm::uvec2 pixels, bool blueFirst);

    /// A word a pixel of the window, from the top.
    [[nodiscard]] const engine::Buffer& words() const { return words_; }

private:
    void upload(engine::Recorder& rec, const ImDrawData& triangles, glm::uvec2 pixels);

    engine::Device& device_;
    engine::Image atlas_;
    bool hasAtlas_ = false;
    engine::Buffer vertices_, indices_, ranges_, tiles_, entries_, words_;
};

}  // namespace wisp::app
