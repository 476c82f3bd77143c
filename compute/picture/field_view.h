// SPDX-License-Identifier: MIT
#pragma once

#include "compute/picture/colour_map.h"
#include "compute/scene/settings.h"
#include "compute/sim/fields.h"
#include "engine/recorder.h"
#include "shaders/shared/field_view.h"

namespace wisp {

/// The colours of a field.
ColourMap colourMapOf(ViewField field);

/// Size of text and lines in a picture: 1 for 640x360, growing in whole numbers. 0: too small for a legend.
std::uint32_t legendScale(glm::uvec2 pixels);
/// Width of the strip at the picture's right side that belongs to the legend [pixels]; 0: none.
std::uint32_t legendWidth(const Settings& settings);

/// Where a slice lies in the picture. Along x one looks in its direction (z to the right), along y and z against it (x to the
/// right); y is up, or z down.
gpu::SlicePush slicePlot(const Settings& settings);
/// Where the plane cuts its axis [m]: view.position, or the middle of the box.
float slicePosition(const Settings& settings);

/// The picture of one field by colour: a slice through it, or the whole.
class FieldView {
public:
    /// Allocates images (or plans them). `settings.view.field` must not be Smoke.
    FieldView(engine::Device& device, const Settings& settings);

    /// Records one picture of `fields` into everything below.
    void draw(engine::Recorder& rec, const Fields& fields);

    /// Looks from here from the next draw() on.
    void setCamera(const CameraSettings& camera) { settings_.camera = camera; }

    /// Colours, linear sRGB, rgba16f; a = how much of the field is in them. Row 0 is the top.
    [[nodiscard]] const engine::Image& radiance() const { return radiance_; }
    /// The field's value, r32f, 0 where none is shown; in a volume the largest in magnitude that is seen.
    [[nodiscard]] const engine::Image& value() const { return value_; }
    /// Along the view axis to what is seen [m], r32f, infinite where nothing is; empty for a slice, which is seen by no camera.
    [[nodiscard]] const engine::Image& depth() const { return depth_; }
    /// One 0xAABBGGRR word a pixel, sRGB, without a legend.
    [[nodiscard]] const engine::Buffer& display() const { return display_; }
    /// gpu::ViewLimits of this picture.
    [[nodiscard]] const engine::Buffer& limits() const { return limits_; }

private:
    void recordLimits(engine::Recorder& rec, const Fields& fields);
    void recordPicture(engine::Recorder& rec, const Fields& fields);

    Settings settings_;
    engine::Image values_;  ///< of cells
    engine::Image radiance_, value_, depth_;
    engine::Buffer display_, limits_;
    engine::Buffer record_;  ///< see view_range.comp
    engine::Buffer colours_;
    engine::Buffer camera_;  ///< gpu::ViewData
    bool started_ = false;
};

}  // namespace wisp
