// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/motion.h"
#include "compute/sim/fields.h"
#include "engine/recorder.h"
#include "shaders/shared/view.h"

#include <cstdint>
#include <functional>

namespace wisp {

/// Push constants of shutter_occupancy.
struct ShutterOccupancyPush {
    int axis;
    float time;  ///< half of the exposure [s]
};
WISP_MEMBERS(ShutterOccupancyPush, axis, time)

/// Motion blur: where smoke may be during an exposure, and the mean of the moments of a picture by raymarch.
class Shutter {
public:
    /// `occupancy`: without motion. Path mode has no mean.
    Shutter(engine::Device& device, const Settings& settings, const engine::Image& occupancy);

    void set(const Exposure& exposure) { exposure_ = exposure; }
    [[nodiscard]] const Exposure& exposure() const { return exposure_; }

    /// Records the upper bounds of the occupancy during the exposure. `smokeBox`: of a sparse simulation, is widened; or
    /// null.
    void widen(engine::Recorder& rec, const Fields& fields, const engine::Image& occupancy, const engine::Buffer* smokeBox);
    [[nodiscard]] const engine::Image& occupancy() const { return widened_; }

    /// Sets the motion of the camera, and the whole exposure.
    void setView(gpu::ViewData& view, const RenderSettings& render) const;
    /// Raymarch: records the picture as the mean of moments. Each part of the exposure has one, at another point for each pixel. `draw`
    /// records one moment into the given images, with the view in the buffer `viewOut`.
    void expose(engine::Recorder& rec, const gpu::ViewData& view, const engine::Buffer& viewOut, const engine::Image& radiance,
                const engine::Image& depth, const std::function<void(const engine::Image& radiance, const engine::Image& depth)>& draw);

private:
    Exposure exposure_;
    std::uint32_t moments_;
    engine::Buffer fastest_;  ///< largest components of the velocity, see shutter_reach.comp
    engine::Image between_, widened_;
    engine::Image moment_, momentDepth_, mean_, meanDepth_;
};

}  // namespace wisp
