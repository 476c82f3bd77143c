// SPDX-License-Identifier: MIT
#pragma once

#include "compute/picture/brick_edges.h"
#include "compute/picture/camera.h"
#include "compute/picture/light_volumes.h"
#include "compute/picture/path_tracer.h"
#include "compute/picture/scattered_light.h"
#include "compute/picture/shutter.h"
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

/// A depth buffer of a host, of the size of the picture. A value d is at the distance factor / (d + offset) along the camera's axis [m].
struct DepthBuffer {
    const engine::Image* image = nullptr;  ///< null: there is none
    float factor = 0.0f, offset = 0.0f;
};

/// Renders pictures of a simulation. Passes: occupancy of bricks; then light volumes and `raymarch` (or the surface of a liquid), with
/// temporal accumulation if `render.temporal` is set, or path tracing; then the tone map.
class VolumeRenderer {
public:
    /// Allocates light volumes and images (or plans them). @throws std::invalid_argument naming the first bad key.
    VolumeRenderer(engine::Device& device, const Settings& settings);

    /// Records one picture of `fields` into radiance(), depth() and display(). In path mode it adds `samples` samples per pixel, and the
    /// picture is the mean of all samples since the last restart().
    /// `sameSmoke`: only the camera has changed since the last draw(), so the light volumes are reused.
    void draw(engine::Recorder& rec, const Fields& fields, std::uint32_t samples = 1, bool sameSmoke = false);

    /// Discards the samples of path mode and the history of `render.temporal`, so that the next picture starts a new mean. In path mode,
    /// call it whenever the smoke has changed since the last draw(). `picture`: number that makes the noise of each picture different.
    void restart(std::uint64_t picture);
    /// Uses this camera from the next draw() on. In path mode, call restart() too.
    void setCamera(const CameraSettings& camera) { settings_.camera = camera; }
    /// Uses a camera of a host from the next draw() on instead of that of the settings; none: that again. In path mode, call restart() too.
    void setCamera(const std::optional<CameraFrame>& frame) { frame_ = frame; }
    /// Whether a picture can be drawn for a host that draws the rest: raymarch of smoke.
    [[nodiscard]] bool canComposite() const { return !path_ && !surface_; }
    /// From the next draw() on, draws smoke alone, up to the depth of a host if that is not null. `hostDepth`: see DepthBuffer.
    void setComposite(const DepthBuffer& host) { host_ = host; }
    /// From the next draw() on, the environment is not drawn behind smoke and bodies, and display() has the coverage in its fourth byte.
    /// Not with the surface of a liquid. In path mode, call restart() too.
    void setTransparent(bool transparent) { transparent_ = transparent; }
    /// The exposure of the next pictures, for camera.shutter; at first it has no length. In path mode, call restart() too.
    void setExposure(const Exposure& exposure);
    /// From the next draw() on, draws with the live keys of `now`, at `time` [s].
    void setScene(const Settings& now, double time);
    /// Copies the keys that can change between two calls of draw(): no memory that a renderer allocates depends on them.
    static void copyLiveKeys(const Settings& from, Settings& to);
    /// The path tracer with its samples; null when raymarching.
    [[nodiscard]] const PathTracer* path() const { return path_ ? &*path_ : nullptr; }
    /// The light volumes of the last picture; null in path mode.
    [[nodiscard]] const LightVolumes* light() const { return light_ ? &*light_ : nullptr; }

    /// The temporal accumulation; null without `render.temporal`.
    [[nodiscard]] TemporalMean* temporal() { return temporal_ ? &*temporal_ : nullptr; }

    /// Linear picture with its background, rgba16f [W/(m^2 sr)]; a = 1 - transmittance to the background. Row 0 is the top.
    [[nodiscard]] const engine::Image& radiance() const { return radiance_; }
    /// Mean distance along the view axis [m], weighted by visibility; infinite where only the background is visible. r32f.
    [[nodiscard]] const engine::Image& depth() const { return depth_; }
    /// After exposure, tone mapping and the sRGB curve: one 0xAABBGGRR word per pixel, row 0 is the top.
    [[nodiscard]] const engine::Buffer& display() const { return display_; }

private:
    void start(engine::Recorder& rec);
    /// `above`: densities above this count as smoke.
    void occupy(engine::Recorder& rec, const Domain& domain, float above);
    void raymarch(engine::Recorder& rec, const engine::Image& radiance, const engine::Image& depth) const;
    /// Where rays through the picture meet smoke.
    [[nodiscard]] const engine::Image& seenOccupancy() const { return shutter_ ? shutter_->occupancy() : occupancy_; }
    void march(engine::Recorder& rec, const Fields& fields, const gpu::ViewData& view, bool lit);
    Settings settings_;
    std::optional<CameraFrame> frame_;
    std::optional<DepthBuffer> host_;  ///< only for a composite
    bool transparent_ = false;
    std::optional<PathTracer> path_;
    std::optional<TemporalMean> temporal_;
    engine::Image environment_;             ///< radiance of the environment, sampling density: see shaders/shared/environment_sampling.glsl
    std::array<glm::vec3, 9> harmonics_{};  ///< spherical harmonics of the environment
    bool started_ = false;                  ///< environment_ and harmonics_ are those of settings_
    engine::Image occupancy_;               ///< largest density of each brick of 8^3 scalar cells and its border
    std::optional<Shutter> shutter_;        ///< only with camera.shutter
    engine::Buffer smokeBox_, lightWindow_;    ///< gpu::SmokeBox, gpu::LightWindow of a sparse simulation
    std::optional<LightVolumes> light_;        ///< null in path mode
    std::optional<ScatteredLight> scattered_;  ///< only for raymarch with Settings::usesOrdinates()
    std::unique_ptr<SurfacePicture> surface_;  ///< replaces raymarch in scenes with a surface; else null
    Splats splats_;
    BrickEdges brickEdges_;
    double time_ = 0.0;  ///< of the splats [s]
    engine::Image radiance_, depth_;
    engine::Buffer display_;
    engine::Buffer view_;   ///< gpu::ViewData
    engine::Buffer noise_;  ///< blue noise, offset of the first step of each pixel
    bool hasNoise_ = false;
    bool lit_ = false;  ///< occupancy, light and sky have been computed
};

}  // namespace wisp
