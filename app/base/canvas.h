// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

struct ImFontAtlas;
struct ImFont;

namespace wisp::app {

/// Draws on an image of PixelFormat::Display. Pixels outside the image are ignored.
class Canvas {
public:
    Canvas(std::span<std::byte> pixels, glm::ivec2 size) : pixels_(pixels), size_(size) {}

    [[nodiscard]] glm::ivec2 size() const { return size_; }
    void blend(glm::ivec2 at, glm::u8vec3 colour, float alpha);
    void fill(glm::ivec2 low, glm::ivec2 high, glm::u8vec3 colour, float alpha = 1.0f);  ///< high is excluded
    /// Draws an anti-aliased line.
    void line(glm::vec2 from, glm::vec2 to, float width, glm::u8vec3 colour);

private:
    std::span<std::byte> pixels_;
    glm::ivec2 size_;
};

/// The fixed-width font of Dear ImGui, 13 pixels high, at an integer scale.
class Font {
public:
    explicit Font(int scale);
    ~Font();
    Font(const Font&) = delete;
    Font& operator=(const Font&) = delete;

    [[nodiscard]] int height() const { return 13 * scale_; }
    /// `text` is UTF-8, Latin characters only. `at` is the top left corner.
    void draw(Canvas& canvas, glm::ivec2 at, std::string_view text, glm::u8vec3 colour) const;

private:
    int scale_;
    std::unique_ptr<ImFontAtlas> atlas_;
    const ImFont* font_ = nullptr;
    const unsigned char* coverage_ = nullptr;
    glm::ivec2 atlasSize_{0};
};

}  // namespace wisp::app
