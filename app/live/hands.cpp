// SPDX-License-Identifier: MIT
#include "app/live/hands.h"

#include "compute/prescribed.h"
#include "shaders/shared/field_view.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <glm/exponential.hpp>
#include <glm/geometric.hpp>
#include <glm/vector_relational.hpp>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace wisp::app {
namespace {

constexpr float kDepthNotch = 0.05f;   // of the camera's distance, that a notch of the wheel pushes what is held
constexpr float kRadiusNotch = 1.08f;  // factor of a radius
constexpr float kFlySpeed = 0.8f;      // of the camera's distance, a second
constexpr float kArrived = 0.01f;      // [cells] from where it should be: what is released is put down

Drag::Axis wantedAxis(const Input& input) {
    if (input.isDown(GLFW_KEY_X)) return Drag::Axis::X;
    if (input.isDown(GLFW_KEY_Y)) return Drag::Axis::Y;
    if (input.isDown(GLFW_KEY_Z)) return Drag::Axis::Z;
    return Drag::Axis::Plane;
}

float radiusOf(const Shape& s) {
    if (s.kind == ShapeKind::Sphere) return s.radius;
    return glm::length(s.half) + (s.kind == ShapeKind::Capsule ? s.radius : 0.0f);
}
}  // namespace

void Hands::update(const Input& input, double time) {
    changed_ = false;
    size_ = glm::max(input.size, 1.0f);
    axis_ = wantedAxis(input);
    for (const InputEvent& event : input.events) {
        const bool panel = input.isPanel(event.at) && !inHand() && motion_ == Motion::None;  // a drag goes on across panels
        switch (event.kind) {
            case InputEvent::Kind::Press:
                if (!panel) press(event, time);
                break;
            case InputEvent::Kind::Release: release(event); break;
            case InputEvent::Kind::Move: move(event); break;
            case InputEvent::Kind::Wheel:
                if (!panel) wheel(event);
                break;
            case InputEvent::Kind::Key: break;
        }
        mouse_ = event.at;
    }
    mouse_ = input.mouse;
    if (stroke_ && brushDown_) stroke_->add(rayAt(mouse_));  // a brush at rest paints too
    if (!busy()) {
        const bool panel = input.isPanel(mouse_);
        under_ = panel ? std::nullopt : touch(settings_, time, rayAt(mouse_));
        arrowUnder_ = panel || under_ ? std::nullopt : arrowAt(mouse_);
    }
    fly(input);
}

void Hands::press(const InputEvent& event, double time) {
    if (drag_ && drag_->released() && event.code != GLFW_MOUSE_BUTTON_MIDDLE) putDown();  // the hand is wanted
    if (event.code == GLFW_MOUSE_BUTTON_LEFT && !busy()) {
        const Ray ray = rayAt(event.at);
        under_ = event.shift ? std::nullopt : touch(settings_, time, ray);
        if (under_) {
            const glm::vec3 centre = centreOf(settings_, under_->grip, time);
            drag_.emplace(Drag(under_->grip, centre, ray, under_->distance, camera_.forward()), centre);
        } else if (turnsArrows() && !event.shift) {
            turning_ = arrowAt(event.at);
            turn(event.at);
        } else if (settings_.grid.isFlat() && !event.shift) {
            beginStroke(event);
        } else {
            motion_ = event.shift ? Motion::Pan : Motion::Orbit;
        }
    } else if (event.code == GLFW_MOUSE_BUTTON_MIDDLE) {
        motion_ = Motion::Pan;
    } else if (event.code == GLFW_MOUSE_BUTTON_RIGHT && !busy()) {
        beginStroke(event);
    }
    mouse_ = event.at;
}

/// In a flat grid its plane is known; in a box it is where something is seen.
void Hands::beginStroke(const InputEvent& event) {
    stroke_.emplace(camera_.forward());
    stroke_->add(rayAt(event.at));
    brushDown_ = drop_ = true;
    if (settings_.grid.isFlat()) stroke_->setPlane(settings_.grid.origin + 0.5f * settings_.grid.size);
    else depthAt_ = event.at / size_;
}

