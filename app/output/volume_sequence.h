// SPDX-License-Identifier: MIT
#pragma once

#include "app/output/frame_queue.h"
#include "compute/sim/fluid_simulator.h"
#include "compute/sim/volume_packer.h"
#include "files/base/frame_pattern.h"
#include "files/volume/volume.h"

#include <optional>

namespace wisp::app {

struct VolumePattern {
    FramePattern names;
    VolumeKind kind = VolumeKind::NanoVdb;
};

/// Parses names of fields, separated by commas. @throws Failure Usage that names the option.
void chooseVolumeFields(VolumeChoice& choice, const std::string& names);
/// @throws Failure Usage if a field that was named is not simulated.
void requireVolumeFields(const std::string& names, const Settings& settings);

/// Parses a pattern of file names. @throws Failure Usage, also if the images have the same names, or if this build cannot write the format.
VolumePattern parseVolumePattern(const std::filesystem::path& volume, const std::filesystem::path& pictures, std::size_t frames);

/// RecorderOptions::readbackBytes for a volume in each frame.
std::uint64_t volumeReadback(VolumeKind kind, const Settings& settings);

/// Writes fields, one file per frame. Each file appears only when it is complete.
class VolumeSequence {
public:
    /// `first`: number of the first frame. @throws Failure Output if no file can be created; Error OutOfMemory.
    VolumeSequence(engine::Device& device, const VolumePattern& pattern, const VolumeChoice& choice, const FluidSimulator& simulator,
                   std::size_t first);

    /// Reads the fields after the steps that were submitted so far, in a frame of its own that `submit` submits, and waits for it. They are
    /// written as the next file if `wanted` returns true then. Rethrows an exception of the writer.
    void read(engine::Recorder& recorder, const FluidSimulator& simulator, const std::function<void()>& submit,
              const std::function<bool()>& wanted);
    void flush() { frames_.flush(); }  ///< see FrameQueue
    void finish() { frames_.finish(); }
    [[nodiscard]] std::size_t pushed() const { return frames_.pushed(); }

private:
    std::optional<VolumePacker> packer_;  ///< none: an atlas
    FrameQueue frames_;
};

}  // namespace wisp::app
