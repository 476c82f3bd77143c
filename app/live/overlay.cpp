// SPDX-License-Identifier: MIT
#include "app/live/overlay.h"

#include "app/live/screen_tiles.h"

#include <imgui.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

namespace wisp::app {
namespace {

static_assert(sizeof(ImDrawVert) == sizeof(gpu::ScreenVertex) && sizeof(ImDrawIdx) == 2);

/// A buffer of at least so many bytes; one that grows doubles.
void reserve(engine::Device& device, engine::Buffer& buffer, const char* name, std::size_t bytes) {
    if (buffer && buffer.bytes() >= bytes) return;
    buffer = engine::Buffer(device, {.name = name, .bytes = std::max<std::size_t>(bytes, buffer ? 2 * buffer.bytes() : 4096)});
}

template <class T>
void send(engine::Device& device, engine::Recorder& rec, engine::Buffer& buffer, const char* name, const std::vector<T>& values) {
    reserve(device, buffer, name, values.size() * sizeof(T));
    if (!values.empty()) rec.upload(buffer, std::as_bytes(std::span(values)));
}

}  // namespace

Overlay::Overlay(engine::Device& device) : device_(device) {
    unsigned char* texels = nullptr;
    glm::ivec2 size{0};
    ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&texels, &size.x, &size.y);
    atlas_ = engine::Image(device, {.name = "font atlas", .size = {size, 1}, .format = VK_FORMAT_R8G8B8A8_UNORM, .flat = true});
}

void Overlay::upload(engine::Recorder& rec, const ImDrawData& triangles, glm::uvec2 pixels) {
    std::vector<gpu::ScreenVertex> vertices;
    std::vector<ImDrawIdx> indices;
    std::vector<gpu::ScreenRange> ranges;
    for (int n = 0; n < triangles.CmdListsCount; ++n) {
        const ImDrawList& list = *triangles.CmdLists[n];
        const auto firstVertex = static_cast<std::uint32_t>(vertices.size()), firstIndex = static_cast<std::uint32_t>(indices.size());
        vertices.resize(vertices.size() + static_cast<std::size_t>(list.VtxBuffer.Size));
        std::memcpy(vertices.data() + firstVertex, list.VtxBuffer.Data, static_cast<std::size_t>(list.VtxBuffer.size_in_bytes()));
        indices.insert(indices.end(), list.IdxBuffer.begin(), list.IdxBuffer.end());
        for (const ImDrawCmd& c : list.CmdBuffer) {
            if (c.UserCallback || c.ElemCount == 0) continue;
            ranges.push_back({.clip = {c.ClipRect.x, c.ClipRect.y, c.ClipRect.z, c.ClipRect.w},
                              .first = firstIndex + c.IdxOffset,
                              .triangles = c.ElemCount / 3,
                              .base = firstVertex + c.VtxOffset});
        }
    }
    if (indices.size() % 2 != 0) indices.push_back(0);  // whole words
    send(device_, rec, vertices_, "overlay vertices", vertices);
    send(device_, rec, indices_, "overlay indices", indices);
    send(device_, rec, ranges_, "overlay ranges", ranges);
    const ScreenTiles tiles = sortIntoTiles(vertices, indices, ranges, pixels);
    send(device_, rec, tiles_, "overlay tiles", tiles.first);
    send(device_, rec, entries_, "overlay entries", tiles.entries);
}

void Overlay::draw(engine::Recorder& rec, const engine::Buffer& picture, glm::uvec2 size, const ImDrawData& triangles, glm::uvec2 pixels, bool blueFirst) {
    if (!std::exchange(hasAtlas_, true)) {
        unsigned char* texels = nullptr;
        int width = 0, height = 0;
        ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&texels, &width, &height);
        rec.upload(atlas_, std::as_bytes(std::span(texels, atlas_.bytes())));
    }
    upload(rec, triangles, pixels);
    reserve(device_, words_, "window", std::size_t{pixels.x} * pixels.y * sizeof(std::uint32_t));
    const gpu::ScreenPush push{.pixels = pixels, .picture = size, .blueFirst = blueFirst ? 1u : 0u};
    rec.dispatch("screen", glm::uvec3(pixels, 1),
                 {{"picture", picture}, {"vertices", vertices_}, {"indices", indices_}, {"ranges", ranges_}, {"tiles", tiles_}, {"entries", entries_},
                  {"atlas", atlas_}, {"words", words_}}, push);
}

}  // namespace wisp::app
