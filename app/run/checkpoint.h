// SPDX-License-Identifier: MIT
#pragma once

#include "app/run/checkpoint_file.h"
#include "app/run/options.h"
#include "compute/sim/fluid_simulator.h"

#include <optional>
#include <string>
#include <vector>

/// Saves a run to a checkpoint and restores it.
namespace wisp::app {

/// A run whose fields are read or written between frames. `temporal` may be null.
struct CheckpointedRun {
    engine::Device& device;
    engine::ShaderLibrary& shaders;
    const FluidSimulator& simulator;
    TemporalMean* temporal;
};

/// Progress of a film.
struct FilmProgress {
    std::uint64_t pictures = 0;  ///< number of images so far
    std::uint64_t stepsSincePicture = 0;
};

/// `scene`: settings as in the scene file. @throws Failure Output; an existing checkpoint is then unchanged.
void saveCheckpoint(const std::filesystem::path& path, const CheckpointedRun& run, const Settings& scene, const FilmProgress& place = {});

/// Start of a run: a scene, and the checkpoint to resume from, if any.
struct Start {
    Settings scene;
    Settings before;  ///< scene of the checkpoint; without a checkpoint equal to `scene`
    std::optional<CheckpointFile> from;
    glm::uvec3 ownCells{0};                       ///< cells of the scene before scaling by --quality
    QualityLevel level = QualityLevel::Standard;  ///< level of the cells of `scene`; Standard for a scene from a checkpoint
};

/// With `autoQuality`, a resumed run keeps the cells of the checkpoint. For a given SCENE, the level with these cells is chosen.
/// @throws SceneFailure; Failure Usage if the checkpoint is invalid or does not belong to the scene.
Start startOf(const CommonOptions& options);

/// Restores a simulation with the settings Start::before. FluidSimulator::change then applies the new scene. The temporal history of images
/// is dropped if its format does not match. @throws Failure Usage if the file is damaged.
void resume(CheckpointFile& file, FluidSimulator& simulator, engine::Recorder& recorder, const CheckpointedRun& run);

/// One line "HASH  FIELD" for each field that a checkpoint would contain.
std::string hashesOf(const CheckpointedRun& run);

}  // namespace wisp::app
