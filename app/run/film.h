// SPDX-License-Identifier: MIT
#pragma once

#include "app/base/progress.h"
#include "app/output/background.h"
#include "app/output/image_sequence.h"
#include "app/output/legend.h"
#include "app/output/probe_files.h"
#include "app/output/step_log.h"
#include "app/output/trace.h"
#include "app/output/video.h"
#include "app/output/volume_pattern.h"
#include "app/run/options.h"
#include "app/run/path_pictures.h"
#include "app/run/run_start.h"
#include "files/base/frame_queue.h"
#include "wisp/renderer.h"
#include "wisp/simulation.h"
#include "wisp/volume_writer.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wisp::app {

/// Renders one film and owns all objects needed for it.
class Film {
public:
    Film(const RenderOptions& options, const RunStart& start, const SimulationOptions& simulation, Device& device, const Log& log);
    void make();
    [[nodiscard]] FilmEnd end();  ///< after make()

private:
    [[nodiscard]] Simulation makeSimulation(const SimulationOptions& options);
    void listen();
    void makeFrame(bool& whole);
    [[nodiscard]] bool wanted() const;
    [[nodiscard]] std::string output() const;
    void makeSteps();
    void finishStep(bool last);
    void showSteps();
    bool takePicture();
    void receive(std::size_t number, const FetchedPicture& picture);
    void writeVolume();
    void measure();
    void measured(std::uint64_t step, const Quality& quality);
    void timed(const SubmitTimes& times);
    void logTimes(const SubmitTimes& times);
    void settle();
    void keep();
    void reportNoCheckpoint() const;
    [[nodiscard]] std::string lastCheckpoint() const;
    void finish();
    void complete();
    [[nodiscard]] bool keeps() const { return !options_.checkpoint.empty() || options_.writesCache(); }
    [[nodiscard]] bool checkpointDue() const;
    [[nodiscard]] std::filesystem::path checkpointFile() const;  ///< of a checkpoint that is written now
    [[nodiscard]] bool traced() const { return samples_ > 0; }
    /// Frames of the list that this run has finished: their number of files, if it writes any.
    [[nodiscard]] std::size_t written() const {
        if (frames_) return frames_->pushed();
        return volumes_ ? volumeCount_ : options_.frames.from(first_).size() - options_.frames.from(frame_).size();
    }
    /// Frames whose samples are all in pictures, in units of samples; of a run without path mode, frames whose steps are made.
    [[nodiscard]] std::size_t passed() const { return traced() ? listed_ * samples_ : frame_ - first_; }
    void requireFinite() const;
    void reloadShaders();

    const RenderOptions& options_;
    const RunStart& start_;
    const Log& log_;
    Device& device_;
    std::uint32_t stepsPerFrame_;
    std::uint32_t samples_;  ///< most samples of a pixel; 0: not path-traced
    std::optional<TraceFile> trace_;
    std::size_t first_;       ///< number of the first frame of this run
    std::size_t frame_;       ///< number of the current frame
    std::size_t listed_ = 0;  ///< frames of options.frames that are done
    std::size_t drawn_ = 0;   ///< those of them that this run has drawn
    PictureContent content_;
    std::unique_ptr<FrameQueue> frames_;    ///< nullptr: no pictures
    std::optional<Background> background_;  ///< instead of the environment
    std::optional<StepLog> stats_;
    std::optional<std::vector<PassTime>> passes_;         ///< of the last step whose times have arrived, and of what followed it
    std::pair<std::uint64_t, double> stepTimes_{0, 0.0};  ///< number and sum [ms] of the GPU times of steps
    std::array<float, 4> range_{};                        ///< of the last picture, and its time [s]
    double pictureTime_ = 0.0;
    std::optional<ProbeFiles> probes_;
    std::optional<FramePattern> volumeNames_;
    std::size_t volumeCount_ = 0;
    std::uint64_t stepsOfFrame_ = 0;
    std::pair<std::uint64_t, std::size_t> kept_{0, 0};  ///< numbers of steps and images at the last checkpoint
    bool keptOwn_ = false;                              ///< true if this run wrote it
    std::uint64_t capacity_ = 0;                        ///< of particles
    bool warned_ = false;                               ///< qualityWarning was shown
    std::optional<std::uint64_t> badStep_;              ///< first step with NaN or infinity
    std::string badField_;
    PathPictures paths_;
    Progress progress_;
    Simulation simulation_;             // what it has not delivered yet uses the above
    std::optional<Renderer> renderer_;  ///< none: no pictures
    std::optional<Legend> legend_;
    std::optional<VolumeWriter> volumes_;
};

}  // namespace wisp::app
