// SPDX-License-Identifier: MIT
#include "app/live/interaction.h"

#include "compute/scene/prescribed.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <glm/common.hpp>
#include <glm/exponential.hpp>
#include <glm/geometric.hpp>
#include <glm/vector_relational.hpp>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace wisp::app {
namespace {

constexpr float kDepthNotch = 0.05f;   // motion of a dragged object per wheel notch [camera distances]
constexpr float kRadiusNotch = 1.08f;  // factor of a radius per wheel notch
constexpr float kFlySpeed = 0.8f;      // [camera distances/s]
constexpr float kArrived = 0.01f;      // [cells] from the goal: a released object is dropped

Drag::Axis wantedAxis(const Input& input) {
    if (input.isDown(GLFW_KEY_X)) return Drag::Axis::X;
    if (input.isDown(GLFW_KEY_Y)) return Drag::Axis::Y;
    if (input.isDown(GLFW_KEY_Z)) return Drag::Axis::Z;
    return Drag::Axis::Plane;
}

std::array<float, 3> listOf(const glm::vec3& v) { return {v.x, v.y, v.z}; }

/// A capsule of a stroke, and a segment of one in a flat grid.
BrushStroke strokeOf(const EmitterSettings& e) {
    return {.from = listOf(e.shape.centre - e.shape.half),
            .to = listOf(e.shape.centre + e.shape.half),
            .radius = e.shape.radius,
            .density = e.density,
            .temperature = e.temperature,
            .fuel = e.fuel,
            .colour = listOf(e.colour),
            .velocity = e.hasVelocity ? std::optional(listOf(e.velocity)) : std::nullopt};
}
BrushStroke strokeOf(const StrokeSettings& s, const MotionSegment& segment) {
    return {.from = listOf(segment.from),
            .to = listOf(segment.to),
            .radius = s.radius,
            .density = s.density,
            .temperature = s.temperature,
            .fuel = s.fuel,
            .colour = listOf(s.colour),
            .velocity = {},
            .force = s.force};
}

/// An emitter that was dragged leaves its path.
void placeEmitter(EmitterSettings& emitter, glm::vec3 centre) {
    emitter.shape.centre = centre;
    emitter.keys.clear();
}

}  // namespace

void Interaction::update(const Input& input, double time, glm::vec3 boxOffset) {
    changed_ = false;
    time_ = time;
    boxOffset_ = boxOffset;
    setPicture(input.corner, input.size);
    axis_ = wantedAxis(input);
    for (const InputEvent& event : input.events) {
        const bool panel = input.isPanel(event.at) && !isDragging() && motion_ == Motion::None;  // a drag continues over panels
        switch (event.kind) {
            case InputEvent::Kind::Press:
                if (!panel) press(event, time);
                break;
            case InputEvent::Kind::Release: release(event); break;
            case InputEvent::Kind::Move: move(event); break;
            case InputEvent::Kind::Wheel:
                if (!panel) wheel(event);
                break;
            case InputEvent::Kind::Key:
                if (event.ctrl) shortcuts_.insert(event.code);
                break;
        }
        mouse_ = event.at;
    }
    mouse_ = input.mouse;
    if (stroke_ && brushDown_) stroke_->add(rayAt(mouse_));  // a brush at rest also paints
    if (!busy()) {
        const bool panel = input.isPanel(mouse_);
        under_ = panel ? std::nullopt : touch(settings_, time, rayAt(mouse_));
        arrowUnder_ = panel || under_ ? std::nullopt : arrowAt(mouse_);
    }
    fly(input);
    tilt(input);
}

void Interaction::setPicture(glm::vec2 corner, glm::vec2 size) {
    corner_ = corner;
    size_ = glm::max(size, 1.0f);
}

/// Turns gravity from the centre of the box towards the mouse. Its magnitude stays the same.
void Interaction::tilt(const Input& input) {
    const bool ctrl = input.isDown(GLFW_KEY_LEFT_CONTROL) || input.isDown(GLFW_KEY_RIGHT_CONTROL);
    const bool free = !drag_ && !stroke_ && !turning_ && motion_ == Motion::None && !input.isPanel(mouse_);
    tilts_ = free && !ctrl && input.isDown(GLFW_KEY_G) && !shortcuts_.contains(GLFW_KEY_G) &&
             settings_.prescribed.field == PrescribedField::None;
    if (!tilts_) return;
    under_.reset();  // its object may be removed during the interaction
    arrowUnder_.reset();
    const std::optional<glm::vec3> position = pointAcross(middleOfBox());
    glm::vec3 direction = position ? *position - middleOfBox() : glm::vec3(0.0f);
    if (settings_.grid.isFlat()) direction.z = 0.0f;
    if (glm::length(direction) < settings_.grid.cellSize()) return;  // the direction is undefined
    const float g = glm::length(settings_.flow.gravity);
    settings_.flow.gravity = (g > 0.0f ? g : glm::length(FlowSettings{}.gravity)) * glm::normalize(direction);
    changed_ = true;
}

