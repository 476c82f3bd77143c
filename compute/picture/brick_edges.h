// SPDX-License-Identifier: MIT
#pragma once

#include "compute/domain/domain.h"
#include "compute/scene/settings.h"
#include "engine/recorder.h"

namespace wisp {

/// The edges of active bricks as thin lines over a picture (`render.bricks`). Edges inside of active bricks are not drawn, and obstacles
/// hide lines. Smoke does not hide them.
class BrickEdges {
public:
    /// Allocates a word per pixel (or plans it); nothing if the picture shows no bricks.
    BrickEdges(engine::Device& device, const Settings& settings);

    [[nodiscard]] bool shown() const { return cover_.bytes() > 0; }
    /// Records the lines into `radiance`, in place, if they are shown. `view`: gpu::ViewData of the picture. `exposure` [stops]: that of
    /// its tone map.
    void draw(engine::Recorder& rec, const Domain& domain, const engine::Buffer& view, const engine::Image& radiance, float exposure) const;

private:
    engine::Buffer cover_;  ///< of pixels, see draw_bricks.comp
};

}  // namespace wisp
