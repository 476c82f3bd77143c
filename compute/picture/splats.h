// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "compute/sim/fields.h"
#include "engine/recorder.h"

namespace wisp {

/// Opaque splats that the flow moves or bends: tracers, grass, and particles drawn as points. They are drawn into a separate picture, which
/// `raymarch` composites with the smoke by depth.
class Splats {
public:
    /// Allocates the picture (or plans it); allocates nothing for scenes without splats.
    Splats(engine::Device& device, const Settings& settings);

    /// Records the picture of the splats at `time` [s]. `view`: gpu::ViewData of the picture. `settings` must have the grid at the current
    /// position of the box.
    void draw(engine::Recorder& rec, const Fields& fields, const Settings& settings, const engine::Buffer& view, double time);

    /// See shaders/shared/splats.h: WISP_SPLAT_SAMPLES^2 words per pixel, rows from the top. Empty in scenes without splats.
    [[nodiscard]] const engine::Buffer& picture() const { return picture_; }
    /// The colour table for the indices in the words, one vec3 each: WISP_SPLAT_COLOURS of radiance [W/(m^2 sr)], then as many of albedo.
    [[nodiscard]] const engine::Buffer& colours() const { return colours_; }

private:
    engine::Buffer picture_, colours_;
};

/// Draws the particles of the fluid into the picture of the splats, in scenes that show particles.
void recordParticleSplats(engine::Recorder& rec, const Fields& fields, const Settings& settings, const engine::Buffer& view,
                          const engine::Buffer& splats);

}  // namespace wisp
