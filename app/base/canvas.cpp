// SPDX-License-Identifier: MIT
#include "app/base/canvas.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <imgui.h>

#include <algorithm>
#include <cmath>

namespace wisp::app {
namespace {

/// Calls f for every character. Supports UTF-8 sequences of one and two bytes only (Latin characters).
template <class F>
void forEachCharacter(std::string_view text, F&& f) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (byte < 0x80) f(static_cast<ImWchar>(byte));
        else if (i + 1 < text.size()) f(static_cast<ImWchar>((byte & 0x1f) << 6 | (static_cast<unsigned char>(text[++i]) & 0x3f)));
    }
}

}  // namespace

void Canvas::blend(glm::ivec2 at, glm::u8vec3 colour, float alpha) {
    if (at.x < 0 || at.y < 0 || at.x >= size_.x || at.y >= size_.y) return;
    std::byte* pixel = &pixels_[4 * (static_cast<std::size_t>(at.y) * static_cast<std::size_t>(size_.x) + static_cast<std::size_t>(at.x))];
    for (int n = 0; n < 3; ++n)
        pixel[n] = static_cast<std::byte>(
            std::lround(glm::mix(static_cast<float>(std::to_integer<int>(pixel[n])), static_cast<float>(colour[n]), alpha)));
}

void Canvas::fill(glm::ivec2 low, glm::ivec2 high, glm::u8vec3 colour, float alpha) {
    for (int y = low.y; y < high.y; ++y)
        for (int x = low.x; x < high.x; ++x) blend({x, y}, colour, alpha);
}

void Canvas::line(glm::vec2 from, glm::vec2 to, float width, glm::u8vec3 colour) {
    const glm::ivec2 low(glm::floor(glm::min(from, to) - width)), high(glm::ceil(glm::max(from, to) + width));
    const glm::vec2 d = to - from;
    for (int y = low.y; y <= high.y; ++y)
        for (int x = low.x; x <= high.x; ++x) {
            const glm::vec2 p = glm::vec2(x, y) + 0.5f - from;
            const float along = std::clamp(glm::dot(p, d) / std::max(glm::dot(d, d), 1e-12f), 0.0f, 1.0f);
            blend({x, y}, colour, std::clamp(0.5f * width + 0.5f - glm::length(p - along * d), 0.0f, 1.0f));
        }
}

Font::Font(int scale) : scale_(scale), atlas_(std::make_unique<ImFontAtlas>()) {
    ImFontConfig config;
    config.SizePixels = static_cast<float>(height());
    config.OversampleH = config.OversampleV = 1;
    config.PixelSnapH = true;
    atlas_->Flags |= ImFontAtlasFlags_NoMouseCursors;
    font_ = atlas_->AddFontDefault(&config);
    unsigned char* pixels = nullptr;
    atlas_->GetTexDataAsAlpha8(&pixels, &atlasSize_.x, &atlasSize_.y);
    coverage_ = pixels;
}

Font::~Font() = default;

void Font::draw(Canvas& canvas, glm::ivec2 at, std::string_view text, glm::u8vec3 colour) const {
    forEachCharacter(text, [&](ImWchar c) {
        const ImFontGlyph& glyph = *font_->FindGlyph(c);
        const glm::ivec2 from(glm::round(glm::vec2(glyph.U0, glyph.V0) * glm::vec2(atlasSize_)));
        const glm::ivec2 size(glm::round(glm::vec2(glyph.U1, glyph.V1) * glm::vec2(atlasSize_)) - glm::vec2(from));
        const glm::ivec2 to = at + glm::ivec2(glm::round(glm::vec2(glyph.X0, glyph.Y0)));
        for (int y = 0; y < size.y; ++y)
            for (int x = 0; x < size.x; ++x)
                canvas.blend(to + glm::ivec2(x, y), colour,
                             static_cast<float>(coverage_[(from.y + y) * atlasSize_.x + from.x + x]) / 255.0f);
        at.x += static_cast<int>(std::lround(glyph.AdvanceX));
    });
}

}  // namespace wisp::app
