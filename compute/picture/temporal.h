// SPDX-License-Identifier: MIT
#pragma once

#include "engine/recorder.h"
#include "shaders/shared/view.h"

#include <array>
#include <cstdint>

namespace wisp {

/// The state that temporal accumulation resumes from, besides TemporalMean::mean and known.
struct TemporalState {
    std::uint64_t pictures = 0;                                 ///< number of frames so far
    glm::vec3 eye{0.0f}, right{0.0f}, up{0.0f}, forward{0.0f};  ///< camera of the last frame, as in gpu::ViewData
};

/// Temporal accumulation: the mean of frames with different noise, reprojected where the camera has moved (shaders/picture/temporal.comp).
/// The result depends only on the frames since the last restart().
class TemporalMean {
public:
    TemporalMean(engine::Device& device, glm::uvec2 pixels);

    /// Discards the history, for a next frame that shows another scene or another view.
    void restart();
    [[nodiscard]] TemporalState state() const;
    /// Resumes from a state. The caller uploads the contents of mean() and known().
    void resume(const TemporalState& state);
    /// Of the last frame: the mean, and its depth with the number of frames in the mean.
    [[nodiscard]] const engine::Image& mean() const { return means_[1 - pictures_ % 2]; }
    [[nodiscard]] const engine::Image& known() const { return known_[1 - pictures_ % 2]; }

    /// Shift of the noise of the next frame, from 0 to 1: multiples of the golden ratio, which fill this interval evenly.
    [[nodiscard]] float noiseShift() const;
    /// The image that the next frame is drawn into.
    [[nodiscard]] const engine::Image& picture() const { return picture_; }
    /// Records the mean of that frame and the history into `radiance`. `view`: camera of the frame.
    void add(engine::Recorder& rec, const gpu::ViewData& view, const engine::Image& depth, const engine::Image& radiance);

private:
    engine::Image picture_;
    std::array<engine::Image, 2> means_, known_;  ///< of the last two frames, alternating
    gpu::ViewData last_{};
    std::uint64_t pictures_ = 0;
};

}  // namespace wisp
