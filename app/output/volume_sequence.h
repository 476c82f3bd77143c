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

/// Reads a pattern of names. @throws Failure Usage, also if the names would be those of the pictures.
VolumePattern parseVolumePattern(const std::filesystem::path& volume, const std::filesystem::path& pictures, std::size_t frames);

/// A film's fields, one file a frame, each whole or not there.
class VolumeSequence {
public:
    /// Of a simulation that begins with these settings, from frame `first` on. @throws Failure Output if no file can be made.
    VolumeSequence(const VolumePattern& pattern, const Settings& settings, std::size_t first);

    /// Records that the fields are read as they are now, and written as the next frame if `wanted` once they are there. @throws what a
    /// writer threw.
    void read(engine::Recorder& recorder, const FluidSimulator& simulator, std::function<bool()> wanted);
    void flush() { frames_.flush(); }  ///< see FrameQueue
    void finish() { frames_.finish(); }

private:
    VolumeKind kind_;
    FrameQueue frames_;
    std::vector<std::byte> frame_;  ///< that is being delivered
};

}  // namespace wisp::app
