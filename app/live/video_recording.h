// SPDX-License-Identifier: MIT
#pragma once

#include "app/base/log.h"
#include "app/live/scene_session.h"
#include "app/output/legend.h"
#include "files/base/frame_queue.h"

#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <string>

namespace wisp::app {

/// Timing of video frames: a constant rate in simulated time, independent of the frame rate of the window. The first frame is due at once.
class VideoPace {
public:
    static constexpr double kRate = 60.0;  ///< frames of the video a second

    /// Returns the number of frames that are due at simulation time `time` [s]. `speed`: simulated seconds per second of video.
    std::uint32_t advance(double time, double speed);
    /// Steps of `dt` [s] until the next frame is due, at least 1.
    [[nodiscard]] std::uint32_t stepsToNext(double dt, double speed) const;

private:
    std::optional<double> last_;
    double waited_ = 1.0;  ///< simulated time since the last frame [frames]
};

/// Records a video of the window without panels, as a new .mp4 file in the current folder. Images are read back two frames late and encoded
/// in the background, so the window does not wait unless the encoder is too slow.
class VideoRecording {
public:
    explicit VideoRecording(const Log& log) : log_(log) {}

    // Both return a message for the user; may be empty.
    std::string start(SceneSession& session);
    /// `session`: the one whose pictures were taken.
    std::string stop(SceneSession& session);

    [[nodiscard]] bool recording() const { return frames_ != nullptr; }
    [[nodiscard]] double seconds() const { return static_cast<double>(taken_) / VideoPace::kRate; }  ///< length of the video so far
    /// Maximum number of steps until the next video frame is due; no limit if nothing is recorded.
    [[nodiscard]] std::uint32_t stepsToFrame(double dt, double speed) const;
    /// Adds the submitted image of the stage to the video if a frame is due. Returns a message for the user.
    std::string take(SceneSession& session, double speed);
    /// Result of the last video, once, when its file is complete; otherwise empty.
    std::string told();
    /// Stops the recording and waits until the file is complete. Returns a message for the user.
    std::string finish(SceneSession& session);
    /// finish() without the GPU, after a device loss: the video has the images that were already read back.
    std::string rescue();
    /// Draws a red dot with the length of the video into the current ImGui frame, centred at `x`.
    void drawSplat(float x) const;

private:
    void updateLegend(SceneSession& session);
    std::string failed(const std::string& reason);  ///< discards the video; returns the message

    const Log& log_;
    std::filesystem::path path_;
    std::shared_ptr<FrameQueue> frames_;
    std::shared_ptr<std::string> problem_;  ///< why a picture that arrived could not be written; empty: none
    std::future<std::string> writing_;      ///< completion of the last video
    VideoPace pace_;
    std::shared_ptr<const Legend> legend_;  ///< for view_ and grid_
    ViewSettings view_;
    GridSettings grid_;
    glm::uvec2 size_{0};
    std::uint64_t taken_ = 0;
};

}  // namespace wisp::app
