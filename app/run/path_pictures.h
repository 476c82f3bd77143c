// SPDX-License-Identifier: MIT
#pragma once

#include "compute/picture/volume_renderer.h"

#include <functional>
#include <string>

namespace wisp::app {

/// Path-traces the images of a film. Each image is sampled until it has enough samples or its noise is low enough.
class PathPictures {
public:
    /// `submit` ends a frame of `recorder` that contains only samples.
    PathPictures(engine::Recorder& recorder, VolumeRenderer& renderer, const RenderSettings& render, std::function<void()> submit);

    /// Traces image number `picture`. `advance` receives the number of samples so far. On return true, the recorder has begun a frame in
    /// which the image can be read back. Returns false if interrupted. Then no frame has begun.
    bool trace(const Fields& fields, std::uint64_t picture, const std::function<void(std::uint32_t)>& advance);

    /// Number of samples and maximum noise of the images so far. Call after the recorder has finished.
    [[nodiscard]] std::string summary() const;
    /// A warning if samples were terminated early. Otherwise empty.
    [[nodiscard]] std::string warning() const;

private:
    [[nodiscard]] bool enough(const PathReport& latest) const;
    void take(const PathReport& report);

    engine::Recorder& recorder_;
    VolumeRenderer& renderer_;
    RenderSettings render_;
    std::function<void()> submit_;
    std::uint32_t fewest_ = ~0u, most_ = 0;
    double noise_ = 0.0, cut_ = 0.0, all_ = 0.0;
};

}  // namespace wisp::app
