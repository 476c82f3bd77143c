// SPDX-License-Identifier: MIT
#pragma once

#include "compute/picture/brick_edges.h"
#include "compute/picture/colour_map.h"
#include "compute/scene/view_fields.h"
#include "compute/sim/fields.h"
#include "engine/recorder.h"
#include "shaders/shared/field_view.h"

namespace wisp {

/// The colour map of `settings.view.field`.
ColourMap colourMapOf(const Settings& settings);

/// Position of a slice in the picture. A slice across x is seen along +x, with z to the right. A slice across y or z is seen along -y or
/// -z, with x to the right. y is up; in a slice across y, z is down.
gpu::SlicePush slicePlot(const Settings& settings);
/// Position of the slice on its axis [m]: view.position, or the centre of the box.
float slicePosition(const Settings& settings);

/// The picture of one field by colour, in a slice or in the whole volume.
class FieldView {
public:
    /// Allocates images (or plans them). `settings.view.field` must not be Smoke.
    FieldView(engine::Device& device, const Settings& settings);

    /// Records one picture of `fields` into everything below.
    void draw(engine::Recorder& rec, const Fields& fields);

    /// Sets the camera from the next draw() on.
    void setCamera(const CameraSettings& camera) { settings_.camera = camera; }

    /// Colours, linear sRGB, rgba16f; a = opacity of the field. Row 0 is the top.
    [[nodiscard]] const engine::Image& radiance() const { return radiance_; }
    /// The field's value, r32f, 0 where none is shown; in a volume the visible value of largest magnitude.
    [[nodiscard]] const engine::Image& value() const { return value_; }
    /// Depth along the view axis [m], r32f, infinite where nothing is visible. Empty for a slice, which has no camera.
    [[nodiscard]] const engine::Image& depth() const { return depth_; }
    /// One 0xAABBGGRR word per pixel, sRGB, without a legend.
    [[nodiscard]] const engine::Buffer& display() const { return display_; }
    /// gpu::ViewLimits of this picture.
    [[nodiscard]] const engine::Buffer& limits() const { return limits_; }

private:
    void recordLimits(engine::Recorder& rec, const Fields& fields);
    void recordPicture(engine::Recorder& rec, const Fields& fields);

    Settings settings_;
    BrickEdges brickEdges_;
    engine::Image values_;  ///< of cells
    engine::Image radiance_, value_, depth_;
    engine::Buffer display_, limits_;
    engine::Buffer record_;  ///< see view_range.comp
    engine::Buffer colours_;
    engine::Buffer camera_;  ///< gpu::ViewData
    bool started_ = false;
};

}  // namespace wisp
