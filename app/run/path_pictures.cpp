// SPDX-License-Identifier: MIT
#include "app/run/path_pictures.h"

#include <fmt/format.h>

#include <algorithm>

namespace wisp::app {

void PathPictures::add(const FetchedPicture& picture) {
    const PathProgress& path = picture.path;
    fewest_ = std::min(fewest_, path.samples);
    most_ = std::max(most_, path.samples);
    noise_ = std::max(noise_, path.noise);
    cut_ += path.cut;
    all_ += static_cast<double>(path.samples) * picture.width * picture.height;
}

std::string PathPictures::summary() const {
    const std::string samples = fewest_ == most_ ? fmt::format("{}", most_) : fmt::format("{} to {}", fewest_, most_);
    return fmt::format("{} samples per pixel, noise of smoke and bodies at most {:.3g} %", samples, 100.0 * noise_);
}

std::string PathPictures::warning() const {
    if (cut_ == 0.0) return {};
    return fmt::format("warning: {:.0f} of {:.0f} samples were terminated after {} steps and are too dark", cut_, all_,
                       PathProgress::mostSteps);
}

}  // namespace wisp::app
