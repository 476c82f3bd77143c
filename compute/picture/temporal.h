// SPDX-License-Identifier: MIT
#pragma once

#include "engine/recorder.h"
#include "shaders/shared/view.h"

#include <array>
#include <cstdint>

namespace wisp {

/// What a mean goes on from, besides TemporalMean::mean and known.
struct TemporalState {
    std::uint64_t pictures = 0;                                 ///< so far
    glm::vec3 eye{0.0f}, right{0.0f}, up{0.0f}, forward{0.0f};  ///< camera of the last, as in gpu::ViewData
};

/// The mean of pictures whose noise differs, found again where the camera has moved (shaders/picture/temporal.comp). Its pictures depend
/// on all since the last restart(), and on nothing else.
class TemporalMean {
public:
    TemporalMean(engine::Device& device, glm::uvec2 pixels);

    /// Forgets all pictures: the next one is another scene, or seen from elsewhere.
    void restart();
    [[nodiscard]] TemporalState state() const;
    /// Goes on from there with what the caller uploads to mean() and known().
    void resume(const TemporalState& state);
    /// Of the last picture: the mean, and what the next one needs to know of its depth.
    [[nodiscard]] const engine::Image& mean() const { return means_[1 - pictures_ % 2]; }
    [[nodiscard]] const engine::Image& known() const { return known_[1 - pictures_ % 2]; }

    /// What the noise of the next picture is shifted by, from 0 to 1: multiples of the golden ratio, which fill that evenly.
    [[nodiscard]] float noiseShift() const;
    /// What the next picture is drawn into.
    [[nodiscard]] const engine::Image& picture() const { return picture_; }
    /// Records its mean with those before into `radiance`. `view` is its camera.
    void add(engine::Recorder& rec, const gpu::ViewData& view, const engine::Image& depth, const engine::Image& radiance);

private:
    engine::Image picture_;
    std::array<engine::Image, 2> means_, known_;  ///< of the last picture and of the one before, by turns
    gpu::ViewData last_{};
    std::uint64_t pictures_ = 0;
};

}  // namespace wisp
