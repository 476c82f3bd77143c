// SPDX-License-Identifier: MIT
#include "compute/picture/field_view.h"

#include "compute/picture/camera.h"
#include "compute/picture/plane_plot.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <stdexcept>

namespace wisp {
namespace {

using engine::Traffic;

constexpr float kOpacity = 40.0f;  // optical depth along the diagonal of a box that is full of the largest value

glm::uvec3 cellsOf(const Settings& s) { return viewFieldInfo(s.view.field).onScalarCells ? s.grid.scalarCells() : s.grid.cells; }

struct PlotAxes {
    int right, down;  // axes of the box
    bool mirrored;    // down is against the direction of its axis
};

PlotAxes axesOf(SliceAxis slice) {
    switch (slice) {
        case SliceAxis::X: return {2, 1, true};
        case SliceAxis::Y: return {0, 2, false};
        case SliceAxis::Z: return {0, 1, true};
        case SliceAxis::None: break;
    }
    throw std::logic_error("SliceAxis::None has no plot");
}

}  // namespace

ColourMap colourMapOf(const Settings& s) { return viewScale(s).isSigned ? divergingMap() : sequentialMap(); }

float slicePosition(const Settings& s) {
    const int axis = static_cast<int>(s.view.slice) - 1;
    return s.view.position.value_or(s.grid.origin[axis] + 0.5f * s.grid.size[axis]);
}

namespace {

/// In a flat grid a slice has the position of the picture of the dye, so that the user's input works alike in both.
gpu::SlicePush planeSlice(const Settings& s) {
    const PlanePlot plane = planePlot(s);
    const float z = s.grid.origin.z + 0.5f * s.grid.size.z;
    gpu::SlicePush plot{};
    plot.corner = glm::vec3(plane.corner, z);
    plot.right.x = plane.pixel;
    plot.down.y = -plane.pixel;
    plot.low = (glm::vec2(s.grid.origin.x, s.grid.origin.y + s.grid.size.y) - plane.corner) * glm::vec2(1.0f, -1.0f) / plane.pixel;
    return plot;
}

gpu::SlicePush boxSlice(const Settings& s) {
    const PlotAxes axes = axesOf(s.view.slice);
    const glm::vec2 pixels(s.render.size), extent(s.grid.size[axes.right], s.grid.size[axes.down]);
    const float margin = static_cast<float>(12 * legendScale(s.render.size));
    const glm::vec2 room = glm::max(pixels - 2.0f * margin - glm::vec2(legendWidth(s), 0), glm::vec2(1.0f));
    const float pixel = std::max(extent.x / room.x, extent.y / room.y);  // [m]
    const glm::vec2 low = margin + 0.5f * (room - extent / pixel);
    gpu::SlicePush plot{};
    plot.right[axes.right] = pixel;
    plot.down[axes.down] = axes.mirrored ? -pixel : pixel;
    glm::vec3 corner = s.grid.origin;  // of the plot
    corner[static_cast<int>(s.view.slice) - 1] = slicePosition(s);
    if (axes.mirrored) corner[axes.down] += extent.y;
    plot.corner = corner - low.x * plot.right - low.y * plot.down;
    plot.low = low;
    return plot;
}

}  // namespace

gpu::SlicePush slicePlot(const Settings& s) {
    gpu::SlicePush plot = s.grid.isFlat() ? planeSlice(s) : boxSlice(s);
    plot.pixels = s.render.size;
    plot.spacing = static_cast<float>(s.view.arrows) * s.grid.cellSize() / glm::length(plot.right);
    plot.pen = 0.7f * static_cast<float>(std::max(1u, legendScale(s.render.size)));
    // Signed colour maps are pale at 0, the others are dark.
    plot.ink = viewScale(s).isSigned ? 0.0f : 1.0f;
    return plot;
}

FieldView::FieldView(engine::Device& device, const Settings& s) : settings_(s), brickEdges_(device, s) {
    if (s.grid.isFlat()) settings_.view.slice = SliceAxis::Z;
    const glm::uvec3 size{s.render.size, 1};
    values_ = engine::Image(device, {.name = "view values", .size = cellsOf(s), .format = VK_FORMAT_R32_SFLOAT});
    radiance_ = engine::Image(device, {.name = "view colours", .size = size, .format = VK_FORMAT_R16G16B16A16_SFLOAT, .flat = true});
    value_ = engine::Image(device, {.name = "view value", .size = size, .format = VK_FORMAT_R32_SFLOAT, .flat = true});
    if (settings_.view.slice == SliceAxis::None)
        depth_ = engine::Image(device, {.name = "view depth", .size = size, .format = VK_FORMAT_R32_SFLOAT, .flat = true});
    display_ = engine::Buffer(device, {.name = "display", .bytes = std::uint64_t{size.x} * size.y * sizeof(std::uint32_t)});
    limits_ = engine::Buffer(device, {.name = "view limits", .bytes = sizeof(gpu::ViewLimits)});
    record_ = engine::Buffer(device, {.name = "view record", .bytes = kRecordBytes});
    colours_ = engine::Buffer(device, {.name = "view map", .bytes = sizeof(ColourMap)});
    camera_ = engine::Buffer(device, {.name = "view", .bytes = sizeof(gpu::ViewData)});
}

void FieldView::recordLimits(engine::Recorder& rec, const Fields& f) {
    const ViewScale scale = viewScale(settings_);
    const glm::uvec3 cells = cellsOf(settings_), threads = f.domain.bricks ? f.domain.stridedThreads(cells) : reductionThreads(cells);
    rec.dispatch("view_range", threads,
                 {{"values", values_},
                  {"centre", f.flow.centre},
                  {"coarseVelocity", Traffic::none(f.flow.coarseDivergenceFree())},
                  {"partialsOut", f.domain.partials}},
                 gpu::RangePush{.cells = cells, .isSigned = scale.isSigned ? 1 : 0, .base = scale.base});
    recordReduceFinal(rec, f.domain, threads, record_);
    const gpu::LimitsPush push{.isSigned = scale.isSigned ? 1 : 0, .base = scale.base, .fixedRange = settings_.view.range ? 1 : 0};
    rec.dispatch("view_limits", {1, 1, 1}, {{"record", record_}, {"limits", limits_}}, push);
}

void FieldView::recordPicture(engine::Recorder& rec, const Fields& f) {
    const glm::uvec3 threads = radiance_.size();
    if (settings_.view.slice != SliceAxis::None) {
        rec.dispatch("view_slice", threads,
                     {{"values", values_},
                      {"colours", colours_},
                      {"limits", limits_},
                      {"centre", f.flow.centre},
                      {"coarseVelocity", Traffic::none(f.flow.coarseDivergenceFree())},
                      {"radiance", radiance_},
                      {"value", value_},
                      {"display", display_}},
                     slicePlot(settings_));
        return;
    }
    gpu::ViewData view{};
    wisp::setCamera(view, settings_.camera, settings_.render.size);
    view.pixels = settings_.render.size;
    view.exposure = 1.0f;
    view.tonemap = WISP_LINEAR;
    rec.update(camera_, std::as_bytes(std::span(&view, 1)));
    const gpu::VolumePush push{.isSigned = viewScale(settings_).isSigned ? 1 : 0,
                               .stepLength = 0.5f * settings_.grid.size.x / static_cast<float>(cellsOf(settings_).x),
                               .opacity = kOpacity / glm::length(settings_.grid.size)};
    rec.dispatch("view_volume", threads,
                 {{"values", values_},
                  {"colours", colours_},
                  {"limits", limits_},
                  {"radiance", radiance_},
                  {"value", value_},
                  {"depth", depth_},
                  {"display", display_}},
                 push);
    if (!brickEdges_.shown()) return;
    brickEdges_.draw(rec, f.domain, camera_, radiance_, 0.0f);
    rec.dispatch("tonemap", threads, {{"radiance", radiance_}, {"display", display_}});
}

void FieldView::draw(engine::Recorder& rec, const Fields& f) {
    settings_.grid.origin = f.domain.grid.origin;
    const auto& bricks = f.domain.bricks;
    rec.setCommon({{"stepData", f.domain.step},
                   {"view", camera_},
                   {"scalars", f.smoke.scalars[0]},
                   {"solidDistance", f.domain.solidDistance},
                   {"solidVelocity", f.domain.solidVelocity},
                   {"meshDistances", f.domain.meshes.image()},
                   {"meshVelocities", f.domain.meshes.velocities()},
                   {"brickList", bricks ? bricks->list : f.domain.step},
                   {"brickSlots", Traffic::none(bricks ? bricks->slots : f.domain.step)}});
    if (!started_) {
        const glm::vec2 range = settings_.view.range.value_or(glm::vec2(0.0f));
        const gpu::ViewLimits limits{.low = range.x, .high = range.y, .speed = 0.0f, .largest = 0.0f};
        rec.update(limits_, std::as_bytes(std::span(&limits, 1)));
        const ColourMap map = colourMapOf(settings_);
        rec.update(colours_, std::as_bytes(std::span(map)));
        started_ = true;
    }
    const engine::Buffer& curl = f.flow.back;  // unused between steps
    if (settings_.view.field == ViewField::Vorticity)
        rec.dispatch("vorticity_curl", f.domain.storedCells(), {{"centre", f.flow.centreVectors}, {"curl", curl}});
    const ViewScale scale = viewScale(settings_);
    rec.dispatch("view_field", cellsOf(settings_),
                 {{"velocity", f.flow.divergenceFree()},
                  {"coarseVelocity", Traffic::none(f.flow.coarseDivergenceFree())},
                  {"aperture", f.domain.aperture},
                  {"pressureIn", f.pressure.pressure[0]},
                  {"weights", f.pressure.weights},
                  {"centre", f.flow.centre},
                  {"curl", curl},
                  {"valuesOut", values_}},
                 gpu::FieldPush{.field = static_cast<int>(settings_.view.field), .base = scale.base, .ignition = scale.ignition});
    recordLimits(rec, f);
    recordPicture(rec, f);
}

}  // namespace wisp