/// Position of the mouse in the plane through x perpendicular to the view direction.
std::optional<glm::vec3> Interaction::pointAcross(glm::vec3 x) const {
    const Ray ray = rayAt(mouse_);
    const std::optional<float> t = meetPlane(ray, x, camera_.forward());
    return t ? std::optional(ray.origin + *t * ray.direction) : std::nullopt;
}

void Interaction::press(const InputEvent& event, double time) {
    if (drag_ && drag_->released() && event.code != GLFW_MOUSE_BUTTON_MIDDLE) endDrag();  // the user starts a new interaction
    if (event.code == GLFW_MOUSE_BUTTON_LEFT && !busy()) {
        const Ray ray = rayAt(event.at);
        const std::optional<PickHit> alone = event.ctrl && !event.shift ? pickTarget(settings_, time, ray) : std::nullopt;
        under_ = alone || event.shift ? alone : touch(settings_, time, ray);
        if (under_) {
            take(*under_, ray, time, alone.has_value());
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

/// The target and the obstacle attached to it are dragged together, unless `alone` selects the target only.
void Interaction::take(const PickHit& touch, const Ray& ray, double time, bool alone) {
    const std::optional<std::size_t> on = alone ? std::nullopt : obstacleOnTarget(settings_);
    ObjectRef grip = touch.grip;
    alongTarget_ = on && (grip.kind == ObjectRef::Kind::Target || grip == ObjectRef{ObjectRef::Kind::Obstacle, *on});
    if (alongTarget_) grip = {ObjectRef::Kind::Obstacle, *on};
    const glm::vec3 centre = centreOf(settings_, grip, time);
    const float most = alongTarget_ || grip.kind == ObjectRef::Kind::Target ? targetSpeed(settings_.grid) : Follower::kMaxDragSpeed;
    drag_.emplace(Drag(grip, centre, ray, touch.distance, camera_.forward()), centre, most);
}

void Interaction::bring(glm::vec3 position, double time, std::optional<std::size_t> along) {
    target.move(position, time, along);
    changed_ = true;
}

void Interaction::jump(glm::vec2 pixel, double time) {
    if (busy()) return;
    if (const std::optional<glm::vec3> position = onTargetLevel(settings_, time, rayAt(pixel)))
        bring(*position, time, obstacleOnTarget(settings_));
}

/// In a flat grid the plane of the stroke is known. In a box its depth is that of the visible surface or smoke.
void Interaction::beginStroke(const InputEvent& event) {
    stroke_.emplace(camera_.forward());
    stroke_->add(rayAt(event.at));
    brushDown_ = drop_ = true;
    if (settings_.grid.isFlat()) stroke_->setPlane(boxLow() + 0.5f * settings_.grid.size);
    else depthAt_ = glm::clamp((event.at - corner_) / size_, 0.0f, 0.9999f);  // below 1, so that the pixel exists
}

void Interaction::release(const InputEvent& event) {
    const bool draws = event.code == GLFW_MOUSE_BUTTON_RIGHT || (event.code == GLFW_MOUSE_BUTTON_LEFT && settings_.grid.isFlat());
    if (stroke_ && draws) brushDown_ = false;  // the stroke still waits for its depth and for a step
    else if (event.code == GLFW_MOUSE_BUTTON_LEFT && drag_) drag_->release();
    else if (event.code == GLFW_MOUSE_BUTTON_LEFT && turning_) turning_.reset();
    else motion_ = Motion::None;
}

void Interaction::move(const InputEvent& event) {
    const glm::vec2 motion = (event.at - mouse_) / size_.y;
    if (drag_ && !drag_->released()) drag_->move(rayAt(event.at), axis_);
    else if (stroke_ && brushDown_) stroke_->add(rayAt(event.at));
    else if (turning_) turn(event.at);
    else if (motion_ == Motion::Orbit) camera_.orbit(motion);
    else if (motion_ == Motion::Pan) camera_.pan(motion);
}

/// Arrow whose tile contains the pixel.
std::optional<glm::uvec2> Interaction::arrowAt(glm::vec2 pixel) const {
    if (!turnsArrows()) return std::nullopt;
    const glm::vec2 position = glm::vec2((rayAt(pixel).origin - boxLow()) / settings_.grid.size) * static_cast<float>(kArrows);
    if (glm::any(glm::lessThan(position, glm::vec2(0.0f))) || glm::any(glm::greaterThanEqual(position, glm::vec2(kArrows))))
        return std::nullopt;
    return glm::uvec2(position);
}

glm::vec3 Interaction::middleOf(glm::uvec2 arrow) const {
    return boxLow() + settings_.grid.size * glm::vec3((glm::vec2(arrow) + 0.5f) / static_cast<float>(kArrows), 0.5f);
}

/// Turns the arrow towards the mouse, also when the mouse is outside its tile.
void Interaction::turn(glm::vec2 pixel) {
    if (!turning_) return;
    const glm::vec3 way = rayAt(pixel).origin - middleOf(*turning_);
    if (way.x == 0.0f && way.y == 0.0f) return;
    setArrowAngle(settings_.prescribed, *turning_, std::atan2(way.y, way.x));
    changed_ = true;
}

void Interaction::wheel(const InputEvent& event) {
    if (event.ctrl != settings_.grid.isFlat() && !holdsTarget()) {
        resize(event.wheel);
    } else if (drag_ && !drag_->released()) {
        drag_->push(rayAt(event.at), axis_, kDepthNotch * camera_.distance() * event.wheel);
    } else {
        camera_.dolly(event.wheel);
    }
}

/// Ends the drag: the object stays at its current position and loses its own velocity and path.
void Interaction::endDrag() {
    const bool brings = dragsTarget();
    const DraggedObject held = *std::exchange(drag_, std::nullopt);
    const ObjectRef& grip = held.grip();
    if (brings) {
        bring(held.position(), time_, alongTarget_ ? std::optional(grip.index) : std::nullopt);
    } else if (grip.kind == ObjectRef::Kind::Obstacle) {
        ObstacleSettings& o = settings_.obstacles.at(grip.index);
        o.shape.centre = held.position();
        o.velocity = glm::vec3(0.0f);
        o.keys.clear();
    } else {
        placeEmitter(settings_.emitters.at(grip.index), held.position());
    }
    changed_ = true;
}

void Interaction::letGo() {
    if (drag_) endDrag();
    stroke_.reset();
    turning_.reset();
    brushDown_ = false;
    motion_ = Motion::None;
    depthAt_.reset();
}

void Interaction::resize(float notches) {
    const float factor = std::pow(kRadiusNotch, notches);
    const std::optional<ObjectRef> grip = drag_ ? std::optional(drag_->grip()) : under_ ? std::optional(under_->grip) : std::nullopt;
    if (!grip) {
        brush.radius = std::clamp(brush.radius * factor, 0.25f * settings_.grid.cellSize(), 0.5f * settings_.grid.size.y);
        return;
    }
    if (grip->kind == ObjectRef::Kind::Target) return;
    Shape& s = grip->kind == ObjectRef::Kind::Obstacle ? settings_.obstacles.at(grip->index).shape
                                                       : settings_.emitters.at(grip->index).shape;
    if (s.kind == ShapeKind::Mesh) return;  // the distance field of a mesh has a fixed size
    const float size = radiusOf(s) * factor;
    if (size < settings_.grid.cellSize() || size > glm::length(settings_.grid.size)) return;
    s.radius *= factor;
    s.half *= factor;
    changed_ = true;
}

void Interaction::fly(const Input& input) {
    if (input.isDown(GLFW_KEY_LEFT_CONTROL) || input.isDown(GLFW_KEY_RIGHT_CONTROL)) return;
    std::erase_if(shortcuts_, [&](int key) { return !input.isDown(key); });
    const auto flies = [&](int key) { return input.isDown(key) && !shortcuts_.contains(key); };
    const auto axis = [&](int forward, int back) { return static_cast<float>(flies(forward)) - static_cast<float>(flies(back)); };
    glm::vec3 motion(axis(GLFW_KEY_D, GLFW_KEY_A), axis(GLFW_KEY_E, GLFW_KEY_Q), axis(GLFW_KEY_W, GLFW_KEY_S));
    const auto elapsed = static_cast<float>(std::min(input.elapsed, 0.2));
    motion += glm::vec3(input.stick.x, 0.0f, -input.stick.y);
    if (input.turn != glm::vec2(0.0f)) camera_.orbit(elapsed * input.turn);  // the camera looks where the stick points, as in games
    if (motion != glm::vec3(0.0f)) camera_.fly(motion * kFlySpeed * camera_.distance() * elapsed);
}

std::optional<glm::vec2> Interaction::wantsDepth() const { return stroke_ && !stroke_->hasPlane() ? depthAt_ : std::nullopt; }

void Interaction::setDepth(float depth) {
    if (!stroke_ || !depthAt_ || stroke_->hasPlane()) return;
    // Use the depth of the box centre where nothing is visible.
    const glm::vec3 middle = boxLow() + 0.5f * settings_.grid.size, eye = camera_.settings().eye;
    if (!std::isfinite(depth)) depth = std::max(glm::dot(middle - eye, camera_.forward()), 0.1f * camera_.distance());
    stroke_->setPlane(eye + depth * camera_.forward());
    depthAt_.reset();
}

Interaction::StepInput Interaction::advance(std::uint32_t step, std::uint32_t steps) {
    const float dt = settings_.timeStep;
    StepInput input;
    if (drag_) {
        const ObjectRef& grip = drag_->grip();
        input.motion = drag_->step(dt);
        if (grip.kind == ObjectRef::Kind::Obstacle) input.held = grip.index;
        if (dragsTarget()) bring(input.motion.to, time_, input.held);
        if (grip.kind == ObjectRef::Kind::Emitter) {
            placeEmitter(settings_.emitters.at(grip.index), input.motion.to);
            changed_ = true;
        }
    }
    if (stroke_ && settings_.grid.isFlat()) {
        if (brush.cycle > 0.0f && brushDown_) hue_ = std::fmod(hue_ + dt / brush.cycle, 1.0f);
        input.strokes = strokesOf(stroke_->segments(step, steps));
        drop_ = false;
    } else if (stroke_) {
        input.painted = stroke_->part(brush, step, steps, dt, settings_);
    }
    return input;
}

std::vector<std::pair<StrokeSettings, MotionSegment>> Interaction::strokesOf(const std::vector<MotionSegment>& segments) const {
    const BrushSettings here = brushIn(settings_, brush);
    StrokeSettings stroke{.radius = here.radius,
                          .force = here.force,
                          .density = here.density,
                          .temperature = here.temperature,
                          .fuel = here.fuel,
                          .colour = here.colour};
    if (brush.cycle > 0.0f) {
        glm::vec3& c = stroke.colour;
        ImGui::ColorConvertHSVtoRGB(hue_, 1.0f, 1.0f, c.x, c.y, c.z);
        c = glm::pow(c, glm::vec3(2.2f));  // from display to linear values
    }
    std::vector<std::pair<StrokeSettings, MotionSegment>> strokes;
    if (drop_ && !segments.empty()) {
        strokes.emplace_back(stroke, MotionSegment{segments.front().from - glm::vec3(brush.radius, 0.0f, 0.0f),
                                                   segments.front().from + glm::vec3(brush.radius, 0.0f, 0.0f)});
        strokes.back().first.force = 0.0f;
    }
    for (const MotionSegment& segment : segments)
        if (segment.from != segment.to) strokes.emplace_back(stroke, segment);
    return strokes;
}

void Interaction::beforeStep(Simulation& simulation, std::uint32_t step, std::uint32_t steps) {
    const bool brings = dragsTarget();
    const StepInput input = advance(step, steps);
    if (drag_) {
        const ObjectRef& grip = drag_->grip();
        if (brings) simulation.follow(listOf(settings_.follow.keys.front().centre));  // it stays in the world
        if (grip.kind != ObjectRef::Kind::Target) placed_ = grip;
        if (grip.kind == ObjectRef::Kind::Obstacle) simulation.obstacle(grip.index).place(listOf(input.motion.to));
        if (grip.kind == ObjectRef::Kind::Emitter) simulation.emitter(grip.index).place(listOf(input.motion.to));
    }
    for (const EmitterSettings& e : input.painted) simulation.paint(strokeOf(e));
    for (const auto& [stroke, segment] : input.strokes) simulation.paint(strokeOf(stroke, segment));
}

void Interaction::applied(Simulation& simulation) {
    if (drag_ || !placed_) return;
    const auto [kind, index] = *std::exchange(placed_, std::nullopt);
    if (kind == ObjectRef::Kind::Obstacle && index < simulation.obstacleCount()) simulation.obstacle(index).release();
    if (kind == ObjectRef::Kind::Emitter && index < simulation.emitterCount()) simulation.emitter(index).release();
}

void Interaction::afterSteps() {
    if (drag_ && drag_->done(kArrived * settings_.grid.cellSize())) endDrag();
    if (!stroke_) return;
    const bool painted = stroke_->hasPlane();
    stroke_->end();
    if (painted && !brushDown_) stroke_.reset();
}

}  // namespace wisp::app
