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
    int metOnly;  ///< 1: only pixels whose camera rays hit something
};
WISP_MEMBERS(PathMeasurePush, pixels, metOnly)

/// Progress of a path-traced picture.
struct PathReport {
    std::uint32_t samples = 0;  ///< per pixel
    double luminance = 0.0;     ///< mean of the picture [W/(m^2 sr)], Rec. 709
    double error = 0.0;         ///< relative standard error of `luminance`; infinite for one sample, 0 for a black picture
    /// Of the pixels in which a camera ray hit something: rms of a pixel's standard error over their mean luminance. Infinite or 0
    /// in the same cases as `error`.
    double noise = 0.0;
    double segments = 0.0;  ///< number of free flights of all samples, without shadow rays
    double cut = 0.0;       ///< number of samples cut short at WISP_PATH_STEPS, which lack light
};

/// Path tracer of the smoke, which takes one sample per pixel at a time. It keeps the mean of the samples so far and the data for its
/// error. Sample i of a pixel depends only on i, the pixel, the seed and the picture's number.
class PathTracer {
public:
    /// `bricks`: of the occupancy grid.
    PathTracer(engine::Device& device, const Settings& settings, glm::uvec3 bricks);

    /// Discards all samples. `seed`: of the scene. `picture`: number that makes the noise of each picture different.
    void restart(std::uint32_t seed, std::uint64_t picture);
    /// Uploads the table for sampling the environment. Call it before the first sample.
    /// @param chances probabilities of the map's texels, or empty
    void setEnvironment(engine::Recorder& rec, std::span<const double> chances) const;
    /// Records where flames are, once before the first sample(), in scenes with fuel.
    void findFlames(engine::Recorder& rec, const engine::Image& occupancy) const;
    /// Records one more sample of each pixel. Needs the common bindings of VolumeRenderer::draw.
    void sample(engine::Recorder& rec, const engine::Image& occupancy, bool transparent = false);
    /// Records the mean as a picture, and the depth.
    void resolve(engine::Recorder& rec, const engine::Image& radiance, const engine::Image& depth) const;
    /// Records the reduction of the samples so far; `deliver` is called once the frame has run.
    void measure(engine::Recorder& rec, std::function<void(const PathReport&)> deliver) const;

    [[nodiscard]] std::uint32_t samples() const { return samples_; }
    /// rgb = mean radiance, a = share of camera rays that hit something; float.
    [[nodiscard]] const engine::Image& mean() const { return mean_; }
    /// r = sum of squared deviations of the luminance from its mean, g = path segments, b = samples cut short, a = mean depth.
    [[nodiscard]] const engine::Image& spread() const { return spread_; }

private:
    RenderSettings render_;
    std::uint32_t pictureSeed_ = 0;
    std::uint32_t samples_ = 0;
    engine::Image mean_, spread_;
    engine::Buffer partials_, record_, metRecord_;
    engine::Buffer flames_;  ///< running sums of the light that bricks send out; 4 bytes that are not read in scenes without fuel
    engine::Buffer alias_;   ///< a gpu::AliasEntry per texel of the environment, or one that is not read
};

}  // namespace wisp
