// SPDX-License-Identifier: MIT
#pragma once

#include "app/live/brush.h"
#include "app/live/dragged_object.h"
#include "app/live/input.h"
#include "app/live/orbit_camera.h"
#include "app/live/target.h"
#include "wisp/simulation.h"

#include <optional>
#include <set>

namespace wisp::app {

/// Mouse and keyboard interaction with the scene: turns and moves the camera, drags objects, paints, and turns gravity or the arrows of a
/// prescribed velocity.
class Interaction {
public:
    /// Changes `settings` when the user drops, resizes or turns an object.
    Interaction(Settings& settings, OrbitCamera& camera) : target(settings), settings_(settings), camera_(camera) {}

    /// Call once per frame, before its steps. `time` is the simulation time [s], `gone` the displacement of the box by its target [m].
    void update(const Input& input, double time, glm::vec3 boxOffset = glm::vec3(0.0f));
    /// Call before each step of a frame.
    void beforeStep(Simulation& simulation, std::uint32_t step, std::uint32_t steps);
    /// Call when the settings have been applied to the simulation: objects that are no longer dragged are where the settings have them.
    void applied(Simulation& simulation);
    /// Input of the interaction to one simulation step.
    struct StepInput {
        std::optional<std::size_t> held;  ///< index of the dragged obstacle
        MotionSegment motion{};           ///< its motion in the step
        std::vector<EmitterSettings> painted;
        std::vector<std::pair<StrokeSettings, MotionSegment>> strokes;  ///< in a flat grid, instead of `painted`
    };
    /// beforeStep without the simulator: the caller passes the result on.
    [[nodiscard]] StepInput advance(std::uint32_t step, std::uint32_t steps);
    /// Sets the rectangle of the image in the window [screen coordinates].
    void setPicture(glm::vec2 corner, glm::vec2 size);
    /// Call after the steps of a frame.
    void afterSteps();
    /// Draws the hovered or dragged object, the arrow that a click would turn, and the brush.
    void drawGizmo(double time) const;

    /// Moves the target, and the obstacle attached to it, to the point of its level under a pixel. No effect while the user drags or
    /// paints.
    void jump(glm::vec2 pixel, double time);
    [[nodiscard]] bool holdsTarget() const { return isDragging() && dragsTarget(); }
    Target target;

    /// Position in [0, 1) in the image where a stroke has begun whose depth is still unknown.
    [[nodiscard]] std::optional<glm::vec2> wantsDepth() const;
    /// Depth along the view axis [m] at wantsDepth(); infinite where nothing is visible.
    void setDepth(float depth);

    /// Also true while a released object is still moving to its goal.
    [[nodiscard]] bool busy() const { return drag_ || stroke_ || turning_ || tilts_; }
    [[nodiscard]] bool changed() const { return changed_; }  ///< the settings have changed in this frame
    void letGo();                                            ///< ends the interaction; a dragged object stays where it is

    BrushSettings brush;
    bool outlines = false;  ///< draws faint outlines of obstacles, emitters and the box

private:
    void beginStroke(const InputEvent& event);
    [[nodiscard]] std::vector<std::pair<StrokeSettings, MotionSegment>> strokesOf(const std::vector<MotionSegment>& segments) const;
    void press(const InputEvent& event, double time);
    void release(const InputEvent& event);
    void move(const InputEvent& event);
    void wheel(const InputEvent& event);
    void endDrag();
    [[nodiscard]] bool isDragging() const { return (drag_ && !drag_->released()) || stroke_ || turning_; }
    [[nodiscard]] bool turnsArrows() const { return settings_.grid.isFlat() && settings_.prescribed.field == PrescribedField::Arrows; }
    [[nodiscard]] std::optional<glm::uvec2> arrowAt(glm::vec2 pixel) const;
    [[nodiscard]] glm::vec3 middleOf(glm::uvec2 arrow) const;
    void turn(glm::vec2 pixel);
    void drawArrow(glm::uvec2 arrow) const;
    void drawArrow(glm::vec3 from, glm::vec3 to, std::uint32_t colour) const;
    void drawGravity() const;
    void fly(const Input& input);
    void tilt(const Input& input);
    [[nodiscard]] glm::vec3 middleOfBox() const { return boxLow() + 0.5f * settings_.grid.size; }
    [[nodiscard]] std::optional<glm::vec3> pointAcross(glm::vec3 x) const;
    void resize(float notches);
    [[nodiscard]] bool dragsTarget() const { return drag_ && (alongTarget_ || drag_->grip().kind == ObjectRef::Kind::Target); }
    [[nodiscard]] glm::vec3 boxLow() const { return settings_.grid.origin + boxOffset_; }
    void take(const PickHit& touch, const Ray& ray, double time, bool alone);
    void bring(glm::vec3 position, double time, std::optional<std::size_t> along);
    void drawGrip(const ObjectRef& grip, double time) const;
    void drawBox(glm::vec3 low, glm::vec3 high, std::uint32_t colour) const;
    void drawOutlines(double time) const;
    void drawGhost(const Shape& shape) const;
    [[nodiscard]] bool nearMouse(glm::vec3 centre, float radius) const;
    std::optional<glm::vec2> drawRing(glm::vec3 centre, float radius, std::uint32_t colour) const;
    [[nodiscard]] Ray rayAt(glm::vec2 pixel) const { return camera_.rayThrough(pixel - corner_, size_); }
    [[nodiscard]] std::optional<glm::vec2> pixelOf(glm::vec3 x) const;

    Settings& settings_;
    OrbitCamera& camera_;
    std::optional<DraggedObject> drag_;
    std::optional<ObjectRef> placed_;  ///< the object that the simulation has where the user dragged it
    bool alongTarget_ = false;         ///< the dragged object is an obstacle attached to the target; both move
    double time_ = 0.0;                ///< of the last update [s]
    glm::vec3 boxOffset_{0.0f};        ///< displacement of the box by its target [m]
    std::optional<Stroke> stroke_;
    std::optional<glm::vec2> depthAt_;
    std::optional<PickHit> under_;                    ///< object under the mouse
    std::optional<glm::uvec2> arrowUnder_, turning_;  ///< arrow under the mouse; arrow that the user turns
    enum class Motion { None, Orbit, Pan };
    Motion motion_ = Motion::None;
    glm::vec2 size_{1.0f}, corner_{0.0f}, mouse_{0.0f};  ///< size and position of the image in the window; mouse in the window
    bool brushDown_ = false;
    float hue_ = 0.6f;    ///< of a brush with a colour cycle, in [0, 1)
    bool tilts_ = false;  ///< the user turns gravity
    bool drop_ = false;   ///< the stroke has just begun: its first segment is a drop
    Drag::Axis axis_ = Drag::Axis::Plane;
    std::set<int> shortcuts_;  ///< keys pressed together with Ctrl; they do not fly, even if Ctrl is released first
    bool changed_ = false;
};

}  // namespace wisp::app
