// SPDX-License-Identifier: MIT
#pragma once

#include "compute/picture/picture.h"
#include "compute/sim/fluid_simulator.h"
#include "engine/shader.h"
#include "files/checkpoint/checkpoint.h"

#include <optional>
#include <string>

namespace wisp::app {

/// A running scene without a window: editable settings, the simulation and its image.
class SceneSession {
public:
    SceneSession(engine::Device& device, const Settings& scene);

    /// May be edited at any time. Changes take effect in the next `apply`.
    Settings settings;

    /// Opens another scene. @throws Failure OutOfMemory if it does not fit into memory. Then the old scene continues. It restarts if only
    /// the driver reported the lack of memory.
    void open(const Settings& scene, engine::Recorder& rec);
    /// Applies `settings` to simulation and image. A change that needs a restart restarts the simulation, or is postponed with `wait`.
    /// Invalid settings are reverted. Returns a message for the user, or an empty string.
    std::string apply(engine::Recorder& rec, bool wait);
    /// Applies changes by user interaction between steps.
    void follow();
    /// Restores the state of a checkpoint with these settings. @throws Failure Usage if the checkpoint is invalid.
    void resume(CheckpointFile& from, engine::Recorder& rec);
    /// The current run, for writing a checkpoint.
    [[nodiscard]] CheckpointedRun run() { return {device_, shaders_, *simulator_, nullptr}; }
    /// Splats the last image as outdated, so that the next one is drawn completely.
    void forget() { drawn_.reset(); }
    /// Restarts at t = 0.
    void restart(engine::Recorder& rec);

    /// Draws the image. If no step has been done since the last image, only the camera has changed.
    void draw(engine::Recorder& rec);

    /// Sets the size of the image [pixels]. The first call creates the renderer.
    void resize(glm::uvec2 pixels);
    [[nodiscard]] bool hasPicture() const { return picture_.has_value(); }
    [[nodiscard]] ScenePicture& picture() { return *picture_; }
    [[nodiscard]] FluidSimulator& simulator() { return *simulator_; }
    [[nodiscard]] engine::ShaderLibrary& shaders() { return shaders_; }

private:
    void make(const Settings& scene);
    engine::Device& device_;
    engine::ShaderLibrary shaders_;
    std::optional<FluidSimulator> simulator_;
    std::optional<ScenePicture> picture_;
    Settings applied_;
    std::optional<std::uint64_t> drawn_;  ///< step count at the last drawn image
};

/// Settings for running a scene in a window: obstacles can be dragged, and the image uses ray marching.
Settings interactiveSettings(Settings settings);

}  // namespace wisp::app
