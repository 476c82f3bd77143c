// SPDX-License-Identifier: MIT
#include "app/live/video_recording.h"

#include "api/field_legend.h"
#include "app/live/output.h"
#include "app/output/video.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace wisp::app {
namespace {

constexpr double kLeastSpeed = 0.01;  // at playback speed 0 the user may still make single steps

/// Completes the file; returns a message for the user.
std::string complete(FrameQueue& frames, const std::filesystem::path& path) {
    try {
        frames.finish();
        return frames.pushed() == 0
                   ? ""
                   : fmt::format("wrote {}: {:.1f} s", path.string(), static_cast<double>(frames.pushed()) / VideoPace::kRate);
    } catch (const Failure& e) {
        return fmt::format("cannot write the video: {}", e.what());
    }
}

}  // namespace

std::uint32_t VideoPace::advance(double time, double speed) {
    const double passed = std::max(time - last_.value_or(time), 0.0);  // negative after a reset
    last_ = time;
    waited_ += passed * kRate / std::max(speed, kLeastSpeed);
    const double due = std::floor(waited_ + 1e-6);
    waited_ -= due;
    return static_cast<std::uint32_t>(due);
}

std::uint32_t VideoPace::stepsToNext(double dt, double speed) const {
    const double frames = std::max(1.0 - waited_, 0.0), steps = frames * std::max(speed, kLeastSpeed) / (kRate * dt);
    return static_cast<std::uint32_t>(std::clamp(std::ceil(steps - 1e-6), 1.0, 1e6));
}

VideoRecording::~VideoRecording() {
    reader_.reset();  // its frames are dropped
    frames_.reset();
}

std::string VideoRecording::start(SceneSession& session) {
    if (recording() || !session.hasPicture()) return "";
    if (writing_.valid()) writing_.wait();  // its file must exist before a free name is chosen
    const std::string before = told();
    size_ = session.settings.render.size;
    path_ = freePath(session.settings.name, ".mp4");
    try {
        frames_ = std::make_unique<FrameQueue>(
            std::make_unique<Video>(OutputRequest{.out = path_, .size = size_, .fps = VideoPace::kRate, .instead = false}, log_));
        reader_ = std::make_unique<engine::Recorder>(
            device_, session.shaders(),
            engine::RecorderOptions{.timing = engine::Timing::Off, .readbackBytes = session.picture().display().bytes() + kLimitsBytes});
    } catch (const std::exception& e) {  // for example ffmpeg is missing, or memory
        return failed(e.what());
    }
    pace_ = {};
    taken_ = 0;
    legend_.reset();
    return before;
}

std::string VideoRecording::failed(const std::string& reason) {
    reader_.reset();
    frames_.reset();
    log_.error("cannot write the video: " + reason);
    return "cannot write the video: " + reason;
}

std::string VideoRecording::stop() {
    if (!recording()) return "";
    try {
        reader_->finish();
    } catch (const Failure& e) {
        return failed(e.what());
    }
    reader_.reset();
    writing_ = std::async(std::launch::async,
                          [frames = std::shared_ptr<FrameQueue>(std::move(frames_)), path = path_] { return complete(*frames, path); });
    return fmt::format("writing {}", path_.string());
}

std::uint32_t VideoRecording::stepsToFrame(double dt, double speed) const {
    return recording() ? pace_.stepsToNext(dt, speed) : std::numeric_limits<std::uint32_t>::max();
}

/// Updates the legend only if the view has changed, because loading its font is slow.
void VideoRecording::updateLegend(const Settings& settings) {
    if (legend_ && view_ == settings.view && grid_ == settings.grid) return;
    legend_ = std::make_shared<Legend>(legendOf(settings), settings.render.size);
    view_ = settings.view;
    grid_ = settings.grid;
}

std::string VideoRecording::take(SceneSession& session, double speed) {
    if (!recording()) return "";
    if (session.settings.render.size != size_) return fmt::format("recording stopped because the image size has changed; {}", stop());
    const std::uint32_t due = pace_.advance(session.simulator().time(), speed);
    if (due == 0) return "";
    try {
        updateLegend(session.settings);
        reader_->begin();
        if (const engine::Buffer* found = session.picture().limits())
            reader_->read(*found, [this](std::span<const std::byte> bytes) { std::memcpy(&limits_, bytes.data(), sizeof limits_); });
        reader_->read(session.picture().display(),
                      [this, due, legend = legend_, time = session.simulator().time()](std::span<const std::byte> bytes) {
                          std::vector<std::byte> pixels(bytes.begin(), bytes.end());
                          legend->draw(pixels, {limits_.low, limits_.high, limits_.largest, limits_.speed}, time);
                          for (std::uint32_t i = 0; i < due; ++i) frames_->push(pixels);
                      });
        reader_->submit();
        taken_ += due;
        return "";
    } catch (const Failure& e) {
        return failed(e.what());
    }
}

std::string VideoRecording::told() {
    const bool ready = writing_.valid() && writing_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    return ready ? writing_.get() : "";
}

std::string VideoRecording::finish() {
    const std::string problem = stop();
    return writing_.valid() ? writing_.get() : problem;
}

std::string VideoRecording::rescue() {
    reader_.reset();
    if (const std::unique_ptr<FrameQueue> frames = std::move(frames_)) return complete(*frames, path_);
    return writing_.valid() ? writing_.get() : "";
}

void VideoRecording::drawSplat(float x) const {
    if (!recording()) return;
    const auto whole = static_cast<int>(seconds());
    const std::string text = fmt::format("{}:{:02}", whole / 60, whole % 60);
    const float size = ImGui::GetFontSize(), width = ImGui::CalcTextSize(text.c_str()).x;
    const ImVec2 at{x - 0.5f * width, size};
    ImDrawList& list = *ImGui::GetForegroundDrawList();
    list.AddRectFilled({at.x - 1.7f * size, at.y - 0.4f * size}, {at.x + width + 0.6f * size, at.y + 1.4f * size}, IM_COL32(0, 0, 0, 150),
                       0.4f * size);
    list.AddCircleFilled({at.x - 0.8f * size, at.y + 0.5f * size}, 0.4f * size, IM_COL32(235, 50, 45, 255));
    list.AddText(at, IM_COL32(255, 255, 255, 255), text.c_str());
}

}  // namespace wisp::app
