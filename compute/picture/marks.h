// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "compute/sim/fields.h"
#include "engine/recorder.h"

namespace wisp {

/// Opaque marks in a picture that the flow carries or bends: tracers, grass, and particles shown as points. They are drawn into a picture
/// of their own, which `raymarch` composites into the smoke by depth.
class Marks {
public:
    /// Allocates the picture (or plans it); allocates nothing for scenes without marks.
    Marks(engine::Device& device, const Settings& settings);

    /// Records the picture of the marks at a time [s]. `view` is the smoke's view. The grid in `settings` is where the box is now.
    void draw(engine::Recorder& rec, const Fields& fields, const Settings& settings, const engine::Buffer& view, double time);

    /// See shaders/shared/marks.h: WISP_MARK_SAMPLES^2 words a pixel, rows from the top. Empty in scenes without marks.
    [[nodiscard]] const engine::Buffer& picture() const { return picture_; }
    /// Colours that words index, a vec3 each: WISP_MARK_COLOURS of radiance [W/(m^2 sr)], then as many of albedo.
    [[nodiscard]] const engine::Buffer& colours() const { return colours_; }

private:
    engine::Buffer picture_, colours_;
};

/// Draws the particles of the fluid into the picture of the marks, in scenes that show particles.
void recordParticleMarks(engine::Recorder& rec, const Fields& fields, const Settings& settings, const engine::Buffer& view,
                         const engine::Buffer& marks);

}  // namespace wisp
