// SPDX-License-Identifier: MIT
#include "app/live/scene_list.h"

#include "files/base/text_file.h"
#include "files/scene/scene_files.h"

#include <imgui.h>
#include <png.h>

#include <algorithm>
#include <cstring>
#include <sstream>
#include <stdexcept>

namespace wisp::app {
namespace {

constexpr std::uint32_t kMostPixels = 256;                  // of a thumbnail, along an edge
constexpr std::uintmax_t kMostBytes = 1u << 20;             // of its file
constexpr float kPictureHeight = 4.0f, kTextWidth = 17.0f;  // [font heights]; room for three lines below the name

void readPicture(SceneEntry& entry, const std::filesystem::path& file) {
    png_image png{};
    png.version = PNG_IMAGE_VERSION;
    std::string bytes;
    try {
        bytes = readBytes(file, kMostBytes);
    } catch (const std::runtime_error&) {  // missing or unreadable
        return;
    }
    if (png_image_begin_read_from_memory(&png, bytes.data(), bytes.size()) == 0) return;
    png.format = PNG_FORMAT_RGBA;
    if (png.width <= kMostPixels && png.height <= kMostPixels) entry.pixels.resize(std::size_t{png.width} * png.height);
    if (!entry.pixels.empty() && png_image_finish_read(&png, nullptr, entry.pixels.data(), 0, nullptr) != 0)
        entry.size = {png.width, png.height};
    else entry.pixels.clear();
    png_image_free(&png);
}

}  // namespace

std::string descriptionOf(const std::filesystem::path& scene) {
    std::string text, file;
    try {
        file = readText(scene, kMaxSceneBytes);
    } catch (const std::runtime_error&) {
        return {};
    }
    std::istringstream in(file);
    for (std::string line; std::getline(in, line) && line.starts_with('#');) {
        if (line.find("SPDX-License-Identifier") != std::string::npos) continue;
        const std::size_t first = line.find_first_not_of("# ");
        if (first != std::string::npos) text += (text.empty() ? "" : " ") + line.substr(first);
    }
    return text;
}

std::vector<SceneEntry> sceneEntries() {
    std::vector<SceneEntry> entries;
    for (const std::string& name : builtInScenes()) {
        entries.push_back({.name = name, .description = descriptionOf(findScene(name))});
        readPicture(entries.back(), builtInFile("thumbnails/" + name + ".png"));
    }
    std::stable_partition(entries.begin(), entries.end(), [](const SceneEntry& e) { return e.name == "smoke"; });
    return entries;
}

void reservePictures(std::span<SceneEntry> scenes, ImFontAtlas& fonts) {
    for (SceneEntry& e : scenes)
        e.place = e.pixels.empty() ? -1 : fonts.AddCustomRectRegular(static_cast<int>(e.size.x), static_cast<int>(e.size.y));
}

void paintPictures(std::span<const SceneEntry> scenes, ImFontAtlas& fonts) {
    unsigned char* texels = nullptr;
    int width = 0, height = 0;
    fonts.GetTexDataAsRGBA32(&texels, &width, &height);
    for (const SceneEntry& e : scenes) {
        if (e.place < 0) continue;
        const ImFontAtlasCustomRect& at = *fonts.GetCustomRectByIndex(e.place);
        for (std::uint32_t y = 0; y < e.size.y; ++y)
            std::memcpy(texels + 4 * ((at.Y + std::size_t{y}) * static_cast<std::size_t>(width) + at.X),
                        &e.pixels[std::size_t{y} * e.size.x], std::size_t{4} * e.size.x);
    }
}

std::string chooseScene(std::span<const SceneEntry> scenes, const std::string& current) {
    const float em = ImGui::GetFontSize(), height = kPictureHeight * em, pictureWidth = height * 16.0f / 9.0f,
                gap = ImGui::GetStyle().ItemSpacing.x;
    const float display = ImGui::GetIO().DisplaySize.x, width = std::min(pictureWidth + gap + kTextWidth * em, display - 3.0f * em);
    std::string chosen;
    ImGui::SetNextWindowSizeConstraints({width, 0.0f}, {width + 3.0f * em, 0.8f * ImGui::GetIO().DisplaySize.y});
    if (!ImGui::BeginCombo("##scene", current.c_str(), ImGuiComboFlags_HeightLargest | ImGuiComboFlags_PopupAlignLeft)) return chosen;
    for (const SceneEntry& e : scenes) {
        ImGui::PushID(e.name.c_str());
        const ImVec2 at = ImGui::GetCursorScreenPos();
        if (ImGui::Selectable("##choose", e.name == current, 0, {width, height})) chosen = e.name;
        ImDrawList& list = *ImGui::GetWindowDrawList();
        if (e.place >= 0) {
            ImVec2 low, high;
            const ImFontAtlas& fonts = *ImGui::GetIO().Fonts;
            fonts.CalcCustomRectUV(&fonts.CustomRects[e.place], &low, &high);
            // Half a texel, so that interpolation does not reach the neighbours in the atlas.
            const ImVec2 half(0.5f * fonts.TexUvScale.x, 0.5f * fonts.TexUvScale.y);
            list.AddImage(fonts.TexID, at, {at.x + pictureWidth, at.y + height}, {low.x + half.x, low.y + half.y},
                          {high.x - half.x, high.y - half.y});
        }
        const float x = at.x + pictureWidth + gap, line = ImGui::GetTextLineHeight();
        const ImVec4 clip{x, at.y, at.x + width, at.y + height};
        list.AddText({x, at.y}, ImGui::GetColorU32(ImGuiCol_Text), e.name.c_str());
        list.AddText(ImGui::GetFont(), em, {x, at.y + line}, ImGui::GetColorU32(ImGuiCol_TextDisabled), e.description.c_str(), nullptr,
                     width - pictureWidth - gap, &clip);
        // The tooltip shows a description that does not fit.
        if (ImGui::IsItemHovered() &&
            ImGui::CalcTextSize(e.description.c_str(), nullptr, false, width - pictureWidth - gap).y > height - line) {
            ImGui::BeginTooltip();
            ImGui::PushTextWrapPos(30.0f * em);
            ImGui::TextUnformatted(e.description.c_str());
            ImGui::PopTextWrapPos();
            ImGui::EndTooltip();
        }
        ImGui::PopID();
    }
    ImGui::EndCombo();
    return chosen;
}

}  // namespace wisp::app
