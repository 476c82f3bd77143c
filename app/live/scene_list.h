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

/// A built-in scene as the window's list shows it.
struct SceneEntry {
    std::string name, description;
    glm::uvec2 size{0};                 ///< pixels of its small picture; 0: it has none
    std::vector<std::uint32_t> pixels;  ///< 0xAABBGGRR, row 0 is the top
    int place = -1;                     ///< in the font atlas
};

/// The first comment of a scene file, after the licence; empty: it has none.
std::string descriptionOf(const std::filesystem::path& scene);
/// The built-in scenes, `smoke` first, with the pictures of the folder "thumbnails" beside them. One that is missing or cannot be read is
/// left out.
std::vector<SceneEntry> sceneEntries();

// The pictures are in the font atlas, which is the only texture that panels have.
void reservePictures(std::span<SceneEntry> scenes, ImFontAtlas& fonts);      ///< before it is built
void paintPictures(std::span<const SceneEntry> scenes, ImFontAtlas& fonts);  ///< afterwards

/// The list, as the next item. Returns the scene that was chosen; empty: none.
std::string chooseScene(std::span<const SceneEntry> scenes, const std::string& current);

}  // namespace wisp::app
