// SPDX-License-Identifier: MIT
#pragma once

#include "app/base/frame_pattern.h"
#include "app/output/frame_queue.h"
#include "app/output/volume.h"
#include "compute/sim/fluid_simulator.h"

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

/// The same as for settings, also of a sparse simulation, whose whole slots are read.
VolumeBytes bytesOfVolume(VolumeKind kind, const FluidSimulator& simulator);

/// Writes fields, one file per frame. Each file appears only when it is complete.
class VolumeSequence {
public:
    /// `first`: number of the first frame. @throws Failure Output if no file can be created.
    VolumeSequence(const VolumePattern& pattern, const VolumeChoice& choice, const FluidSimulator& simulator, std::size_t first);

    /// Records a readback of the current fields. When the data arrives, the fields are written as the next frame if `wanted` returns true.
    /// Rethrows an exception of the writer.
    void read(engine::Recorder& recorder, const FluidSimulator& simulator, std::function<bool()> wanted);
    void flush() { frames_.flush(); }  ///< see FrameQueue
    void finish() { frames_.finish(); }
    [[nodiscard]] std::size_t pushed() const { return frames_.pushed(); }

private:
    VolumeKind kind_;
    FrameQueue frames_;
    std::vector<std::byte> frame_;  ///< frame that is being read back
};

}  // namespace wisp::app
