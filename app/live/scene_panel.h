// SPDX-License-Identifier: MIT
#pragma once

#include "files/scene/scene_visitor.h"

#include <map>
#include <string>
#include <variant>

namespace wisp::app {

/// Editor for every key of a running scene, in sections, with unit, usual range and help. Only valid settings are applied. Invalid edits
/// are kept as a draft, with an error message, until they are valid or discarded.
class ScenePanel {
public:
    /// Sets the scene with the reset values of the keys.
    void setBase(const Settings& scene);
    /// Draws into the current ImGui window. `boxOffset`: displacement of the box by its target [m].
    void draw(Settings& settings, glm::vec3 boxOffset = glm::vec3(0.0f));
    /// Whether the user is editing a value. Changes that restart the simulation can wait until then.
    [[nodiscard]] bool editing() const { return editing_; }

    using Value = std::variant<bool, std::uint32_t, float, std::string, glm::vec2, glm::vec3, glm::uvec2, glm::uvec3, std::optional<float>,
                               std::optional<glm::vec2>, std::optional<glm::vec3>, std::size_t>;
    using Values = std::map<std::string, Value>;  ///< by path, such as "emitter[0].radius"

private:
    void settle(Settings& settings);

    Values base_;
    Settings shown_, draft_;  // settings at the start of the draft; with the changes of the user
    Settings placed_;         // determines the sections; constant during an edit, so that no key changes its section
    std::string problem_;     // of the draft; empty: none
    char filter_[64] = "";
    bool editing_ = false;
};

}  // namespace wisp::app
