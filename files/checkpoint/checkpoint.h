// SPDX-License-Identifier: MIT
#pragma once

#include "compute/sim/fluid_simulator.h"
#include "files/checkpoint/checkpoint_file.h"
#include "wisp/checkpoint.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

/// Saves a run to a checkpoint and restores it.
namespace wisp {

/// A run whose fields are read or written between frames. `temporal` may be null.
struct CheckpointedRun {
    engine::Device& device;
    engine::ShaderLibrary& shaders;
    const FluidSimulator& simulator;
    TemporalMean* temporal;
};

/// What a run depends on besides its fields and its state.
struct CheckpointedInput {
    const Settings& scene;   ///< as in the scene file, without what the host has set
    const Settings* ofStep;  ///< the scene of the last step, if it may be another one; else null
    const HostInput& host;
};

/// The history of temporal accumulation in a checkpoint.
struct SavedHistory {
    TemporalState state;
    std::vector<StoredField> fields;
    std::vector<std::vector<std::byte>> texels;  ///< of each field
};

/// @throws Failure Output; an existing checkpoint is then unchanged.
void saveCheckpoint(const std::filesystem::path& path, const CheckpointedRun& run, const CheckpointedInput& input,
                    const FilmProgress& place = {});

/// Restores a simulation with the settings of its scene. FluidSimulator::change then applies the new scene. The temporal history of images
/// is dropped if its format does not match; without `run.temporal` it is given in `history`, unless that is null.
/// @throws Failure Usage if the file is damaged.
void resume(CheckpointFile& file, FluidSimulator& simulator, engine::Recorder& recorder, const CheckpointedRun& run,
            std::optional<SavedHistory>* history = nullptr);

/// Gives this history to run.temporal, which is not null. It is dropped if its format does not match.
void restoreHistory(const SavedHistory& history, const CheckpointedRun& run);

bool hasField(const CheckpointHeader& head, const std::string& name);

/// The name and the hash of each field that a checkpoint would contain, then "run", the hash of the state between steps and of what the
/// host has set, and "scene", that of the keys and data of the scene that the simulation depends on.
std::vector<std::pair<std::string, std::uint64_t>> hashesOf(const CheckpointedRun& run, const CheckpointedInput& input);

}  // namespace wisp
