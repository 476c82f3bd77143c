// SPDX-License-Identifier: MIT
#pragma once

#include "compute/domain/flow.h"
#include "compute/scene/settings.h"
#include "engine/recorder.h"
#include "shaders/shared/volume_source.h"

#include <memory>
#include <vector>

namespace wisp {

/// The volume files of emitters and initial smoke on the device: of each the frame that was used last.
class VolumeSources {
public:
    VolumeSources() = default;
    /// Allocates what the largest frames of the files of a scene need, as far as that is known.
    VolumeSources(engine::Device& device, const Settings& settings);

    /// Bytes of the buffers, which a frame fills. They go through a buffer of this size on the host.
    [[nodiscard]] std::uint64_t bytes() const;

    /// The fields of smoke that change. `colours` is null if all smoke is white.
    struct Target {
        const engine::Image& scalars;
        const engine::Image* colours;
    };
    /// Records the smoke of a volume at `time` [s]: as an emitter for a step, or without its rates. Nothing if the file has no frame then.
    void record(engine::Recorder& rec, const Domain& domain, const Target& smoke, const Shape& shape, const VolumeSettings& source,
                const gpu::VolumeAmounts& amounts, double time);
    /// Records the velocity of a volume at `time` [s] for motion blur: it replaces that of `flow`, whose other fields on faces are scratch.
    /// Beside the smoke it continues as far as something moves in half an exposure. Nothing if the frame has no velocity.
    void recordVelocity(engine::Recorder& rec, const Domain& domain, const Flow& flow, const Shape& shape, const VolumeSettings& source,
                        double time);

private:
    struct Entry {
        std::shared_ptr<VolumeFrames> frames;
        std::shared_ptr<const VolumeData> data;  ///< that the buffers hold
        engine::Buffer table, values;
        engine::Buffer source;  ///< gpu::VolumeSource
        engine::Buffer velocityTable, velocities;
        engine::Buffer motion;  ///< gpu::VolumeMotion
    };
    Entry& entryOf(engine::Device& device, const VolumeSettings& source);
    Entry& entryOf(engine::Recorder& rec, const VolumeSettings& source, const std::shared_ptr<const VolumeData>& data);
    static void upload(engine::Recorder& rec, Entry& entry);
    static void uploadVelocity(engine::Recorder& rec, Entry& entry);

    std::vector<std::unique_ptr<Entry>> entries_;
};

}  // namespace wisp
