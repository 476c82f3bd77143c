// SPDX-License-Identifier: MIT
#include "app/live/overlay.h"

#include <glm/common.hpp>
#include <imgui.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace wisp::app {
namespace {

/// Makes the buffer at least `bytes` large. A buffer that grows at least doubles.
void reserve(engine::Device& device, engine::Buffer& buffer, const char* name, std::size_t bytes) {
    if (buffer && buffer.bytes() >= bytes) return;
    buffer = engine::Buffer(device, {.name = name, .bytes = std::max<std::size_t>(bytes, buffer ? 2 * buffer.bytes() : 4096)});
}

template <class T>
void send(engine::Device& device, engine::Recorder& rec, engine::Buffer& buffer, const char* name, const std::vector<T>& values) {
    reserve(device, buffer, name, values.size() * sizeof(T));
    rec.upload(buffer, std::as_bytes(std::span(values)));
}

}  // namespace

Overlay::Overlay(engine::Device& device) : device_(device) {
    unsigned char* texels = nullptr;
    glm::ivec2 size{0};
    ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&texels, &size.x, &size.y);
    atlas_ = engine::Image(device, {.name = "font atlas", .size = {size, 1}, .format = VK_FORMAT_R8G8B8A8_UNORM, .flat = true});
}

void collect(ScreenTiles& tiles, const ImDrawData& triangles, glm::ivec2 pixels) {
    const glm::vec2 origin(triangles.DisplayPos.x, triangles.DisplayPos.y),
        scale(triangles.FramebufferScale.x, triangles.FramebufferScale.y);
    const ImVec2 white = ImGui::GetIO().Fonts->TexUvWhitePixel;
    tiles.begin(pixels, {white.x, white.y});
    for (int n = 0; n < triangles.CmdListsCount; ++n) {
        const ImDrawList& list = *triangles.CmdLists[n];
        for (const ImDrawCmd& command : list.CmdBuffer) {
            if (command.UserCallback) continue;
            const ImVec4& r = command.ClipRect;
            const glm::vec4 clip((glm::vec2(r.x, r.y) - origin) * scale, (glm::vec2(r.z, r.w) - origin) * scale);
            const ImDrawIdx* const indices = list.IdxBuffer.Data + command.IdxOffset;
            for (unsigned i = 0; i + 2 < command.ElemCount; i += 3) {
                gpu::ScreenTriangle triangle;
                for (unsigned k = 0; k < 3; ++k) {
                    const ImDrawVert& v = list.VtxBuffer.Data[command.VtxOffset + indices[i + k]];
                    triangle.corners[k] = {
                        .position = (glm::vec2(v.pos.x, v.pos.y) - origin) * scale, .uv = {v.uv.x, v.uv.y}, .colour = v.col};
                }
                tiles.add(triangle, clip);
            }
        }
    }
    tiles.finish();
}

void Overlay::draw(engine::Recorder& rec, const engine::Buffer& picture, glm::uvec2 size, const Area& area, const ImDrawData& triangles,
                   glm::uvec2 pixels, bool blueFirst) {
    if (!std::exchange(hasAtlas_, true)) {
        unsigned char* texels = nullptr;
        int width = 0, height = 0;
        ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&texels, &width, &height);
        rec.upload(atlas_, std::as_bytes(std::span(texels, atlas_.bytes())));
    }
    reserve(device_, words_, "window", std::size_t{pixels.x} * pixels.y * sizeof(std::uint32_t));
    const std::uint32_t blue = blueFirst ? 1u : 0u;
    const glm::vec2 scale(triangles.FramebufferScale.x, triangles.FramebufferScale.y);
    const glm::ivec2 low(glm::round(area.low * scale)), high(glm::round((area.low + area.size) * scale));
    rec.dispatch("screen", glm::uvec3(pixels, 1), {{"picture", picture}, {"words", words_}},
                 gpu::ScreenPush{.pixels = pixels, .corner = low, .area = glm::max(high - low, 1), .picture = size, .blueFirst = blue});

    collect(screen_, triangles, pixels);
    if (screen_.tiles().empty()) return;
    send(device_, rec, triangles_, "panels' triangles", screen_.triangles());
    send(device_, rec, tiles_, "panels' tiles", screen_.tiles());
    send(device_, rec, entries_, "panels' entries", screen_.entries());
    const auto tiles = static_cast<std::uint32_t>(screen_.tiles().size());
    const glm::uvec3 groups(std::min<std::uint32_t>(tiles, WISP_SCREEN_TILE_ROW), (tiles + WISP_SCREEN_TILE_ROW - 1) / WISP_SCREEN_TILE_ROW,
                            1);
    rec.dispatch("panels", groups * glm::uvec3(WISP_SCREEN_TILE, WISP_SCREEN_TILE, 1),
                 {{"triangles", triangles_}, {"tiles", tiles_}, {"entries", entries_}, {"atlas", atlas_}, {"words", words_}},
                 gpu::PanelsPush{.pixels = pixels, .tiles = tiles, .blueFirst = blue});
}

}  // namespace wisp::app
