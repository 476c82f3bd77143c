// SPDX-License-Identifier: MIT
#pragma once

#include "app/base/log.h"
#include "app/output/frame_queue.h"
#include "app/output/legend.h"
#include "app/run/stage.h"
#include "engine/recorder.h"

#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <string>

namespace wisp::app {

/// When a video's frames are due: at a steady rate of simulated time, whatever the window's pictures do. The first is due at once.
class VideoPace {
public:
    static constexpr double kRate = 60.0;  ///< frames of the video a second

    /// The simulation is at `time` [s], which a video shows `speed` times as fast; returns how many frames are due.
    std::uint32_t advance(double time, double speed);
    /// Steps of `dt` [s] until the next frame is due, at least one.
    [[nodiscard]] std::uint32_t stepsToNext(double dt, double speed) const;

private:
    std::optional<double> last_;
    double waited_ = 1.0;  ///< frames of simulated time since the last one
};

/// A video of the window's picture, without panels: an .mp4 in the current folder beside earlier ones. Pictures come back from the
/// GPU two of them late and are encoded elsewhere, so that the window waits for neither while they keep up.
class VideoRecording {
public:
    VideoRecording(engine::Device& device, const Log& log) : device_(device), log_(log) {}
    ~VideoRecording();

    // Both return what to tell the user; empty: nothing.
    std::string start(Stage& stage);
    std::string stop();

    [[nodiscard]] bool recording() const { return frames_ != nullptr; }
    [[nodiscard]] double seconds() const { return static_cast<double>(taken_) / VideoPace::kRate; }  ///< of the video until now
    /// Steps that the simulation may take until it is to be seen; without a limit if none is recorded.
    [[nodiscard]] std::uint32_t stepsToFrame(double dt, double speed) const;
    /// Takes the stage's picture, which has been submitted, if it is due. Returns what to tell the user.
    std::string take(Stage& stage, double speed);
    /// What has come of the last video, once it is written; empty: nothing new.
    std::string told();
    /// Ends what is under way and waits until it is written. Returns what there is to say.
    std::string finish();
    /// The same where the GPU can no longer be asked: of what had come back from it.
    std::string rescue();
    /// A red dot with the video's time, into the current ImGui frame, in the middle of the picture, which is at `x`.
    void drawMark(float x) const;

private:
    void updateLegend(const Settings& settings);
    std::string failed(const std::string& reason);  ///< drops what there is

    engine::Device& device_;
    const Log& log_;
    std::filesystem::path path_;
    std::unique_ptr<FrameQueue> frames_;
    std::unique_ptr<engine::Recorder> reader_;
    std::future<std::string> writing_;  ///< the last video's end
    VideoPace pace_;
    std::shared_ptr<const Legend> legend_;  ///< of view_ and grid_
    ViewSettings view_;
    GridSettings grid_;
    gpu::ViewLimits limits_{};  ///< of the frame that is being delivered
    glm::uvec2 size_{0};
    std::uint64_t taken_ = 0;
};

}  // namespace wisp::app
