// SPDX-License-Identifier: MIT
#pragma once

#include "app/scene/scene_visitor.h"

#include <map>
#include <string>
#include <variant>

namespace wisp::app {

/// Every key of a scene, by sections, with its unit, usual range and meaning, to be edited while it runs. Settings are changed only to what
/// can run: what cannot yet is kept, and said, until it can or is discarded.
class ScenePanel {
public:
    /// The scene that keys are set back to.
    void setBase(const Settings& scene);
    /// Into the current ImGui window. `gone`: way of the box after its target [m].
    void draw(Settings& settings, glm::vec3 gone = glm::vec3(0.0f));
    /// Whether values are being changed right now: what costs a new beginning can wait.
    [[nodiscard]] bool editing() const { return editing_; }

    using Value = std::variant<bool, std::uint32_t, float, std::string, glm::vec2, glm::vec3, glm::uvec2, glm::uvec3, std::optional<float>,
                               std::optional<glm::vec2>, std::optional<glm::vec3>, std::size_t>;
    using Values = std::map<std::string, Value>;  ///< by path, such as "emitter[0].radius"

private:
    void settle(Settings& settings);

    Values base_;
    Settings shown_, draft_;  // what the draft began from, and with the user's changes
    Settings placed_;         // by which keys are in sections: none goes to another while it is dragged
    std::string problem_;     // of the draft; empty: none
    char filter_[64] = "";
    bool editing_ = false;
};

}  // namespace wisp::app
