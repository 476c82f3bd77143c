// SPDX-License-Identifier: MIT
// Mouse and keyboard control of a scene, without a window.
#include "app/live/interaction.h"
#include "tests/support/gui_user.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <gtest/gtest.h>
#include <imgui.h>

#include <cmath>
#include <limits>
#include <optional>

namespace wisp::app {
namespace {

class InteractionTest : public testing::Test {
protected:
    using Kind = InputEvent::Kind;

    InteractionTest() {
        settings.grid.cells = {50, 50, 50};
        settings.grid.size = {1.0f, 1.0f, 1.0f};
        settings.timeStep = 1.0f / 60;
        settings.obstacles.push_back({.shape = {.centre = {0.5f, 0.5f, 0.5f}, .radius = 0.1f}, .velocity = {0.0f, 0.0f, 0.0f}});
        camera.set({.eye = {0.5f, 0.5f, 3.0f}, .target = {0.5f, 0.5f, 0.5f}, .fov = 0.7f});
    }
    glm::vec2 pixelOf(glm::vec3 x) const { return camera.project(x, size).value(); }
    InputEvent event(Kind kind, glm::vec3 at, int code = GLFW_MOUSE_BUTTON_LEFT) const {
        return {.kind = kind, .at = pixelOf(at), .code = code};
    }
    void update(std::vector<InputEvent> events) {
        Input input{.events = std::move(events), .size = size, .elapsed = 0.4};
        if (!input.events.empty()) mouse_ = input.events.back().at;
        input.mouse = mouse_;
        input.isDown = [this](int key) { return key == held || key == alsoHeld; };
        input.isPanel = [this](glm::vec2) { return panels; };
        interaction.update(input, 0.0);
    }
    /// The text over the image.
    std::string shown() {
        look();
        std::string all;
        for (const test::Seen& piece : user->seen()) all += piece.text;
        return all;
    }
    int triangles() {
        look();
        return ImGui::GetDrawData()->TotalIdxCount / 3;
    }
    void look() {
        if (!user) user.emplace([this] { interaction.drawGizmo(0.0); }, size);
        user->look();
    }
    /// Runs one image with some steps. Returns the largest distance between the start of a step and the obstacle's position after the step
    /// before.
    float picture(std::uint32_t steps) {
        float furthest = 0.0f;
        for (std::uint32_t i = 0; i < steps; ++i) {
            const Interaction::StepInput input = interaction.advance(i, steps);
            if (!input.held) continue;
            furthest = std::max(furthest, glm::distance(input.way.from, position_));
            position_ = input.way.to;
        }
        interaction.afterSteps();
        return furthest;
    }
    /// Runs until nothing is dragged. Returns the simulated time [s].
    float settle(std::uint32_t steps) {
        int pictures = 0;
        while (interaction.busy() && pictures < 1000) {
            EXPECT_LT(picture(steps), 1e-6f) << "the obstacle must not jump";
            ++pictures;
        }
        return static_cast<float>(pictures) * static_cast<float>(steps) * settings.timeStep;
    }
    glm::vec3 centre() const { return settings.obstacles[0].shape.centre; }
    void expectAt(glm::vec3 x, float cells) const {
        EXPECT_LT(glm::distance(centre(), x), cells * settings.grid.cellSize()) << centre().x << " " << centre().y << " " << centre().z;
    }

    const glm::vec2 size{800.0f, 600.0f};
    const glm::vec3 start{0.5f, 0.5f, 0.5f}, goal{0.8f, 0.6f, 0.5f};
    /// End of a drag to `goal`: the mouse grabs the obstacle at its front, 2.4 m from the camera, not at its centre, 2.5 m away.
    const glm::vec3 reached = start + 2.4f / 2.5f * (goal - start);
    Settings settings;
    OrbitCamera camera{{}};
    Interaction interaction{settings, camera};
    int held = 0, alsoHeld = 0;  // keys
    bool panels = false;         // panels cover the whole window
    std::optional<test::GuiUser> user;

