// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec2.hpp>

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

struct ImFontAtlas;

namespace wisp::app {

/// A built-in scene in the list of the window.
struct SceneEntry {
    std::string name, description;
    glm::uvec2 size{0};                 ///< pixels of the thumbnail; 0: none
    std::vector<std::uint32_t> pixels;  ///< 0xAABBGGRR, row 0 is the top
    int place = -1;                     ///< index in the font atlas; -1: none
};

/// The first comment of a scene file, after the licence; may be empty.
std::string descriptionOf(const std::filesystem::path& scene);
/// The built-in scenes, `smoke` first, with their images in the folder "thumbnails". A thumbnail that is missing or unreadable is omitted.
std::vector<SceneEntry> sceneEntries();

// The thumbnails are in the font atlas, which is the only texture of the panels.
void reservePictures(std::span<SceneEntry> scenes, ImFontAtlas& fonts);      ///< call before the atlas is built
void paintPictures(std::span<const SceneEntry> scenes, ImFontAtlas& fonts);  ///< call after the atlas is built

/// Draws the list as the next item. Returns the chosen scene; empty: none.
std::string chooseScene(std::span<const SceneEntry> scenes, const std::string& current);

}  // namespace wisp::app