void Hands::release(const InputEvent& event) {
    const bool draws = event.code == GLFW_MOUSE_BUTTON_RIGHT || (event.code == GLFW_MOUSE_BUTTON_LEFT && settings_.grid.isFlat());
    if (stroke_ && draws) brushDown_ = false;  // what was painted waits for its depth and a step
    else if (event.code == GLFW_MOUSE_BUTTON_LEFT && drag_) drag_->release();
    else if (event.code == GLFW_MOUSE_BUTTON_LEFT && turning_) turning_.reset();
    else motion_ = Motion::None;
}

void Hands::move(const InputEvent& event) {
    const glm::vec2 motion = (event.at - mouse_) / size_.y;
    if (drag_ && !drag_->released()) drag_->move(rayAt(event.at), axis_);
    else if (stroke_ && brushDown_) stroke_->add(rayAt(event.at));
    else if (turning_) turn(event.at);
    else if (motion_ == Motion::Orbit) camera_.orbit(motion);
    else if (motion_ == Motion::Pan) camera_.pan(motion);
}

/// In whose tile this is.
std::optional<glm::uvec2> Hands::arrowAt(glm::vec2 pixel) const {
    if (!turnsArrows()) return std::nullopt;
    const glm::vec2 place = glm::vec2((rayAt(pixel).origin - settings_.grid.origin) / settings_.grid.size) * static_cast<float>(kArrows);
    if (glm::any(glm::lessThan(place, glm::vec2(0.0f))) || glm::any(glm::greaterThanEqual(place, glm::vec2(kArrows)))) return std::nullopt;
    return glm::uvec2(place);
}

glm::vec3 Hands::middleOf(glm::uvec2 arrow) const {
    return settings_.grid.origin + settings_.grid.size * glm::vec3((glm::vec2(arrow) + 0.5f) / static_cast<float>(kArrows), 0.5f);
}

/// Towards the mouse, wherever that goes.
void Hands::turn(glm::vec2 pixel) {
    if (!turning_) return;
    const glm::vec3 way = rayAt(pixel).origin - middleOf(*turning_);
    if (way.x == 0.0f && way.y == 0.0f) return;
    turnArrow(settings_.prescribed, *turning_, std::atan2(way.y, way.x));
    changed_ = true;
}

void Hands::wheel(const InputEvent& event) {
    if (event.ctrl != settings_.grid.isFlat()) {
        resize(event.wheel);
    } else if (drag_ && !drag_->released()) {
        drag_->push(rayAt(event.at), axis_, kDepthNotch * camera_.distance() * event.wheel);
    } else {
        camera_.dolly(event.wheel);
    }
}

/// What is held has come to rest where the hand has brought it; its own motion is over.
void Hands::putDown() {
    const Hold held = *std::exchange(drag_, std::nullopt);
    const Grip& grip = held.grip();
    if (grip.kind == Grip::Kind::Obstacle) {
        ObstacleSettings& o = settings_.obstacles.at(grip.index);
        o.shape.centre = held.place();
        o.velocity = glm::vec3(0.0f);
        o.keys.clear();
    } else {
        settings_.emitters.at(grip.index).shape.centre = held.place();
    }
    changed_ = true;
}

void Hands::letGo() {
    if (drag_) putDown();
    stroke_.reset();
    turning_.reset();
    brushDown_ = false;
    motion_ = Motion::None;
    depthAt_.reset();
}

void Hands::resize(float notches) {
    const float factor = std::pow(kRadiusNotch, notches);
    const std::optional<Grip> grip = drag_ ? std::optional(drag_->grip()) : under_ ? std::optional(under_->grip) : std::nullopt;
    if (!grip) {
        brush.radius = std::clamp(brush.radius * factor, 0.25f * settings_.grid.cellSize(), 0.5f * settings_.grid.size.y);
        return;
    }
    Shape& s = grip->kind == Grip::Kind::Obstacle ? settings_.obstacles.at(grip->index).shape : settings_.emitters.at(grip->index).shape;
    if (s.kind == ShapeKind::Mesh) return;  // its distances are of one size
    const float size = radiusOf(s) * factor;
    if (size < settings_.grid.cellSize() || size > glm::length(settings_.grid.size)) return;
    s.radius *= factor;
    s.half *= factor;
    changed_ = true;
}