    glm::vec3 position_{0.5f, 0.5f, 0.5f};  // of the obstacle after the last step

private:
    glm::vec2 mouse_{0.0f};
};

// On a slow machine a whole drag happens between two images. The body still moves the whole distance, and stops there.
TEST_F(InteractionTest, ReleasedObjectMovesOnToTheMousePosition) {
    for (const std::uint32_t steps : {1u, 8u}) {
        settings.obstacles[0].velocity = {0.1f, 0.0f, 0.0f};
        settings.obstacles[0].shape.centre = position_ = start;
        update({event(Kind::Press, start), event(Kind::Move, goal), event(Kind::Release, goal), event(Kind::Move, {0.2f, 0.2f, 0.5f})});
        picture(0);  // no step yet
        expectAt(start, 1e-6f);
        EXPECT_TRUE(interaction.busy());
        const float time = settle(steps);
        // The distance of 0.304 m shrinks by e in kDragTime. So it takes ln(0.304 / 0.0002) times that, and one image. The speed limit is
        // not reached.
        EXPECT_LT(time, 7.4f * Follower::kDragTime + static_cast<float>(steps + 1) * settings.timeStep);
        EXPECT_GT(time, 7.3f * Follower::kDragTime - settings.timeStep);
        expectAt(reached, 0.011f);  // plus the error of a ray through a pixel
        EXPECT_EQ(settings.obstacles[0].velocity, glm::vec3(0.0f));
    }
}

// The ball of the demo follows its keys until the user drags it.
TEST_F(InteractionTest, DraggedObstacleLeavesItsPath) {
    settings.obstacles[0].keys = {{.t = 0.0f, .centre = start}, {.t = 1.0f, .centre = {0.2f, 0.9f, 0.5f}}};
    position_ = start;
    update({event(Kind::Press, start), event(Kind::Move, goal), event(Kind::Release, goal)});
    settle(4);
    EXPECT_TRUE(settings.obstacles[0].keys.empty());
    expectAt(reached, 0.011f);
}

TEST_F(InteractionTest, ANewPressStopsAMovingObject) {
    for (const int button : {GLFW_MOUSE_BUTTON_LEFT, GLFW_MOUSE_BUTTON_RIGHT}) {
        settings.obstacles[0].shape.centre = position_ = start;
        update({event(Kind::Press, start), event(Kind::Move, goal), event(Kind::Release, goal)});
        picture(3);
        expectAt(start, 1e-6f);
        update({event(Kind::Press, {0.1f, 0.1f, 0.5f}, button)});
        const float way = glm::distance(centre(), start);
        EXPECT_GT(way, 0.1f);
        EXPECT_LT(way, 0.3f);
        const glm::vec3 there = centre();
        picture(4);
        expectAt(there, 1e-6f);
        update({event(Kind::Release, {0.1f, 0.1f, 0.5f}, button)});
        interaction.letGo();
    }
}

TEST_F(InteractionTest, EscapeStopsAMovingObject) {
    update({event(Kind::Press, start), event(Kind::Move, goal), event(Kind::Release, goal)});
    picture(3);
    interaction.letGo();
    EXPECT_FALSE(interaction.busy());
    EXPECT_GT(centre().x, start.x + 0.1f);
    EXPECT_LT(centre().x, goal.x - 0.02f);
}

TEST_F(InteractionTest, WheelAndMouseDoNotMoveAReleasedObject) {
    update({event(Kind::Press, start), event(Kind::Move, goal), event(Kind::Release, goal)});
    InputEvent wheel = event(Kind::Wheel, goal);
    wheel.wheel = 3.0f;
    const float distance = camera.distance();
    update({wheel});
    EXPECT_LT(camera.distance(), distance) << "the wheel must move the camera again";
    settle(2);
    expectAt(reached, 0.011f);
}

TEST_F(InteractionTest, ReleasedEmittersMoveOn) {
    settings.obstacles.clear();
    EmitterSettings e;
    e.shape = {.centre = start, .radius = 0.1f};
    settings.emitters.push_back(e);
    update({event(Kind::Press, start), event(Kind::Move, goal), event(Kind::Release, goal)});
    settle(1);
    EXPECT_LT(glm::distance(settings.emitters[0].shape.centre, reached), 0.011f * settings.grid.cellSize());
}

TEST_F(InteractionTest, AxisKeysRestrictTheDrag) {
    const std::pair<int, int> axes[] = {{GLFW_KEY_X, 0}, {GLFW_KEY_Y, 1}};
    for (const auto& [key, axis] : axes) {
        settings.obstacles[0].shape.centre = position_ = start;
        held = key;
        update({event(Kind::Press, start), event(Kind::Move, goal)});
        EXPECT_EQ(shown(), "obstacle 0");
        update({event(Kind::Release, goal)});
        settle(2);
        for (int n = 0; n < 3; ++n)
            if (n == axis) EXPECT_GT(std::abs(centre()[n] - start[n]), 0.05f) << key;
            else EXPECT_NEAR(centre()[n], start[n], 1e-5f) << key << " " << n;
    }
    // From the front, the z axis is a point. As far as the view is straight, sideways motion cannot drag along z.
    settings.obstacles[0].shape.centre = position_ = start;
    held = GLFW_KEY_Z;
    update({event(Kind::Press, start), event(Kind::Move, goal), event(Kind::Release, goal)});
    settle(2);
    EXPECT_NEAR(centre().x, start.x, 1e-5f);
    EXPECT_NEAR(centre().y, start.y, 1e-5f);
}

TEST_F(InteractionTest, WheelMovesADraggedObjectAway) {
    update({event(Kind::Press, start)});
    InputEvent wheel = event(Kind::Wheel, start);
    wheel.wheel = 1.0f;
    const float distance = camera.distance();
    update({wheel, event(Kind::Release, start)});
    settle(2);
    EXPECT_EQ(camera.distance(), distance);
    expectAt(start - glm::vec3(0.0f, 0.0f, 0.05f * distance), 0.02f);
}

TEST_F(InteractionTest, ControlAndWheelChangeTheSize) {
    InputEvent wheel = event(Kind::Wheel, start);
    wheel.wheel = 1.0f;
    wheel.ctrl = true;
    update({event(Kind::Move, start)});
    update({wheel});
    EXPECT_FLOAT_EQ(settings.obstacles[0].shape.radius, 0.108f);
    EXPECT_TRUE(interaction.changed());
    wheel.wheel = -100.0f;
    update({wheel});
    EXPECT_FLOAT_EQ(settings.obstacles[0].shape.radius, 0.108f) << "the radius must not be smaller than a cell";
    const float radius = interaction.brush.radius;
    InputEvent aside = event(Kind::Wheel, {0.1f, 0.1f, 0.5f});
    aside.wheel = 2.0f;
    aside.ctrl = true;
    update({event(Kind::Move, {0.1f, 0.1f, 0.5f})});
    update({aside});
    EXPECT_FLOAT_EQ(interaction.brush.radius, radius * 1.08f * 1.08f) << "without an object under the mouse the wheel changes the brush";
    settings.obstacles[0].shape = {.kind = ShapeKind::Capsule, .centre = start, .radius = 0.05f, .half = {0.0f, 0.1f, 0.0f}};
    wheel.wheel = 1.0f;
    update({event(Kind::Move, start)});
    update({wheel});
    EXPECT_FLOAT_EQ(settings.obstacles[0].shape.radius, 0.054f);
    EXPECT_FLOAT_EQ(settings.obstacles[0].shape.half.y, 0.108f);
}

TEST_F(InteractionTest, KeysFlyExceptWithControl) {
    const auto way = [&](int key, bool ctrl = false) {
        const glm::vec3 eye = camera.settings().eye;
        held = key;
        alsoHeld = ctrl ? GLFW_KEY_LEFT_CONTROL : 0;
        update({});
        held = alsoHeld = 0;
        return camera.settings().eye - eye;
    };
    // 0.8 of the distance of 2.5 m per second. An image counts for at most 0.2 s.
    const float step = 0.8f * 2.5f * 0.2f;
    const std::pair<int, glm::vec3> ways[] = {{GLFW_KEY_W, {0, 0, -1}}, {GLFW_KEY_S, {0, 0, 1}}, {GLFW_KEY_A, {-1, 0, 0}},
                                              {GLFW_KEY_D, {1, 0, 0}},  {GLFW_KEY_E, {0, 1, 0}}, {GLFW_KEY_Q, {0, -1, 0}}};
    for (const auto& [key, direction] : ways) EXPECT_LT(glm::distance(way(key), step * direction), 1e-5f) << key;
    EXPECT_EQ(way(GLFW_KEY_S, true), glm::vec3(0.0f)) << "Ctrl + S saves, so it must not move the camera";
    held = GLFW_KEY_S;
    const glm::vec3 eye = camera.settings().eye;
    update({{.kind = InputEvent::Kind::Key, .code = GLFW_KEY_S, .ctrl = true}});
    EXPECT_EQ(camera.settings().eye, eye) << "and must not start to fly when Ctrl is released first";
    held = 0;
    update({});
    EXPECT_LT(glm::distance(way(GLFW_KEY_S), glm::vec3(0, 0, step)), 1e-5f) << "a new press must fly";
}

TEST_F(InteractionTest, SticksFlyAndTurn) {
    Input input{.size = size, .elapsed = 0.1};
    input.stick = {1.0f, 0.0f};
    const glm::vec3 eye = camera.settings().eye;
    interaction.update(input, 0.0);
    EXPECT_NEAR(camera.settings().eye.x, eye.x + 0.8f * 2.5f * 0.1f, 1e-5f);
    const glm::vec3 target = camera.settings().target, before = camera.settings().eye;
    input.stick = {0.0f, 0.0f};
    input.turn = {1.0f, 0.0f};
    interaction.update(input, 0.0);
    EXPECT_LT(glm::distance(camera.settings().target, target), 1e-5f);
    EXPECT_LT(camera.settings().eye.x, before.x - 0.1f) << "the camera must look to the right";
    EXPECT_NEAR(camera.settings().eye.y, before.y, 1e-5f);
    EXPECT_NEAR(camera.distance(), 2.5f, 1e-5f);
    input.turn = {0.0f, 1.0f};
    interaction.update(input, 0.0);
    EXPECT_GT(camera.settings().eye.y, before.y + 0.1f) << "the camera must look down";
}

TEST_F(InteractionTest, DragsOnTheBackgroundMoveTheCamera) {
    const glm::vec3 aside{0.1f, 0.1f, 0.5f}, further{0.2f, 0.1f, 0.5f};
    const CameraSettings before = camera.settings();
    update({event(Kind::Press, aside), event(Kind::Move, further), event(Kind::Release, further)});
    EXPECT_EQ(camera.settings().target, before.target);
    EXPECT_GT(glm::distance(camera.settings().eye, before.eye), 0.1f) << "the camera must turn";
    const InputEvent inWheel{.kind = Kind::Wheel, .at = {10.0f, 10.0f}, .wheel = 1.0f};
    const float distance = camera.distance();
    update({inWheel});
    EXPECT_FLOAT_EQ(camera.distance(), 0.9f * distance);
    for (const bool shift : {false, true}) {
        camera.set(before);
        std::vector<InputEvent> events{event(Kind::Press, aside, shift ? GLFW_MOUSE_BUTTON_LEFT : GLFW_MOUSE_BUTTON_MIDDLE),
                                       event(Kind::Move, further),
                                       event(Kind::Release, further, shift ? GLFW_MOUSE_BUTTON_LEFT : GLFW_MOUSE_BUTTON_MIDDLE)};
        events[0].shift = shift;
        update(events);
        EXPECT_LT(glm::distance(camera.settings().target, before.target - glm::vec3(0.1f, 0.0f, 0.0f)), 1e-4f)
            << "the point under the mouse must move with the mouse";
    }
}

TEST_F(InteractionTest, PanelsBlockTheMouse) {
    const CameraSettings before = camera.settings();
    const float radius = settings.obstacles[0].shape.radius;
    panels = true;
    InputEvent wheel = event(Kind::Wheel, start);
    wheel.wheel = 1.0f;
    update({event(Kind::Press, start), event(Kind::Move, goal), wheel, event(Kind::Release, goal)});
    EXPECT_FALSE(interaction.busy());
    EXPECT_TRUE(camera.settings() == before);
    wheel.ctrl = true;
    update({wheel});
    EXPECT_EQ(settings.obstacles[0].shape.radius, radius);
    EXPECT_EQ(shown(), "");
    panels = false;
    update({event(Kind::Press, start)});
    panels = true;
    update({event(Kind::Move, goal), event(Kind::Release, goal)});
    settle(1);
    expectAt(reached, 0.011f);
}

TEST_F(InteractionTest, ShowsTheObjectUnderTheMouseAndTheSpeedLimit) {
    EXPECT_EQ(shown(), "");
    update({event(Kind::Move, start)});
    EXPECT_EQ(shown(), "obstacle 0");
    EXPECT_LT(glm::distance(user->seen().front().centre(), pixelOf(start + glm::vec3(0.0f, 0.12f, 0.0f))), 12.0f)
        << "the name must be above the obstacle";
    update({event(Kind::Move, {0.1f, 0.1f, 0.5f})});
    EXPECT_EQ(shown(), "");
    // 0.3 m in 20 ms is too fast.
    settings.timeStep = 0.001f;
    camera.set({.eye = {0.5f, 0.5f, 30.0f}, .target = {0.5f, 0.5f, 0.5f}, .fov = 0.7f});
    update({event(Kind::Press, start), event(Kind::Move, {9.0f, 0.5f, 0.5f})});
    picture(1);
    EXPECT_EQ(shown(), "obstacle 0: speed limit " + fmt::format("{}", Follower::kMaxDragSpeed) + " m/s");
    interaction.letGo();
    settings.obstacles.clear();
    settings.emitters.push_back({});
    settings.emitters.back().shape = {.centre = start, .radius = 0.1f};
    update({event(Kind::Move, start)});
    EXPECT_EQ(shown(), "emitter 0");
}

// If the ray hits neither smoke nor a solid, a stroke lies in the centre plane of the box. The ring of the brush is visible before.
TEST_F(InteractionTest, StrokeIsAtTheMeasuredDepth) {
    const glm::vec3 aside{0.1f, 0.1f, 0.5f};
    for (const float depth : {1.5f, std::numeric_limits<float>::infinity()}) {
        update({event(Kind::Press, aside, GLFW_MOUSE_BUTTON_RIGHT)});
        EXPECT_TRUE(interaction.busy());
        ASSERT_TRUE(interaction.wantsDepth());
        EXPECT_LT(glm::distance(*interaction.wantsDepth() * size, pixelOf(aside)), 0.01f);
        EXPECT_TRUE(interaction.advance(0, 1).painted.empty());
        EXPECT_GT(triangles(), 100) << "the ring of the brush";
        interaction.setDepth(depth);
        EXPECT_FALSE(interaction.wantsDepth());
        const std::vector<EmitterSettings> painted = interaction.advance(0, 1).painted;
        ASSERT_EQ(painted.size(), 1u);
        EXPECT_NEAR(painted[0].shape.centre.z, std::isfinite(depth) ? 3.0f - depth : 0.5f, 1e-5f);
        EXPECT_GT(triangles(), 100);
        update({event(Kind::Release, aside, GLFW_MOUSE_BUTTON_RIGHT)});
        interaction.afterSteps();
        EXPECT_FALSE(interaction.busy());
        interaction.setDepth(1.0f);  // the depth result of a finished stroke
        EXPECT_FALSE(interaction.busy());
    }
}

// At the speed limit, 20 m take longer than the maximum of one second.
TEST(DraggedObjectTest, ArrivesWithinASecondOrStops) {
    const Ray ray{{0.0f, 0.0f, 3.0f}, {0.0f, 0.0f, -1.0f}};
    DraggedObject hold(Drag({}, glm::vec3(0.0f), ray, 3.0f, ray.direction), glm::vec3(0.0f));
    hold.move({{20.0f, 0.0f, 3.0f}, {0.0f, 0.0f, -1.0f}}, Drag::Axis::Plane);
    int steps = 0;
    for (; steps < 60; ++steps) {
        hold.step(1.0f / 30);
        EXPECT_FALSE(hold.done(1e-4f)) << "still dragged";
    }
    hold.release();
    const float before = hold.place().x;
    for (steps = 0; !hold.done(1e-4f); ++steps) {
        ASSERT_LT(steps, 40);
        const MotionSegment way = hold.step(1.0f / 30);
        EXPECT_LE(way.to.x - way.from.x, Follower::kMaxDragSpeed / 30 * 1.0001f);
    }
    EXPECT_NEAR(steps, 30, 1);
    EXPECT_GT(hold.place().x, before);
}

}  // namespace
}  // namespace wisp::app
