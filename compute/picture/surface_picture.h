// SPDX-License-Identifier: MIT
#pragma once

#include "compute/picture/light_volumes.h"
#include "compute/picture/splats.h"
#include "compute/scene/settings.h"
#include "compute/sim/fields.h"
#include "engine/recorder.h"

#include <memory>

namespace wisp {

/// The picture of a fluid that has a surface; the renderer uses it instead of `raymarch`.
class SurfacePicture {
public:
    SurfacePicture() = default;
    SurfacePicture(const SurfacePicture&) = delete;
    SurfacePicture& operator=(const SurfacePicture&) = delete;
    virtual ~SurfacePicture() = default;

    /// Records the surface of the fluid as it is now.
    virtual void measure(engine::Recorder& rec, const Fields& fields, const Settings& settings) const = 0;
    /// Records radiance and depth of a picture of the surface that was measured last.
    virtual void draw(engine::Recorder& rec, const Settings& settings, const engine::Image& occupancy, const LightVolumes& light,
                      const Splats& splats, const engine::Image& radiance, const engine::Image& depth) const = 0;
};

/// Allocates the picture (or plans it) for scenes that show a surface; else null.
std::unique_ptr<SurfacePicture> makeSurfacePicture(engine::Device& device, const Settings& settings);

}  // namespace wisp
