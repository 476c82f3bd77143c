// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "files/scene/scene.h"
#include "wisp/scene.h"

#include <optional>

namespace wisp {

/// The text of a scene and what was set since. It is read anew after every change, so that all rules of files hold, and errors have the
/// place in the text.
struct Scene::Impl {
    std::string text;
    std::string file = "scene.toml";  ///< of messages; files that the scene names are relative to its folder
    std::vector<Override> overrides;
    mutable std::optional<Settings> known;

    /// @throws SceneFailure
    [[nodiscard]] Settings read(bool ranges) const { return parseScene(text, file, {.overrides = overrides, .ranges = ranges}); }
    [[nodiscard]] const Settings& settings() const {
        if (!known) known = read(true);
        return *known;
    }
};

}  // namespace wisp
