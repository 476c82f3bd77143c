// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "files/scene/scene.h"
#include "wisp/scene.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace wisp {

/// The text of a scene and what was set since. It is read anew after every change, so that all rules of files hold, and errors have the
/// place in the text if a user has written it.
struct Scene::Impl {
    std::string text;
    std::string file = "scene.toml";  ///< of messages; files that the scene names are relative to its folder
    bool fromFile = false;
    bool lines = false;  ///< whether messages give lines and columns of the text: a user has written it
    bool shows = false;  ///< volume files instead of a simulation, see showVolumes
    std::vector<Override> overrides;
    MemoryData memory;
    QualityLevel quality = QualityLevel::Standard;
    mutable std::optional<Settings> known;  ///< those of check(), or those whose names and types are right
    mutable bool checked = false;           ///< which of the two

    /// @throws SceneFailure
    [[nodiscard]] Settings read(bool ranges, QualityLevel level) const {
        return parseScene(text, file,
                          {.overrides = overrides, .quality = level, .memory = &memory, .lines = lines, .shows = shows, .ranges = ranges});
    }
    /// All values are allowed. @throws SceneFailure
    [[nodiscard]] const Settings& settings() const {
        if (!checked) known = read(true, quality);
        checked = true;
        return *known;
    }
    /// Values may be out of range. @throws SceneFailure
    [[nodiscard]] const Settings& draft() const {
        if (!known) known = read(false, quality);
        return *known;
    }
    /// As in the file, without the scale of `quality`. @throws SceneFailure
    [[nodiscard]] Settings own() const { return quality == QualityLevel::Standard ? settings() : read(true, QualityLevel::Standard); }
    [[nodiscard]] std::filesystem::path folder() const { return std::filesystem::path(file).parent_path(); }
    void forget() {
        known.reset();
        checked = false;
    }
};

/// @throws Error Argument for an unknown name.
QualityLevel levelOf(const std::string& name);
SceneOptions optionsOf(const LoadOptions& options);

}  // namespace wisp
