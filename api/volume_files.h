// SPDX-License-Identifier: MIT
#pragma once

#include "compute/sim/fluid_simulator.h"
#include "compute/sim/volume_packer.h"
#include "files/base/frame_queue.h"
#include "files/volume/volume.h"
#include "wisp/volume.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wisp {

/// Chooses fields by their names. @throws Failure Usage that begins with `source`, such as "--volume-fields density,fire".
void chooseVolumeFields(VolumeChoice& choice, const std::vector<std::string>& names, const std::string& source);
/// What a field of a file needs and the scene does not have; null: nothing.
const char* lackOf(std::string_view field, const Settings& settings);
/// @throws Failure Usage if a field that was named is not simulated.
void requireVolumeFields(const std::vector<std::string>& names, const Settings& settings, const std::string& source);

/// The choice of these options. @throws Error Argument.
VolumeChoice volumeChoiceOf(const VolumeOptions& options, const Settings& settings);
/// The kind of a file by its ending. @throws Error Argument for another file; Unsupported if this simulation, or this machine, cannot write
/// it.
VolumeKind volumeKindOf(const std::filesystem::path& file, const Settings& settings);

/// Writes fields, one file per frame. Each file appears only when it is complete.
class VolumeFiles {
public:
    using Name = std::function<std::filesystem::path(std::size_t file)>;  ///< of a file, counted from 0; called by other threads

    /// @throws Error OutOfMemory.
    VolumeFiles(engine::Device& device, VolumeKind kind, const VolumeChoice& choice, const FluidSimulator& simulator, Name name);

    /// Reads the fields after the steps that were submitted so far, in a frame of its own that `submit` submits, and waits for it. They are
    /// written as the next file, whose metadata get this number. Rethrows an exception of the writer.
    void read(engine::Recorder& recorder, const FluidSimulator& simulator, const std::function<void()>& submit, std::size_t number);
    void flush() { frames_.flush(); }  ///< see FrameQueue
    void finish() { frames_.finish(); }
    [[nodiscard]] std::size_t pushed() const { return frames_.pushed(); }

private:
    std::optional<VolumePacker> packer_;  ///< none: an atlas
    FrameQueue frames_;
};

}  // namespace wisp
