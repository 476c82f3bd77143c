// SPDX-License-Identifier: MIT
#pragma once

#include "app/live/brush.h"
#include "app/live/hold.h"
#include "app/live/input.h"
#include "app/live/orbit_camera.h"
#include "compute/smoke_simulator.h"

#include <optional>

namespace wisp::app {

/// What the mouse and the keys that go with it do to the scene in a window: turn and move the camera, take things and move them, paint,
/// turn the arrows that stand for a velocity.
class Hands {
public:
    /// Works on `settings`, which it changes when something is put down, grows or turns.
    Hands(Settings& settings, OrbitCamera& camera) : settings_(settings), camera_(camera) {}

    /// Once a picture, before its steps. `time` is the simulation's [s].
    void update(const Input& input, double time);
    /// Before each of a picture's steps.
    void beforeStep(SmokeSimulator& simulator, std::uint32_t step, std::uint32_t steps);
    /// The same without the simulator, which is to be told of this.
    struct Deeds {
        std::optional<std::size_t> held;  ///< an obstacle
        Way way{};                        ///< that it goes in the step
        std::vector<EmitterSettings> painted;
        std::vector<std::pair<StrokeSettings, Way>> strokes;  ///< in a flat grid, instead
    };
    [[nodiscard]] Deeds advance(std::uint32_t step, std::uint32_t steps);
    /// After the steps.
    void afterSteps();
    /// Shows what would be taken or turned, and the brush.
    void drawGizmo(double time) const;

    /// A pixel, as a share of the window, whose depth is wanted: a stroke begins there.
    [[nodiscard]] std::optional<glm::vec2> wantsDepth() const;
    /// Along the view axis [m]; infinite where nothing is seen.
    void setDepth(float depth);

    [[nodiscard]] bool busy() const { return drag_ || stroke_ || turning_; }  ///< also with what is released and still on its way
    [[nodiscard]] bool changed() const { return changed_; }  ///< settings, in this picture
    void letGo();                                            ///< puts down what is held where it is

    BrushSettings brush;

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
    void fly(const Input& input);
    void resize(float notches);
    void drawGrip(const Grip& grip, double time) const;
    std::optional<glm::vec2> drawRing(glm::vec3 centre, float radius, std::uint32_t colour) const;
    [[nodiscard]] Ray rayAt(glm::vec2 pixel) const { return camera_.rayThrough(pixel, size_); }

    Settings& settings_;
    OrbitCamera& camera_;
    std::optional<Hold> drag_;
    std::optional<Stroke> stroke_;
    std::optional<glm::vec2> depthAt_;
    std::optional<Touch> under_;  ///< the mouse
    std::optional<glm::uvec2> arrowUnder_, turning_;  ///< the same, and in the hand
    enum class Motion { None, Orbit, Pan };
    Motion motion_ = Motion::None;
    glm::vec2 size_{1.0f}, mouse_{0.0f};
    bool brushDown_ = false;
    float hue_ = 0.6f;        ///< of a brush that cycles, in turns
    bool drop_ = false;       ///< the stroke has just begun: where it did it leaves a drop
    Drag::Axis axis_ = Drag::Axis::Plane;
    bool changed_ = false;
};

}  // namespace wisp::app
