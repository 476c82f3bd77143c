// SPDX-License-Identifier: MIT
#pragma once

#include "compute/picture/field_view.h"
#include "compute/picture/flat_view.h"
#include "compute/picture/volume_renderer.h"

#include <optional>

namespace wisp {

/// The picture that a scene asks for: the lit smoke, the dye of a flat grid, or one field by colour (`view.field`).
class ScenePicture {
public:
    ScenePicture(engine::Device& device, const Settings& settings) {
        if (settings.view.field != ViewField::Smoke) view_.emplace(device, settings);
        else if (settings.grid.isFlat()) flat_.emplace(device, settings);
        else smoke_.emplace(device, settings);
    }

    /// The renderer of the lit smoke; null if the picture shows something else.
    [[nodiscard]] VolumeRenderer* smoke() { return smoke_ ? &*smoke_ : nullptr; }

    void setCamera(const CameraSettings& camera) {
        if (view_) view_->setCamera(camera);
        if (flat_) flat_->setCamera(camera);
        if (smoke_) smoke_->setCamera(camera);
    }
    /// The exposure of the next pictures, see VolumeRenderer::setExposure.
    void setExposure(const Exposure& exposure) {
        if (smoke_) smoke_->setExposure(exposure);
    }
    /// Sets what the next picture shows, at a time [s], of settings that look alike.
    void setScene(const Settings& now, double time) {
        if (flat_) flat_->setPrescribed(now.prescribed);
        if (smoke_) smoke_->setScene(now, time);
    }
    /// `sameSmoke`: see VolumeRenderer::draw.
    void draw(engine::Recorder& rec, const Fields& fields, bool sameSmoke = false) {
        if (view_) view_->draw(rec, fields);
        if (flat_) flat_->draw(rec, fields);
        if (smoke_) smoke_->draw(rec, fields, 1, sameSmoke);
    }

    /// Linear, rgba16f. Row 0 is the top, here and below.
    [[nodiscard]] const engine::Image& radiance() const {
        return view_ ? view_->radiance() : flat_ ? flat_->radiance() : smoke_->radiance();
    }
    /// One number per pixel, r32f: the depth of the smoke, the density of a flat grid, or the field's value.
    [[nodiscard]] const engine::Image& plane() const { return view_ ? view_->value() : flat_ ? flat_->density() : smoke_->depth(); }
    /// Depth along the view axis [m], r32f, infinite where nothing is visible; null for a slice and a flat grid.
    [[nodiscard]] const engine::Image* depth() const {
        if (smoke_) return &smoke_->depth();
        return view_ && view_->depth() ? &view_->depth() : nullptr;
    }
    /// One 0xAABBGGRR word per pixel, sRGB.
    [[nodiscard]] const engine::Buffer& display() const { return view_ ? view_->display() : flat_ ? flat_->display() : smoke_->display(); }
    /// gpu::ViewLimits; null for smoke.
    [[nodiscard]] const engine::Buffer* limits() const { return view_ ? &view_->limits() : nullptr; }

private:
    std::optional<VolumeRenderer> smoke_;
    std::optional<FieldView> view_;
    std::optional<FlatView> flat_;
};

/// True if the same ScenePicture can draw both settings. Time and camera may differ, because they are set for every frame.
bool looksAlike(const Settings& a, Settings b);

}  // namespace wisp