void Hands::fly(const Input& input) {
    if (input.isDown(GLFW_KEY_LEFT_CONTROL) || input.isDown(GLFW_KEY_RIGHT_CONTROL)) return;
    const auto axis = [&](int forward, int back) { return static_cast<float>(input.isDown(forward)) - static_cast<float>(input.isDown(back)); };
    glm::vec3 way(axis(GLFW_KEY_D, GLFW_KEY_A), axis(GLFW_KEY_E, GLFW_KEY_Q), axis(GLFW_KEY_W, GLFW_KEY_S));
    const auto elapsed = static_cast<float>(std::min(input.elapsed, 0.2));
    way += glm::vec3(input.stick.x, 0.0f, -input.stick.y);
    if (input.turn != glm::vec2(0.0f)) camera_.orbit(elapsed * input.turn);  // it looks to where the stick points, as in games
    if (way != glm::vec3(0.0f)) camera_.fly(way * kFlySpeed * camera_.distance() * elapsed);
}

std::optional<glm::vec2> Hands::wantsDepth() const { return stroke_ && !stroke_->hasPlane() ? depthAt_ : std::nullopt; }

void Hands::setDepth(float depth) {
    if (!stroke_ || !depthAt_ || stroke_->hasPlane()) return;
    // Where nothing is seen, in the middle of the box.
    const glm::vec3 middle = settings_.grid.origin + 0.5f * settings_.grid.size, eye = camera_.settings().eye;
    if (!std::isfinite(depth)) depth = std::max(glm::dot(middle - eye, camera_.forward()), 0.1f * camera_.distance());
    stroke_->setPlane(eye + depth * camera_.forward());
    depthAt_.reset();
}

Hands::Deeds Hands::advance(std::uint32_t step, std::uint32_t steps) {
    const float dt = settings_.timeStep;
    Deeds deeds;
    if (drag_) {
        const Grip& grip = drag_->grip();
        deeds.way = drag_->step(dt);
        if (grip.kind == Grip::Kind::Obstacle) {
            deeds.held = grip.index;
        } else {
            settings_.emitters.at(grip.index).shape.centre = deeds.way.to;
            changed_ = true;
        }
    }
    if (stroke_ && settings_.grid.isFlat()) {
        if (brush.cycle > 0.0f && brushDown_) hue_ = std::fmod(hue_ + dt / brush.cycle, 1.0f);
        deeds.strokes = strokesOf(stroke_->ways(step, steps));
        drop_ = false;
    } else if (stroke_) {
        deeds.painted = stroke_->part(brush, step, steps, dt);
    }
    return deeds;
}

std::vector<std::pair<StrokeSettings, Way>> Hands::strokesOf(const std::vector<Way>& ways) const {
    StrokeSettings stroke{.radius = brush.radius, .force = brush.force, .density = brush.density, .temperature = brush.temperature, .colour = brush.colour};
    if (brush.cycle > 0.0f) {
        glm::vec3& c = stroke.colour;
        ImGui::ColorConvertHSVtoRGB(hue_, 1.0f, 1.0f, c.x, c.y, c.z);
        c = glm::pow(c, glm::vec3(2.2f));  // hues are of the screen
    }
    std::vector<std::pair<StrokeSettings, Way>> strokes;
    if (drop_ && !ways.empty()) {
        strokes.emplace_back(stroke, Way{ways.front().from - glm::vec3(brush.radius, 0.0f, 0.0f), ways.front().from + glm::vec3(brush.radius, 0.0f, 0.0f)});
        strokes.back().first.force = 0.0f;
    }
    for (const Way& way : ways)
        if (way.from != way.to) strokes.emplace_back(stroke, way);
    return strokes;
}

void Hands::beforeStep(SmokeSimulator& simulator, std::uint32_t step, std::uint32_t steps) {
    const Deeds deeds = advance(step, steps);
    if (deeds.held) simulator.hold(*deeds.held, deeds.way);
    for (const EmitterSettings& e : deeds.painted) simulator.paint(e);
    for (const auto& [stroke, way] : deeds.strokes) simulator.paint(stroke, way);
}

void Hands::afterSteps() {
    if (drag_ && drag_->done(kArrived * settings_.grid.cellSize())) putDown();
    if (!stroke_) return;
    const bool painted = stroke_->hasPlane();
    stroke_->end();
    if (painted && !brushDown_) stroke_.reset();
}

