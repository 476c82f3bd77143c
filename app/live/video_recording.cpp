// SPDX-License-Identifier: MIT
#include "app/live/video_recording.h"

#include "app/live/output.h"
#include "app/output/video.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cmath>
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

std::string VideoRecording::start(SceneSession& session) {
    if (recording() || !session.hasPicture()) return "";
    if (writing_.valid()) writing_.wait();  // its file must exist before a free name is chosen
    const std::string before = told();
    size_ = session.settings.render.size;
    path_ = freePath(session.settings.name, ".mp4");
    try {
        frames_ = std::make_shared<FrameQueue>(
            std::make_unique<Video>(OutputRequest{.out = path_, .size = size_, .fps = VideoPace::kRate, .instead = false}, log_));
    } catch (const std::exception& e) {  // for example ffmpeg is missing
        return failed(e.what());
    }
    problem_ = std::make_shared<std::string>();
    pace_ = {};
    taken_ = 0;
    legend_.reset();
    return before;
}

std::string VideoRecording::failed(const std::string& reason) {
    frames_.reset();
    log_.error("cannot write the video: " + reason);
    return "cannot write the video: " + reason;
}

std::string VideoRecording::stop(SceneSession& session) {
    if (!recording()) return "";
    session.renderer().flush();
    if (!problem_->empty()) return failed(*problem_);
    writing_ = std::async(std::launch::async, [frames = std::move(frames_), path = path_] { return complete(*frames, path); });
    return fmt::format("writing {}", path_.string());
}

std::uint32_t VideoRecording::stepsToFrame(double dt, double speed) const {
    return recording() ? pace_.stepsToNext(dt, speed) : std::numeric_limits<std::uint32_t>::max();
}

/// Updates the legend only if the view has changed, because loading its font is slow.
void VideoRecording::updateLegend(SceneSession& session) {
    const Settings& settings = session.settings;
    if (legend_ && view_ == settings.view && grid_ == settings.grid) return;
    legend_ = std::make_shared<Legend>(session.renderer().legend(), size_);
    view_ = settings.view;
    grid_ = settings.grid;
}

std::string VideoRecording::take(SceneSession& session, double speed) {
    if (!recording()) return "";
    if (session.settings.render.size != size_)
        return fmt::format("recording stopped because the image size has changed; {}", stop(session));
    const std::uint32_t due = pace_.advance(session.simulation().time(), speed);
    if (due == 0) return "";
    updateLegend(session);
    // Weak: pictures that arrive after the end of the video are dropped.
    const auto deliver = [due, legend = legend_, frames = std::weak_ptr(frames_), problem = problem_](const FetchedPicture& picture) {
        const std::shared_ptr<FrameQueue> to = frames.lock();
        if (!to) return;
        std::vector<std::byte> pixels(picture.data, picture.data + picture.bytes);
        legend->draw(pixels, picture.range, picture.time);
        try {
            for (std::uint32_t i = 0; i < due; ++i) to->push(pixels);
        } catch (const Failure& e) {
            *problem = e.what();
        }
    };
    try {
        session.renderer().fetch(PictureContent::Display, deliver);
    } catch (const Error& e) {  // the first picture takes memory
        if (e.code() != ErrorCode::OutOfMemory) throw;
        return failed(e.what());
    }
    taken_ += due;
    return problem_->empty() ? "" : failed(*problem_);
}

std::string VideoRecording::told() {
    const bool ready = writing_.valid() && writing_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    return ready ? writing_.get() : "";
}

std::string VideoRecording::finish(SceneSession& session) {
    const std::string problem = stop(session);
    return writing_.valid() ? writing_.get() : problem;
}

std::string VideoRecording::rescue() {
    if (const std::shared_ptr<FrameQueue> frames = std::move(frames_)) return complete(*frames, path_);
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
