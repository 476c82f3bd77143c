// SPDX-License-Identifier: MIT
#include "app/run/path_pictures.h"

#include "app/base/interrupt.h"
#include "shaders/shared/path.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace wisp::app {
namespace {

constexpr std::uint32_t kFewest = 16;  // a noise estimate from fewer samples may be far too small

/// About a million paths per submit, so that small images keep the GPU busy and large ones react to an interrupt.
std::uint32_t samplesPerSubmit(glm::uvec2 size) { return std::clamp((1u << 20) / (size.x * size.y), 1u, kFewest); }

}  // namespace

PathPictures::PathPictures(engine::Recorder& recorder, VolumeRenderer& renderer, const RenderSettings& render, std::function<void()> submit)
    : recorder_(recorder), renderer_(renderer), render_(render), submit_(std::move(submit)) {}

bool PathPictures::trace(const Fields& fields, std::uint64_t picture, const std::function<void(std::uint32_t)>& advance) {
    renderer_.restart(picture);
    // The report of two submits ago. Shared, because reports that arrive after the loop still write to it.
    const auto latest = std::make_shared<PathReport>();
    const PathTracer& path = *renderer_.path();
    for (recorder_.begin(); !enough(*latest); recorder_.begin()) {
        renderer_.draw(recorder_, fields, std::min(samplesPerSubmit(render_.size), render_.samples - path.samples()));
        path.measure(recorder_, [latest](const PathReport& report) { *latest = report; });
        submit_();
        advance(path.samples());
        if (interrupted()) return false;
    }
    path.measure(recorder_, [this](const PathReport& report) { take(report); });
    return true;
}

bool PathPictures::enough(const PathReport& latest) const {
    return renderer_.path()->samples() >= render_.samples ||
           (latest.samples >= kFewest && latest.noise <= static_cast<double>(render_.error));
}

void PathPictures::take(const PathReport& report) {
    fewest_ = std::min(fewest_, report.samples);
    most_ = std::max(most_, report.samples);
    noise_ = std::max(noise_, report.noise);
    cut_ += report.cut;
    all_ += static_cast<double>(report.samples) * render_.size.x * render_.size.y;
}

std::string PathPictures::summary() const {
    const std::string samples = fewest_ == most_ ? fmt::format("{}", most_) : fmt::format("{} to {}", fewest_, most_);
    return fmt::format("{} samples per pixel, noise of smoke and bodies at most {:.3g} %", samples, 100.0 * noise_);
}

std::string PathPictures::warning() const {
    if (cut_ == 0.0) return {};
    return fmt::format("warning: {:.0f} of {:.0f} samples were terminated after {} steps and are too dark", cut_, all_, WISP_PATH_STEPS);
}

}  // namespace wisp::app
