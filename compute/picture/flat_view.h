// SPDX-License-Identifier: MIT
#pragma once

#include "compute/picture/plane_plot.h"
#include "compute/sim/fields.h"
#include "engine/recorder.h"
#include "shaders/shared/flat_view.h"

#include <vector>

namespace wisp {

/// The picture of a flat grid: dye in a lit slab, optional glow and arrows, tone mapping.
class FlatView {
public:
    /// Allocates images (or plans them).
    FlatView(engine::Device& device, const Settings& settings);

    /// Records one picture of `fields` into everything below.
    void draw(engine::Recorder& rec, const Fields& fields);
    /// Sets the camera from the next draw() on.
    void setCamera(const CameraSettings& camera) { settings_.camera = camera; }
    /// Sets the velocity that arrows show from the next draw() on.
    void setPrescribed(const PrescribedSettings& prescribed) { settings_.prescribed = prescribed; }

    /// Linear, rgba16f; a = opacity of the dye. Row 0 is the top.
    [[nodiscard]] const engine::Image& radiance() const { return radiance_; }
    [[nodiscard]] const engine::Image& density() const { return density_; }   ///< r32f
    [[nodiscard]] const engine::Buffer& display() const { return display_; }  ///< one 0xAABBGGRR word per pixel, sRGB

private:
    void glow(engine::Recorder& rec);
    void arrows(engine::Recorder& rec, glm::vec3 background);

    Settings settings_;
    engine::Image radiance_, density_;
    std::vector<engine::Image> glow_;  ///< the picture at 1/2 of the size, 1/4, ...
    engine::Buffer display_, view_;
    engine::Buffer prescribed_;  ///< gpu::PrescribedData, only with arrows
};

}  // namespace wisp
