// SPDX-License-Identifier: MIT
#pragma once

#include "app/run/checkpoint_file.h"
#include "app/run/options.h"
#include "compute/sim/fluid_simulator.h"

#include <optional>
#include <string>
#include <vector>

/// What of a run goes into a checkpoint, and how it comes back.
namespace wisp::app {

/// A run whose fields are read or filled, between its frames; `temporal` may be null.
struct CheckpointedRun {
    engine::Device& device;
    engine::ShaderLibrary& shaders;
    const FluidSimulator& simulator;
    TemporalMean* temporal;
};

/// Where a film is.
struct FilmPlace {
    std::uint64_t pictures = 0;  ///< made
    std::uint64_t stepsSincePicture = 0;
};

/// `scene`: as the scene file would have it. @throws Failure Output; then what was there is still there.
void saveCheckpoint(const std::filesystem::path& path, const CheckpointedRun& run, const Settings& scene, const FilmPlace& place = {});

/// What a run begins with: a scene, and the checkpoint that it goes on from, if any.
struct Start {
    Settings scene;
    Settings before;  ///< the checkpoint's scene; without one the same
    std::optional<CheckpointFile> from;
    glm::uvec3 ownCells{0};                       ///< of the scene, before --quality
    QualityLevel level = QualityLevel::Standard;  ///< that made its cells: of a checkpoint's own scene Standard
};

/// With `autoQuality` a checkpoint keeps its cells: of a SCENE beside it the level is taken that has them.
/// @throws SceneFailure; Failure Usage if the checkpoint is of no use, or is none of the scene.
Start startOf(const CommonOptions& options);

/// Brings a simulation of Start::before to where the checkpoint was made; FluidSimulator::change then brings it to the scene. What the
/// mean of pictures has seen is left out where it does not fit. @throws Failure Usage if the file is damaged.
void resume(CheckpointFile& file, FluidSimulator& simulator, engine::Recorder& recorder, const CheckpointedRun& run);

/// "HASH  FIELD" of each field that a checkpoint would have, a line each.
std::string hashesOf(const CheckpointedRun& run);

}  // namespace wisp::app
