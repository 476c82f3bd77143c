// SPDX-License-Identifier: MIT
#pragma once

#include "compute/picture/volume_renderer.h"

#include <functional>
#include <string>

namespace wisp::app {

/// Path-traces a film's pictures: samples until each has enough, or until its noise is low enough.
class PathPictures {
public:
    /// `submit` ends a frame of `recorder` that holds samples only.
    PathPictures(engine::Recorder& recorder, VolumeRenderer& renderer, const RenderSettings& render, std::function<void()> submit);

    /// Traces picture number `picture`; `advance` gets the samples so far. Returns in a frame of the recorder that has begun, for
    /// the picture to be read in. False if interrupted; then no frame has begun.
    bool trace(const Fields& fields, std::uint64_t picture, const std::function<void(std::uint32_t)>& advance);

    /// Samples and strongest noise of the pictures so far; once the recorder has finished.
    [[nodiscard]] std::string summary() const;
    /// Of samples that were cut short; empty if there were none.
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
