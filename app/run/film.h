// SPDX-License-Identifier: MIT
#pragma once

#include "api/memory_plan.h"
#include "api/volume_files.h"
#include "app/base/progress.h"
#include "app/output/image_sequence.h"
#include "app/output/legend.h"
#include "app/output/probe_files.h"
#include "app/output/step_log.h"
#include "app/output/trace.h"
#include "app/output/video.h"
#include "app/output/volume_pattern.h"
#include "app/run/options.h"
#include "app/run/path_pictures.h"
#include "app/run/start.h"
#include "compute/picture/picture.h"
#include "compute/sim/fluid_simulator.h"
#include "files/base/frame_queue.h"
#include "files/checkpoint/checkpoint.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wisp::app {

/// Renders one film and owns all objects needed for it.
class Film {
public:
    Film(const RenderOptions& options, Start& start, const Needs& needs, engine::Device& device, const Log& log);
    void make();

private:
    void prepare();
    bool recordFrame();
    bool showVolume();
    void finishSteps(bool last);
    void showSteps();
    bool tracePicture();
    void measure();
    void keep();
    [[nodiscard]] std::string lastCheckpoint() const;
    void finish();
    [[nodiscard]] bool checkpointDue() const { return options_.every > 0 && simulator_.stepCount() % options_.every == 0; }
    [[nodiscard]] CheckpointedRun run() {
        return {device_, shaders_, simulator_, picture_ && picture_->smoke() ? picture_->smoke()->temporal() : nullptr};
    }
    void lookAtBox();
    [[nodiscard]] bool probesNow() const { return probes_ && probes_->due(simulator_.stepCount()); }
    void recordPicture();
    void readPicture();
    void writeVolume();
    void submit(bool step);
    [[nodiscard]] bool traced() const {
        return picture_ && settings_.render.mode == RenderMode::Path && settings_.view.field == ViewField::Smoke;
    }
    void complete();
    /// Files of frames that this run has finished.
    [[nodiscard]] std::size_t written() const { return frames_ ? frames_->pushed() : volumes_ ? volumes_->pushed() : frame_ - first_; }
    void measured(std::uint64_t step, const Quality& quality);
    void requireFinite() const;
    void reloadShaders();

    const RenderOptions& options_;
    Start& start_;
    const Settings& settings_;
    const Log& log_;
    engine::Device& device_;
    std::uint32_t stepsPerFrame_;
    std::optional<TraceFile> trace_;
    std::size_t first_;  ///< number of the first frame of this run
    std::size_t frame_;
    PixelFormat format_;
    std::unique_ptr<FrameQueue> frames_;  ///< nullptr: no pictures
    std::optional<VolumeFiles> volumes_;
    std::vector<std::byte> pixels_;  ///< of the frame that is being read back
    std::optional<StepLog> stats_;
    std::optional<ProbeFiles> probes_;
    std::uint64_t stepsOfFrame_ = 0;
    std::pair<std::uint64_t, std::size_t> kept_{0, 0};  ///< numbers of steps and images at the last checkpoint
    bool keptOwn_ = false;                              ///< true if this run wrote it
    bool warned_ = false;                               ///< qualityWarning was shown
    std::optional<std::uint64_t> badStep_;              ///< first step with NaN or infinity
    std::string badField_;
    engine::ShaderLibrary shaders_;
    FluidSimulator simulator_;
    std::unique_ptr<ScenePicture> picture_;  ///< nullptr: no pictures
    Legend legend_;
    gpu::ViewLimits limits_{};           ///< of the frame that is being read back
    engine::Recorder recorder_;          // its destructor waits for frames that use all of the above
    std::deque<bool> submits_;           ///< submits whose times are pending: true if the submit contains a step
    std::optional<PathPictures> paths_;  ///< in path mode
    Progress progress_;
};

}  // namespace wisp::app
