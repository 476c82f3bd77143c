// SPDX-License-Identifier: MIT
// Gizmos and outlines drawn over the image.
#include "app/live/interaction.h"

#include "compute/scene/motion.h"
#include "compute/scene/prescribed.h"
#include "shaders/shared/field_view.h"

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#define GLM_ENABLE_EXPERIMENTAL
#include <glm/gtx/component_wise.hpp>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace wisp::app {

/// Window position of a point in space.
std::optional<glm::vec2> Interaction::pixelOf(glm::vec3 x) const {
    const std::optional<glm::vec2> pixel = camera_.project(x, size_);
    return pixel ? std::optional(*pixel + corner_) : std::nullopt;
}

void Interaction::drawGizmo(double time) const {
    if (outlines) drawOutlines(time);
    if (tilts_) return drawGravity();
    const std::optional<ObjectRef> grip = drag_ ? std::optional(drag_->grip()) : under_ ? std::optional(under_->grip) : std::nullopt;
    if (grip) return drawGrip(*grip, time);
    if (const auto arrow = turning_ ? turning_ : arrowUnder_; arrow && turnsArrows() && !stroke_) drawArrow(*arrow);
    const Ray ray = rayAt(mouse_);
    const glm::vec3 before = ray.origin + camera_.distance() * ray.direction;
    if (settings_.grid.isFlat() && !turning_) drawRing(before, brush.radius, IM_COL32(255, 255, 255, stroke_ ? 130 : 60));
    else if (stroke_) drawRing(stroke_->position(ray).value_or(before), brush.radius, IM_COL32(120, 200, 255, 200));
}

/// Drawn at the position and with the length that the arrow has in the image.
void Interaction::drawArrow(glm::uvec2 arrow) const {
    const float angle = arrowAngle(settings_.prescribed, arrow),
                length = WISP_ARROW_LENGTH * std::min(settings_.grid.size.x, settings_.grid.size.y) / static_cast<float>(kArrows);
    const glm::vec3 along = 0.5f * length * glm::vec3(std::cos(angle), std::sin(angle), 0.0f), middle = middleOf(arrow);
    drawArrow(middle - along, middle + along, IM_COL32(255, 200, 90, turning_ ? 255 : 160));
}

/// The arrow is one third of the longest box edge long.
void Interaction::drawGravity() const {
    const glm::vec3 direction = settings_.flow.gravity / std::max(glm::length(settings_.flow.gravity), 1e-6f);
    drawArrow(middleOfBox(), middleOfBox() + 0.33f * glm::compMax(settings_.grid.size) * direction, IM_COL32(255, 200, 90, 255));
}

void Interaction::drawArrow(glm::vec3 from, glm::vec3 to, std::uint32_t colour) const {
    const auto tail = pixelOf(from), head = pixelOf(to);
    if (!tail || !head) return;
    const glm::vec2 v = *head - *tail, side = 0.15f * glm::vec2(-v.y, v.x), back = *head - 0.3f * v;
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    for (const auto& [a, b] : {std::pair(*tail, *head), std::pair(*head, back + side), std::pair(*head, back - side)})
        list.AddLine({a.x, a.y}, {b.x, b.y}, colour, 3.0f);
}

/// Returns the window position of the top of the ring; empty if the ring is not visible.
std::optional<glm::vec2> Interaction::drawRing(glm::vec3 centre, float radius, std::uint32_t colour) const {
    const auto middle = pixelOf(centre), edge = pixelOf(centre + radius * camera_.right());
    if (!middle || !edge) return std::nullopt;
    const float pixels = std::max(glm::distance(*middle, *edge), 3.0f);
    ImGui::GetBackgroundDrawList()->AddCircle({middle->x, middle->y}, pixels, colour, 64, 2.0f);
    return *middle - glm::vec2(0.0f, pixels);
}

void Interaction::drawBox(glm::vec3 low, glm::vec3 high, std::uint32_t colour) const {
    const glm::vec3 eye = camera_.settings().eye, forward = camera_.forward();
    const float nearest = 0.01f * camera_.distance();
    const auto depth = [&](glm::vec3 x) { return glm::dot(x - eye, forward) - nearest; };
    for (int edge = 0; edge < 12; ++edge) {
        const int axis = edge / 4, other = (axis + 1) % 3, third = (axis + 2) % 3;
        glm::vec3 from = low;
        if ((edge & 1) != 0) from[other] = high[other];
        if ((edge & 2) != 0) from[third] = high[third];
        glm::vec3 to = from;
        to[axis] = high[axis];
        if (depth(from) > depth(to)) std::swap(from, to);
        // Clip at the near plane.
        if (depth(from) < 0.0f && depth(to) > 0.0f) from = glm::mix(from, to, depth(from) / (depth(from) - depth(to)));
        const auto a = pixelOf(from), b = pixelOf(to);
        if (a && b) ImGui::GetBackgroundDrawList()->AddLine({a->x, a->y}, {b->x, b->y}, colour, 1.0f);
    }
}

