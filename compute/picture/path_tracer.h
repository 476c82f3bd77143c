// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "engine/recorder.h"

#include <functional>
#include <span>

namespace wisp {

/// Push constants of path_measure.
struct PathMeasurePush {
    glm::ivec3 pixels;
    int metOnly;  ///< 1: of pixels that are not empty
};
WISP_MEMBERS(PathMeasurePush, pixels, metOnly)

/// How far a path-traced picture is.
struct PathReport {
    std::uint32_t samples = 0;  ///< of each pixel
    double luminance = 0.0;     ///< mean of the picture [W/(m^2 sr)], Rec. 709
    double error = 0.0;         ///< standard error of `luminance` over it; infinite for one sample, 0 for a black picture
    double noise = 0.0;  ///< of the pixels in which a camera ray met something: rms of a pixel's standard error over their mean luminance;
                         ///< like `error` else
    double segments = 0.0;  ///< free flights of all samples together, shadow rays not counted
    double cut = 0.0;       ///< samples that were cut short at WISP_PATH_STEPS: they lack light
};

/// Path tracing of the smoke, one sample a pixel at a time: the mean of the samples so far and what is needed for its error.
/// Sample i of a pixel depends on i, the pixel, the seed and the picture's number alone.
class PathTracer {
public:
    PathTracer(engine::Device& device, const Settings& settings);

    /// Forgets all samples. `picture` makes the noise of one picture differ from that of the next.
    void restart(std::uint64_t picture);
    /// Uploads the table by which paths look for the surroundings; before the first sample. @param chances of the map's texels, or none
    void setEnvironment(engine::Recorder& rec, std::span<const double> chances) const;
    /// Records one more sample of each pixel; with the common bindings of VolumeRenderer::draw.
    void sample(engine::Recorder& rec, const engine::Image& occupancy);
    /// Records the mean as a picture, and the depth.
    void resolve(engine::Recorder& rec, const engine::Image& radiance, const engine::Image& depth) const;
    /// Records the reduction of the samples so far; `deliver` is called once the frame has run.
    void measure(engine::Recorder& rec, std::function<void(const PathReport&)> deliver) const;

    [[nodiscard]] std::uint32_t samples() const { return samples_; }
    /// rgb mean radiance, a mean of 1 where the camera's ray met something; float.
    [[nodiscard]] const engine::Image& mean() const { return mean_; }
    /// r sum of squared deviations of the luminance from its mean, g path segments, b samples cut short, a mean depth.
    [[nodiscard]] const engine::Image& spread() const { return spread_; }

private:
    RenderSettings render_;
    std::uint32_t seed_;
    std::uint32_t pictureSeed_ = 0;
    std::uint32_t samples_ = 0;
    engine::Image mean_, spread_;
    engine::Buffer partials_, record_, metRecord_;
    engine::Buffer alias_;  ///< gpu::AliasEntry for each texel of the surroundings, or one that nobody reads
};

}  // namespace wisp
