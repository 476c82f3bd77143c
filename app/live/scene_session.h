// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "wisp/renderer.h"

#include <functional>
#include <optional>
#include <string>

namespace wisp::app {

/// A scene that runs in the library while the user edits it: editable settings, the simulation and its picture.
class SceneSession {
public:
    /// @param checkpoint file from which the scene continues; empty: it starts at t = 0. @throws Error
    SceneSession(const Device& device, const Settings& scene, const std::string& checkpoint = {});
    SceneSession(const SceneSession&) = delete;
    SceneSession& operator=(const SceneSession&) = delete;

    /// May be edited at any time. Changes take effect in the next `apply`.
    Settings settings;
    /// Settings of the simulation: those of the last `apply`.
    [[nodiscard]] const Settings& applied() const { return applied_; }
    /// Called with the times of every submit, see Simulation::onTimes.
    std::function<void(const SubmitTimes&)> onTimes;

    /// Opens another scene. @throws Error OutOfMemory if it does not fit into memory. Then the old scene continues. It restarts if only the
    /// driver reported the lack of memory, or a file of the scene is damaged. @throws std::runtime_error if it cannot restart.
    void open(const Settings& scene);
    /// Applies `settings` to simulation and picture. A change that needs a restart restarts the simulation, or is postponed with `wait`.
    /// Invalid settings are reverted. Returns a message for the user, or an empty string.
    std::string apply(bool wait);
    /// Saves a checkpoint that continues with `scene`, which differs from applied() only in what a run can change. @throws Error
    void save(const std::string& file, const Settings& scene);

    /// Sets the size of the picture [pixels]. The first call creates the renderer.
    void resize(glm::uvec2 pixels);
    [[nodiscard]] bool hasPicture() const { return renderer_.has_value(); }
    [[nodiscard]] Renderer& renderer() { return *renderer_; }
    [[nodiscard]] Simulation& simulation() { return *simulation_; }
    /// The grid at the current position of the box, which may follow a target.
    [[nodiscard]] GridSettings box() const;

private:
    void make(const Settings& scene);
    void listen();
    std::string restartFor(const std::string& key, bool wait);
    const Device& device_;
    Settings applied_;
    std::optional<Simulation> simulation_;
    std::optional<Renderer> renderer_;
};

/// Settings for running a scene in a window: obstacles can be dragged, and the picture uses ray marching.
Settings interactiveSettings(Settings settings);
SceneCamera cameraOf(const CameraSettings& camera);

}  // namespace wisp::app
