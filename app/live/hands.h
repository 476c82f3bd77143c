// SPDX-License-Identifier: MIT
#pragma once

#include "app/live/brush.h"
#include "app/live/hold.h"
#include "app/live/input.h"
#include "app/live/orbit_camera.h"
#include "app/live/target.h"
#include "compute/sim/fluid_simulator.h"

#include <optional>
#include <set>

namespace wisp::app {

/// What the mouse and the keys that go with it do to the scene in a window: turn and move the camera, take things and move them, paint,
/// turn gravity, or the arrows that stand for a velocity.
class Hands {
public:
    /// Works on `settings`, which it changes when something is put down, grows or turns.
    Hands(Settings& settings, OrbitCamera& camera) : target(settings), settings_(settings), camera_(camera) {}

    /// Once a picture, before its steps. `time` is the simulation's [s], `gone` how far its box has gone after its target [m].
    void update(const Input& input, double time, glm::vec3 gone = glm::vec3(0.0f));
    /// Before each of a picture's steps.
    void beforeStep(FluidSimulator& simulator, std::uint32_t step, std::uint32_t steps);
    /// The same without the simulator, which is to be told of this.
    struct Deeds {
        std::optional<std::size_t> held;  ///< an obstacle
        Way way{};                        ///< that it goes in the step
        std::vector<EmitterSettings> painted;
        std::vector<std::pair<StrokeSettings, Way>> strokes;  ///< in a flat grid, instead
    };
    [[nodiscard]] Deeds advance(std::uint32_t step, std::uint32_t steps);
    /// Where the picture lies in the window [screen coordinates].
    void setPicture(glm::vec2 corner, glm::vec2 size);
    /// After the steps.
    void afterSteps();
    /// Shows what would be taken or turned, and the brush.
    void drawGizmo(double time) const;

    /// The target jumps to what is seen of its level at a pixel, with what is on it; not while something is held.
    void jump(glm::vec2 pixel, double time);
    [[nodiscard]] bool holdsTarget() const { return inHand() && dragsTarget(); }
    Target target;

    /// A pixel, as a share of the picture, whose depth is wanted: a stroke begins there.
    [[nodiscard]] std::optional<glm::vec2> wantsDepth() const;
    /// Along the view axis [m]; infinite where nothing is seen.
    void setDepth(float depth);

    [[nodiscard]] bool busy() const { return drag_ || stroke_ || turning_ || tilts_; }  ///< also with what is released and still on its way
    [[nodiscard]] bool changed() const { return changed_; }                             ///< settings, in this picture
    void letGo();                                                                       ///< puts down what is held where it is

    BrushSettings brush;
    bool outlines = false;  ///< shows where obstacles, emitters and the box are, faintly

private:
    void beginStroke(const InputEvent& event);
    [[nodiscard]] std::vector<std::pair<StrokeSettings, Way>> strokesOf(const std::vector<Way>& ways) const;
    void press(const InputEvent& event, double time);
    void release(const InputEvent& event);
    void move(const InputEvent& event);
    void wheel(const InputEvent& event);
    void putDown();
    [[nodiscard]] bool inHand() const { return (drag_ && !drag_->released()) || stroke_ || turning_; }
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
    [[nodiscard]] bool dragsTarget() const { return drag_ && (alongTarget_ || drag_->grip().kind == Grip::Kind::Target); }
    [[nodiscard]] glm::vec3 boxLow() const { return settings_.grid.origin + gone_; }
    void take(const Touch& touch, const Ray& ray, double time, bool alone);
    void bring(glm::vec3 place, double time, std::optional<std::size_t> along);
    void drawGrip(const Grip& grip, double time) const;
    void drawBox(glm::vec3 low, glm::vec3 high, std::uint32_t colour) const;
    void drawOutlines(double time) const;
    void drawGhost(const Shape& shape) const;
    [[nodiscard]] bool nearMouse(glm::vec3 centre, float radius) const;
    std::optional<glm::vec2> drawRing(glm::vec3 centre, float radius, std::uint32_t colour) const;
    [[nodiscard]] Ray rayAt(glm::vec2 pixel) const { return camera_.rayThrough(pixel - corner_, size_); }
    [[nodiscard]] std::optional<glm::vec2> pixelOf(glm::vec3 x) const;

    Settings& settings_;
    OrbitCamera& camera_;
    std::optional<Hold> drag_;
    bool alongTarget_ = false;  ///< what is dragged is an obstacle on the target, which goes with it
    double time_ = 0.0;         ///< of the last update [s]
    glm::vec3 gone_{0.0f};      ///< the box [m]
    std::optional<Stroke> stroke_;
    std::optional<glm::vec2> depthAt_;
    std::optional<Touch> under_;                      ///< the mouse
    std::optional<glm::uvec2> arrowUnder_, turning_;  ///< the same, and in the hand
    enum class Motion { None, Orbit, Pan };
    Motion motion_ = Motion::None;
    glm::vec2 size_{1.0f}, corner_{0.0f}, mouse_{0.0f};  ///< of the picture in the window; in the window
    bool brushDown_ = false;
    float hue_ = 0.6f;    ///< of a brush that cycles, in turns
    bool tilts_ = false;  ///< gravity is turned
    bool drop_ = false;   ///< the stroke has just begun: where it did it leaves a drop
    Drag::Axis axis_ = Drag::Axis::Plane;
    std::set<int> shortcuts_;  ///< keys that went down with Ctrl: they fly nowhere, though Ctrl goes up first
    bool changed_ = false;
};

}  // namespace wisp::app
