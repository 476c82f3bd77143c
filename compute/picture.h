// SPDX-License-Identifier: MIT
#pragma once

#include "compute/field_view.h"
#include "compute/volume_renderer.h"

#include <optional>

namespace wisp {

/// What a scene wants to see of a simulation: the lit smoke, or one field by colour (`view.field`).
class Picture {
public:
    Picture(engine::Device& device, const Settings& settings) {
        if (settings.view.field == ViewField::Smoke) smoke_.emplace(device, settings);
        else view_.emplace(device, settings);
    }

    /// What draws the lit smoke; null if another field is seen.
    [[nodiscard]] VolumeRenderer* smoke() { return smoke_ ? &*smoke_ : nullptr; }

    void setCamera(const CameraSettings& camera) { view_ ? view_->setCamera(camera) : smoke_->setCamera(camera); }
    /// `sameSmoke`: see VolumeRenderer::draw.
    void draw(engine::Recorder& rec, const Fields& fields, bool sameSmoke = false) { view_ ? view_->draw(rec, fields) : smoke_->draw(rec, fields, 1, sameSmoke); }

    /// Linear, rgba16f. Row 0 is the top, here and below.
    [[nodiscard]] const engine::Image& radiance() const { return view_ ? view_->radiance() : smoke_->radiance(); }
    /// A number a pixel, r32f: the depth of the smoke, or the field's value.
    [[nodiscard]] const engine::Image& plane() const { return view_ ? view_->value() : smoke_->depth(); }
    /// Along the view axis to what is seen [m], r32f, infinite where nothing is; null for a slice.
    [[nodiscard]] const engine::Image* depth() const {
        if (smoke_) return &smoke_->depth();
        return view_->depth() ? &view_->depth() : nullptr;
    }
    /// One 0xAABBGGRR word a pixel, sRGB.
    [[nodiscard]] const engine::Buffer& display() const { return view_ ? view_->display() : smoke_->display(); }
    /// gpu::ViewLimits; null for smoke.
    [[nodiscard]] const engine::Buffer* limits() const { return view_ ? &view_->limits() : nullptr; }

private:
    std::optional<VolumeRenderer> smoke_;
    std::optional<FieldView> view_;
};

}  // namespace wisp
