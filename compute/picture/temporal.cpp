// SPDX-License-Identifier: MIT
#include "compute/picture/temporal.h"

#include "shaders/shared/temporal.h"

#include <cmath>

namespace wisp {

TemporalMean::TemporalMean(engine::Device& device, glm::uvec2 pixels) {
    const auto image = [&](const char* name, VkFormat format) {
        return engine::Image(device, {.name = name, .size = {pixels, 1}, .format = format, .flat = true});
    };
    picture_ = image("radiance of one picture", VK_FORMAT_R16G16B16A16_SFLOAT);
    for (engine::Image& mean : means_)
        mean = image("temporal mean", VK_FORMAT_R32G32B32A32_SFLOAT);  // halves would lose increments of 1/8 of their last place
    for (engine::Image& known : known_) known = image("temporal depth", VK_FORMAT_R32G32_SFLOAT);
}

void TemporalMean::restart() { pictures_ = 0; }

TemporalState TemporalMean::state() const {
    return {.pictures = pictures_, .eye = last_.eye, .right = last_.right, .up = last_.up, .forward = last_.forward};
}

void TemporalMean::resume(const TemporalState& s) {
    pictures_ = s.pictures;
    last_.eye = s.eye;
    last_.right = s.right;
    last_.up = s.up;
    last_.forward = s.forward;
}

float TemporalMean::noiseShift() const {
    const double shift = 0.61803398874989485 * static_cast<double>(pictures_);
    return static_cast<float>(shift - std::floor(shift));
}

void TemporalMean::add(engine::Recorder& rec, const gpu::ViewData& view, const engine::Image& depth, const engine::Image& radiance) {
    const std::size_t now = pictures_ % 2, before = 1 - now;
    const gpu::TemporalPush push{
        .eye = last_.eye, .right = last_.right, .up = last_.up, .forward = last_.forward, .first = pictures_ == 0 ? 1 : 0};
    rec.dispatch("temporal", radiance.size(),
                 {{"picture", picture_},
                  {"depth", depth},
                  {"meanIn", means_[before]},
                  {"knownIn", known_[before]},
                  {"meanOut", means_[now]},
                  {"knownOut", known_[now]},
                  {"radiance", radiance}},
                 push);
    last_ = view;
    ++pictures_;
}

}  // namespace wisp