void Hands::drawGizmo(double time) const {
    const std::optional<Grip> grip = drag_ ? std::optional(drag_->grip()) : under_ ? std::optional(under_->grip) : std::nullopt;
    if (grip) return drawGrip(*grip, time);
    if (const auto arrow = turning_ ? turning_ : arrowUnder_; arrow && turnsArrows() && !stroke_) drawArrow(*arrow);
    const Ray ray = rayAt(mouse_);
    const glm::vec3 before = ray.origin + camera_.distance() * ray.direction;
    if (settings_.grid.isFlat() && !turning_) drawRing(before, brush.radius, IM_COL32(255, 255, 255, stroke_ ? 130 : 60));
    else if (stroke_) drawRing(stroke_->place(ray).value_or(before), brush.radius, IM_COL32(120, 200, 255, 200));
}

/// As it lies in the picture, where there are arrows in that.
void Hands::drawArrow(glm::uvec2 arrow) const {
    const float angle = arrowAngle(settings_.prescribed, arrow), length = WISP_ARROW_LENGTH * std::min(settings_.grid.size.x, settings_.grid.size.y) / static_cast<float>(kArrows);
    const glm::vec3 along = 0.5f * length * glm::vec3(std::cos(angle), std::sin(angle), 0.0f), middle = middleOf(arrow);
    const auto from = camera_.project(middle - along, size_), to = camera_.project(middle + along, size_);
    if (!from || !to) return;
    const glm::vec2 v = *to - *from, side = 0.15f * glm::vec2(-v.y, v.x), back = *to - 0.3f * v;
    const ImU32 colour = IM_COL32(255, 200, 90, turning_ ? 255 : 160);
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    for (const auto& [a, b] : {std::pair(*from, *to), std::pair(*to, back + side), std::pair(*to, back - side)}) list.AddLine({a.x, a.y}, {b.x, b.y}, colour, 3.0f);
}

/// Returns where its top is seen, if it is.
std::optional<glm::vec2> Hands::drawRing(glm::vec3 centre, float radius, std::uint32_t colour) const {
    const auto middle = camera_.project(centre, size_), edge = camera_.project(centre + radius * camera_.right(), size_);
    if (!middle || !edge) return std::nullopt;
    const float pixels = std::max(glm::distance(*middle, *edge), 3.0f);
    ImGui::GetBackgroundDrawList()->AddCircle({middle->x, middle->y}, pixels, colour, 64, 2.0f);
    return *middle - glm::vec2(0.0f, pixels);
}

void Hands::drawGrip(const Grip& grip, double time) const {
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    const glm::vec3 centre = drag_ ? drag_->place() : centreOf(settings_, grip, time);
    if (drag_ && axis_ != Drag::Axis::Plane) {
        const int axis = static_cast<int>(axis_) - static_cast<int>(Drag::Axis::X);
        const ImU32 colours[] = {IM_COL32(235, 90, 90, 220), IM_COL32(120, 210, 110, 220), IM_COL32(100, 150, 255, 220)};
        glm::vec3 low = centre, high = centre;
        low[axis] = settings_.grid.origin[axis];
        high[axis] = settings_.grid.origin[axis] + settings_.grid.size[axis];
        const auto a = camera_.project(low, size_), b = camera_.project(high, size_);
        if (a && b) list.AddLine({a->x, a->y}, {b->x, b->y}, colours[axis], 2.0f);
    }
    const bool capped = drag_ && drag_->capped();
    const ImU32 colour = capped ? IM_COL32(255, 90, 60, 255) : IM_COL32(255, 200, 90, drag_ ? 255 : 160);
    const auto top = drawRing(centre, radiusOf(shapeOf(settings_, grip)), colour);
    const std::string text = fmt::format("{} {}{}", grip.kind == Grip::Kind::Obstacle ? "obstacle" : "emitter", grip.index,
                                         capped ? fmt::format(": at most {} m/s", Follower::kMaxDragSpeed) : "");
    const ImVec2 extent = ImGui::CalcTextSize(text.c_str());
    if (top) list.AddText({top->x - 0.5f * extent.x, top->y - 1.4f * extent.y}, colour, text.c_str());
}

}  // namespace wisp::app
