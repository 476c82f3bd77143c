// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "compute/sim/fields.h"
#include "engine/recorder.h"

namespace wisp {

/// Opaque splats in a picture that the flow carries or bends: tracers, grass, and particles shown as points. They are drawn into a picture
/// of their own, which `raymarch` composites into the smoke by depth.
class Splats {
public:
    /// Allocates the picture (or plans it); allocates nothing for scenes without splats.
    Splats(engine::Device& device, const Settings& settings);

    /// Records the picture of the splats at a time [s]. `view` is the smoke's view. The grid in `settings` is where the box is now.
    void draw(engine::Recorder& rec, const Fields& fields, const Settings& settings, const engine::Buffer& view, double time);

    /// See shaders/shared/splats.h: WISP_SPLAT_SAMPLES^2 words a pixel, rows from the top. Empty in scenes without splats.
    [[nodiscard]] const engine::Buffer& picture() const { return picture_; }
    /// Colours that words index, a vec3 each: WISP_SPLAT_COLOURS of radiance [W/(m^2 sr)], then as many of albedo.
    [[nodiscard]] const engine::Buffer& colours() const { return colours_; }

private:
    engine::Buffer picture_, colours_;
};

/// Draws the particles of the fluid into the picture of the splats, in scenes that show particles.
void recordParticleSplats(engine::Recorder& rec, const Fields& fields, const Settings& settings, const engine::Buffer& view,
                          const engine::Buffer& splats);

}  // namespace wisp
