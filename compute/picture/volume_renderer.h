// SPDX-License-Identifier: MIT
#pragma once

#include "compute/picture/light_volumes.h"
#include "compute/picture/path_tracer.h"
#include "compute/picture/scattered_light.h"
#include "compute/picture/splats.h"
#include "compute/picture/surface_picture.h"
#include "compute/picture/temporal.h"
#include "compute/scene/settings.h"
#include "compute/sim/fields.h"
#include "engine/recorder.h"

#include <array>
#include <memory>
#include <optional>

namespace wisp {

/// The picture of a simulation: occupancy of bricks; light volumes and raymarch (or a surface), with a mean over pictures if wanted, or
/// path tracing; tone map.
class VolumeRenderer {
public:
    /// Allocates light volumes and images (or plans them). @throws std::invalid_argument naming the first bad key.
    VolumeRenderer(engine::Device& device, const Settings& settings);

    /// Records one picture of `fields` into radiance(), depth() and display(). In path mode it is the mean of all samples since the last
    /// restart(), to which this adds so many.
    /// If `sameSmoke`, nothing but the camera has changed since the last draw(): where light reaches is known.
    void draw(engine::Recorder& rec, const Fields& fields, std::uint32_t samples = 1, bool sameSmoke = false);

    /// The next picture has nothing to do with those before: it begins a mean of its own (path mode, or `render.temporal`). In path
    /// mode that is so whenever the smoke is another than at the last draw(); `picture` chooses its noise.
    void restart(std::uint64_t picture);
    /// Looks from here from the next draw() on. In path mode restart() too.
    void setCamera(const CameraSettings& camera) { settings_.camera = camera; }
    /// From the next draw() on, draws splats and the fluid with the keys of `now`, at this time [s].
    void setSplats(const Settings& now, double time);
    /// Path mode's samples; null when raymarching.
    [[nodiscard]] const PathTracer* path() const { return path_ ? &*path_ : nullptr; }
    /// Where light reaches in the last picture; null in path mode.
    [[nodiscard]] const LightVolumes* light() const { return light_ ? &*light_ : nullptr; }

    /// The mean over pictures; null without `render.temporal`.
    [[nodiscard]] TemporalMean* temporal() { return temporal_ ? &*temporal_ : nullptr; }

    /// Linear picture with its background, rgba16f [W/(m^2 sr)]; a = 1 - transmittance to the background. Row 0 is the top.
    [[nodiscard]] const engine::Image& radiance() const { return radiance_; }
    /// Distance along the view axis [m] of what is seen, weighted by how much of it is; infinite where nothing is. r32f.
    [[nodiscard]] const engine::Image& depth() const { return depth_; }
    /// After exposure, tone mapping and the sRGB curve: one 0xAABBGGRR word a pixel, row 0 is the top.
    [[nodiscard]] const engine::Buffer& display() const { return display_; }

private:
    void start(engine::Recorder& rec);
    void march(engine::Recorder& rec, const Fields& fields, const gpu::ViewData& view, bool lit);
    Settings settings_;
    std::optional<PathTracer> path_;
    std::optional<TemporalMean> temporal_;
    engine::Image environment_;             ///< radiance of the surroundings and its density, see shaders/shared/environment_sampling.glsl
    std::array<glm::vec3, 9> harmonics_{};  ///< of the surroundings
    bool started_ = false;                  ///< those two are there
    engine::Image occupancy_;               ///< largest density of each brick of 8^3 scalar cells and its border
    std::optional<LightVolumes> light_;     ///< of raymarch
    std::optional<ScatteredLight> scattered_;  ///< of raymarch with more than single scattering
    std::unique_ptr<SurfacePicture> surface_;  ///< instead of raymarch; else null
    Splats splats_;
    double time_ = 0.0;  ///< of the splats [s]
    engine::Image radiance_, depth_;
    engine::Buffer display_;
    engine::Buffer view_;   ///< gpu::ViewData
    engine::Buffer noise_;  ///< blue, for where a pixel's steps begin
    bool hasNoise_ = false;
    bool lit_ = false;  ///< occupancy, light and sky hold those of some smoke
};

}  // namespace wisp