/// Whether the mouse is within three font heights of the sphere.
bool Interaction::nearMouse(glm::vec3 centre, float radius) const {
    const auto middle = pixelOf(centre), edge = pixelOf(centre + radius * camera_.right());
    return middle && edge && glm::distance(*middle, mouse_) < glm::distance(*middle, *edge) + 3.0f * ImGui::GetFontSize();
}

/// Skips the object that is hovered or dragged: drawGrip draws that one.
void Interaction::drawOutlines(double time) const {
    drawBox(boxLow(), boxLow() + settings_.grid.size, IM_COL32(255, 255, 255, 26));
    const std::optional<ObjectRef> active = drag_ ? std::optional(drag_->grip()) : under_ ? std::optional(under_->grip) : std::nullopt;
    const auto outline = [&](const ObjectRef& grip, bool turned) {
        if (grip == active) return;
        const Shape shape = shapeOf(settings_, grip);
        const glm::vec3 centre = centreOf(settings_, grip, time);
        const int alpha = nearMouse(centre, radiusOf(shape)) ? 150 : 45;
        const ImU32 colour = grip.kind == ObjectRef::Kind::Emitter ? IM_COL32(120, 200, 255, alpha) : IM_COL32(255, 255, 255, alpha);
        if (shape.kind == ShapeKind::Box && !turned) drawBox(centre - shape.half, centre + shape.half, colour);
        else drawRing(centre, radiusOf(shape), colour);
    };
    for (std::size_t i = 0; i < settings_.obstacles.size(); ++i) {
        const ObstacleSettings& o = settings_.obstacles[i];
        outline({ObjectRef::Kind::Obstacle, i}, o.rotation != glm::vec3(0.0f) || o.angularVelocity != glm::vec3(0.0f));
    }
    for (std::size_t i = 0; i < settings_.emitters.size(); ++i)
        outline({ObjectRef::Kind::Emitter, i}, settings_.emitters[i].rotation != glm::vec3(0.0f));
}

/// Draws the goal of the dragged object, because on a slow device the object follows the mouse late.
void Interaction::drawGhost(const Shape& shape) const {
    if (glm::distance(drag_->goal(), drag_->position()) < settings_.grid.cellSize()) return;
    const float radius = radiusOf(shape);
    const auto middle = pixelOf(drag_->goal()), edge = pixelOf(drag_->goal() + radius * camera_.right());
    if (middle && edge)
        ImGui::GetBackgroundDrawList()->AddCircleFilled({middle->x, middle->y}, glm::distance(*middle, *edge), IM_COL32(255, 200, 90, 45),
                                                        64);
    drawRing(drag_->goal(), radius, IM_COL32(255, 200, 90, 130));
}

void Interaction::drawGrip(const ObjectRef& grip, double time) const {
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    const glm::vec3 centre = drag_ ? drag_->position() : centreOf(settings_, grip, time);
    if (drag_ && axis_ != Drag::Axis::Plane) {
        const int axis = static_cast<int>(axis_) - static_cast<int>(Drag::Axis::X);
        const ImU32 colours[] = {IM_COL32(235, 90, 90, 220), IM_COL32(120, 210, 110, 220), IM_COL32(100, 150, 255, 220)};
        glm::vec3 low = centre, high = centre;
        low[axis] = boxLow()[axis];
        high[axis] = low[axis] + settings_.grid.size[axis];
        const auto a = pixelOf(low), b = pixelOf(high);
        if (a && b) list.AddLine({a->x, a->y}, {b->x, b->y}, colours[axis], 2.0f);
    }
    const bool isTarget = grip.kind == ObjectRef::Kind::Target,
               onTarget = drag_ ? alongTarget_ : grip.kind == ObjectRef::Kind::Obstacle && obstacleOnTarget(settings_) == grip.index;
    if (isTarget || onTarget) drawBox(boxLow(), boxLow() + settings_.grid.size, IM_COL32(255, 200, 90, drag_ ? 130 : 70));
    if (drag_) drawGhost(shapeOf(settings_, grip));
    const bool capped = drag_ && drag_->capped();
    const ImU32 colour = capped ? IM_COL32(255, 90, 60, 255) : IM_COL32(255, 200, 90, drag_ ? 255 : 160);
    const auto top = drawRing(centre, radiusOf(shapeOf(settings_, grip)), colour);
    std::string text = isTarget ? "target"
                                : fmt::format("{} {}{}", grip.kind == ObjectRef::Kind::Obstacle ? "obstacle" : "emitter", grip.index,
                                              onTarget ? ", target" : "");
    if (capped) text += fmt::format(": speed limit {} m/s", drag_->mostSpeed());
    const ImVec2 extent = ImGui::CalcTextSize(text.c_str());
    if (top) list.AddText({top->x - 0.5f * extent.x, top->y - 1.4f * extent.y}, colour, text.c_str());
}

}  // namespace wisp::app
