// SPDX-License-Identifier: MIT
#pragma once

#include "app/run/checkpoint.h"
#include "compute/picture/picture.h"
#include "compute/sim/fluid_simulator.h"
#include "engine/shader.h"

#include <optional>
#include <string>

namespace wisp::app {

/// A scene that runs and is looked at, without a window: settings that may change at any time, the simulation, and the picture.
class Stage {
public:
    Stage(engine::Device& device, const Settings& scene);

    /// Edited freely; what was edited counts from the next `apply` on.
    Settings settings;

    /// Another scene. @throws Failure OutOfMemory if there is no room for it; then the old one goes on, or begins again where
    /// only the driver knew.
    void open(const Settings& scene, engine::Recorder& rec);
    /// Brings simulation and picture up to `settings`. What a run cannot change makes it begin again, unless that is to `wait`.
    /// Settings that cannot run are taken back. Returns what there is to say about it; empty: nothing.
    std::string apply(engine::Recorder& rec, bool wait);
    /// Between steps: what a hand has changed.
    void follow();
    /// To where a checkpoint was made of these settings. @throws Failure Usage if it is of no use.
    void resume(CheckpointFile& from, engine::Recorder& rec);
    /// For a checkpoint of what runs.
    [[nodiscard]] CheckpointedRun run() { return {device_, shaders_, *simulator_, nullptr}; }
    /// The next picture has nothing to do with the last.
    void forget() { drawn_.reset(); }
    /// From t = 0.
    void restart(engine::Recorder& rec);

    /// Draws the picture; only from another place where the smoke is that of the last one.
    void draw(engine::Recorder& rec);

    /// Pixels of the picture, which is made when there are any.
    void resize(glm::uvec2 pixels);
    [[nodiscard]] bool hasPicture() const { return picture_.has_value(); }
    [[nodiscard]] Picture& picture() { return *picture_; }
    [[nodiscard]] FluidSimulator& simulator() { return *simulator_; }
    [[nodiscard]] engine::ShaderLibrary& shaders() { return shaders_; }

private:
    void make(const Settings& scene);
    engine::Device& device_;
    engine::ShaderLibrary shaders_;
    std::optional<FluidSimulator> simulator_;
    std::optional<Picture> picture_;
    Settings applied_;
    std::optional<std::uint64_t> drawn_;  ///< step count of the smoke that the picture was drawn of last
};

/// How a window runs a scene: obstacles may be taken, and the picture is the quick one.
Settings forHands(Settings settings);

}  // namespace wisp::app
