// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "compute/sim/fields.h"
#include "engine/recorder.h"

namespace wisp {

/// What the flow carries or bends, in a picture: tracers, grass, and particles of a liquid that is seen as points. Opaque, and drawn into a
/// picture that `raymarch` then puts into the smoke.
class Marks {
public:
    /// Allocates a picture for them (or plans it); nothing for scenes that have none.
    Marks(engine::Device& device, const Settings& settings);

    /// Records the picture of them at a time [s]. `view` is that of the smoke. `settings` has the grid where the box is.
    void draw(engine::Recorder& rec, const Fields& fields, const Settings& settings, const engine::Buffer& view, double time);

    /// See shaders/shared/marks.h: WISP_MARK_SAMPLES^2 words a pixel, rows from the top. Empty if there are none.
    [[nodiscard]] const engine::Buffer& picture() const { return picture_; }
    /// Colours of the words, a vec3 each: radiance [W/(m^2 sr)], and from WISP_MARK_COLOURS on albedo.
    [[nodiscard]] const engine::Buffer& colours() const { return colours_; }

private:
    engine::Buffer picture_, colours_;
};

}  // namespace wisp
