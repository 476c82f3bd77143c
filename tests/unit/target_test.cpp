// SPDX-License-Identifier: MIT
// Dragging the target of a following box, without a window.
#include "app/live/interaction.h"
#include "compute/scene/motion.h"
#include "compute/scene/validate.h"
#include "tests/support/gui_user.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <gtest/gtest.h>
#include <imgui.h>

#include <cmath>

namespace wisp::app {
namespace {

constexpr double kNow = 1.0;  // [s]

/// A box of 32 m. Its target moves along x at 2 m/s and is at the origin at kNow. An obstacle is at the target.
class TargetTest : public testing::Test {
protected:
    using Kind = InputEvent::Kind;

    TargetTest() {
        settings.grid.cells = {32, 16, 32};
        settings.grid.size = {32.0f, 16.0f, 32.0f};
        settings.grid.origin = {-16.0f, -8.0f, -16.0f};
        settings.timeStep = 1.0f / 60;
        settings.follow.keys = way;
        settings.obstacles.push_back({.shape = {.centre = {-2.0f, 0.0f, 0.0f}, .radius = 0.5f}, .keys = way});
        settings.camera = {.eye = {-2.0f, 10.0f, 30.0f}, .target = {-2.0f, 0.0f, 0.0f}, .fov = 0.7f, .follows = true};
        camera.set(cameraAt(settings, kNow));
    }
    InputEvent event(Kind kind, glm::vec3 at, bool ctrl = false) const {
        return {.kind = kind, .at = camera.project(at, size).value(), .code = GLFW_MOUSE_BUTTON_LEFT, .ctrl = ctrl};
    }
    void update(std::vector<InputEvent> events) {
        Input input{.events = std::move(events), .size = size};
        if (!input.events.empty()) mouse_ = input.events.back().at;
        input.mouse = mouse_;
        interaction.update(input, kNow);
    }
    void drag(glm::vec3 from, glm::vec3 to, bool ctrl = false) {
        update({event(Kind::Press, from, ctrl), event(Kind::Move, to), event(Kind::Release, to)});
    }
    MotionSegment step() { return interaction.advance(0, 1).way; }
    void settle() {
        for (int steps = 0; interaction.busy(); ++steps) {
            ASSERT_LT(steps, 1000);
            step();
            interaction.afterSteps();
        }
    }
    glm::vec3 position() { return targetPosition(settings.follow, kNow); }
    static void expectNear(glm::vec3 a, glm::vec3 b, float tolerance) {
        EXPECT_LT(glm::distance(a, b), tolerance) << a.x << " " << a.y << " " << a.z;
    }
    std::string shown() {
        if (!user) user.emplace([this] { interaction.drawGizmo(kNow); }, size);
        user->look();
        std::string all;
        for (const test::Seen& piece : user->seen()) all += piece.text;
        return all;
    }

    const std::vector<PathKey> way{{.t = 0.0f, .centre = {-2.0f, 0.0f, 0.0f}}, {.t = 2.0f, .centre = {2.0f, 0.0f, 0.0f}}};
    const glm::vec2 size{800.0f, 600.0f};
    Settings settings;
    OrbitCamera camera{{}};
    Interaction interaction{settings, camera};
    std::optional<test::GuiUser> user;

private:
    glm::vec2 mouse_{0.0f};
};

TEST_F(TargetTest, ObstacleOnTheTargetIsGrabbedFirst) {
    const Ray middle{{0.0f, 0.0f, 20.0f}, {0.0f, 0.0f, -1.0f}}, beside{{0.7f, 0.0f, 20.0f}, {0.0f, 0.0f, -1.0f}},
        past{{0.9f, 0.0f, 20.0f}, {0.0f, 0.0f, -1.0f}};
    ASSERT_TRUE(touch(settings, kNow, middle));
    EXPECT_EQ(touch(settings, kNow, middle)->grip, (ObjectRef{ObjectRef::Kind::Obstacle, 0})) << "although the ring of 0.8 m is nearer";
    ASSERT_TRUE(touch(settings, kNow, beside));
    EXPECT_EQ(touch(settings, kNow, beside)->grip.kind, ObjectRef::Kind::Target);
    EXPECT_FALSE(touch(settings, kNow, past));
    ASSERT_TRUE(pickTarget(settings, kNow, middle));
    EXPECT_NEAR(pickTarget(settings, kNow, middle)->distance, 20.0f - targetRadius(settings.grid), 0.01f);
    settings.follow.keys.clear();
    EXPECT_FALSE(touch(settings, kNow, beside)) << "a box without follow keys has no target";
    EXPECT_FALSE(pickTarget(settings, kNow, middle));
    EXPECT_FALSE(obstacleOnTarget(settings));
}

TEST_F(TargetTest, MovesTogetherWithItsObstacle) {
    for (const glm::vec3 taken : {glm::vec3(0.0f), glm::vec3(0.7f, 0.0f, 0.0f)}) {
        settings.follow.keys = settings.obstacles[0].keys = way;
        update({event(Kind::Press, taken), event(Kind::Move, taken + glm::vec3(6.0f, 0.0f, 0.0f))});
        EXPECT_TRUE(interaction.holdsTarget());
        const Interaction::StepInput input = interaction.advance(0, 1);
        EXPECT_EQ(input.held, 0u) << "the flow must be affected by the obstacle";
        EXPECT_EQ(input.way.from, glm::vec3(0.0f)) << "the drag must start at the current position, not at the initial one";
        EXPECT_EQ(position(), input.way.to) << "the box must follow during the drag";
        EXPECT_TRUE(interaction.changed());
        update({event(Kind::Release, taken + glm::vec3(6.0f, 0.0f, 0.0f))});
        EXPECT_FALSE(interaction.holdsTarget());
        settle();
        expectNear(position(), {6.0f, 0.0f, 0.0f}, 0.5f);  // the mouse grabs the obstacle at its front, which is nearer
        ASSERT_EQ(settings.follow.keys.size(), 1u);
        EXPECT_EQ(settings.follow.keys[0].t, 0.0f);
        EXPECT_EQ(settings.obstacles[0].keys, settings.follow.keys) << "the obstacle must stay at the target";
        EXPECT_TRUE(validate(settings).empty());
    }
}

TEST_F(TargetTest, ControlDragsOnlyTheTarget) {
    drag(glm::vec3(0.0f), {6.0f, 0.0f, 0.0f}, true);
    EXPECT_FALSE(interaction.advance(0, 1).held);
    settle();
    expectNear(position(), {6.0f, 0.0f, 0.0f}, 0.5f);
    EXPECT_EQ(settings.obstacles[0].keys, way);
    settings.follow.keys.clear();
    update({event(Kind::Press, glm::vec3(0.0f), true)});
    EXPECT_TRUE(interaction.busy()) << "a press without Ctrl is no other press";
    EXPECT_FALSE(interaction.holdsTarget());
}

TEST_F(TargetTest, StopsWhereItIsReleased) {
    drag(glm::vec3(0.0f), {12.0f, 0.0f, 0.0f}, true);
    for (int i = 0; i < 3; ++i) step();
    interaction.letGo();
    EXPECT_FALSE(interaction.busy());
    EXPECT_GT(position().x, 1.0f);
    EXPECT_LT(position().x, 11.0f);
    EXPECT_EQ(settings.follow.keys.size(), 1u);
}

// Moved by the wheel and along a world axis, like obstacles.
TEST_F(TargetTest, WheelMovesItAway) {
    update({event(Kind::Press, glm::vec3(0.0f), true)});
    InputEvent wheel = event(Kind::Wheel, glm::vec3(0.0f), true);
    wheel.wheel = 2.0f;
    const float distance = camera.distance();
    update({wheel, event(Kind::Release, glm::vec3(0.0f))});
    settle();
    EXPECT_EQ(camera.distance(), distance);
    expectNear(position(), 0.1f * distance * camera.forward(), 0.05f);
}

// 20 m in 60 ms: the speed limit must apply.
TEST_F(TargetTest, SpeedLimitScalesWithTheBox) {
    EXPECT_EQ(targetSpeed(settings.grid), 8.0f * 32.0f);
    GridSettings small;
    small.size = {0.5f, 0.25f, 0.5f};
    EXPECT_EQ(targetSpeed(small), Follower::kMaxDragSpeed);
    update({event(Kind::Press, glm::vec3(0.0f), true), event(Kind::Move, {12.0f, 0.0f, 0.0f})});
    for (int i = 0; i < 30; ++i) step();
    expectNear(position(), {12.0f, 0.0f, 0.0f}, 0.6f);
    interaction.letGo();
    camera.set({.eye = {0.0f, 0.0f, 2000.0f}, .target = {0.0f, 0.0f, 0.0f}, .fov = 0.7f});
    settings.follow.keys = {{.t = 0.0f, .centre = glm::vec3(0.0f)}};
    update({event(Kind::Press, glm::vec3(0.0f), true), event(Kind::Move, {800.0f, 0.0f, 0.0f})});
    const MotionSegment far = step();
    EXPECT_NEAR(glm::distance(far.from, far.to), 256.0f / 60, 0.01f);
    EXPECT_EQ(shown(), "target: speed limit 256 m/s");
}

TEST_F(TargetTest, StaysInTheWorld) {
    camera.set({.eye = {0.0f, 10.0f, 0.1f}, .target = {5e5f, 9.0f, 0.0f}, .fov = 0.7f});
    settings.follow.keys = {{.t = 0.0f, .centre = {8.9e5f, 10.0f, 0.0f}}};
    settings.camera.eye = settings.camera.target + glm::vec3(0.0f, 1.0f, 10.0f);
    DraggedObject hold(
        Drag({ObjectRef::Kind::Target}, {8.9e5f, 0.0f, 0.0f}, {{8.9e5f, 0.0f, 10.0f}, {0.0f, 0.0f, -1.0f}}, 10.0f, {0.0f, 0.0f, -1.0f}),
        {8.9e5f, 0.0f, 0.0f}, 1e9f);
    hold.move({{8.9e5f, 0.0f, 10.0f}, glm::normalize(glm::vec3(1.0f, 0.0f, -1e-3f))}, Drag::Axis::Plane);
    hold.push({{8.9e5f, 0.0f, 10.0f}, {0.0f, 0.0f, -1.0f}}, Drag::Axis::Plane, 1e9f);
    for (int i = 0; i < 600; ++i) interaction.target.move(hold.step(1.0f / 60).to, kNow, std::nullopt);
    EXPECT_TRUE(validate(settings).empty()) << validate(settings).front().message;
    EXPECT_LE(position().x, 9e5f);
    EXPECT_GE(position().z, -9e5f);
    interaction.target.move({INFINITY, -INFINITY, 3e20f}, kNow, 0u);
    EXPECT_TRUE(validate(settings).empty()) << validate(settings).front().message;
}

TEST_F(TargetTest, JumpsToTheMouseAtItsHeight) {
    update({event(Kind::Move, {9.0f, 0.0f, -4.0f})});
    interaction.jump(camera.project({9.0f, 0.0f, -4.0f}, size).value(), kNow);
    expectNear(position(), {9.0f, 0.0f, -4.0f}, 0.01f);
    EXPECT_EQ(settings.obstacles[0].keys, settings.follow.keys);
    const std::vector<PathKey> there = settings.follow.keys;
    interaction.jump({400.0f, -1000.0f}, kNow);  // the sky
    EXPECT_EQ(settings.follow.keys, there);
    camera.set({.eye = {0.0f, 1.0f, 0.0f}, .target = {1.0f, 1.0f, 0.0f}, .fov = 0.7f});
    interaction.jump({400.0f, 300.0001f}, kNow);  // the horizon
    EXPECT_EQ(settings.follow.keys, there);
    camera.set(cameraAt(settings, kNow));
    update({event(Kind::Press, there[0].centre, true)});
    interaction.jump({100.0f, 500.0f}, kNow);
    EXPECT_EQ(settings.follow.keys, there) << "the target is being dragged";
    interaction.letGo();
    settings.follow.keys.clear();
    interaction.jump({100.0f, 500.0f}, kNow);
    EXPECT_TRUE(settings.follow.keys.empty());
}

// The camera keys are relative to the initial target. Seen from the target they must not change.
TEST_F(TargetTest, SceneCameraKeepsItsOffset) {
    const Settings before = settings;
    const CameraSettings seen = cameraAt(settings, kNow);
    drag(glm::vec3(0.0f), {6.0f, 0.0f, 0.0f});
    settle();
    const CameraSettings now = cameraAt(settings, kNow);
    expectNear(now.eye - position(), seen.eye, 1e-4f);  // the target was at the origin
    expectNear(now.target - position(), seen.target, 1e-4f);
    EXPECT_TRUE(interaction.target.takeShift());
    EXPECT_FALSE(interaction.target.takeShift());
    expectNear(interaction.target.takeDisplacement(), position(), 1e-4f);
    EXPECT_EQ(interaction.target.takeDisplacement(), glm::vec3(0.0f));
    EXPECT_TRUE(interaction.target.restorePath());
    EXPECT_EQ(settings.follow, before.follow);
    EXPECT_EQ(settings.obstacles, before.obstacles);
    expectNear(settings.camera.eye, before.camera.eye, 1e-4f);
    EXPECT_FALSE(interaction.target.restorePath()) << "the keys are already restored";
    settings.camera.follows = false;
    drag(glm::vec3(0.0f), {6.0f, 0.0f, 0.0f});
    const CameraSettings still = settings.camera;
    settle();
    EXPECT_EQ(settings.camera, still);
    settings.follow.keys[0].t = 0.5f;  // changed in the panel
    EXPECT_FALSE(interaction.target.restorePath()) << "keys that the user has changed must not be restored";
}

TEST_F(TargetTest, ShowsRingNameAndBox) {
    EXPECT_EQ(shown(), "");
    update({event(Kind::Move, glm::vec3(0.0f))});
    EXPECT_EQ(shown(), "obstacle 0, target");
    const int whole = ImGui::GetDrawData()->TotalIdxCount;
    settings.obstacles[0].keys.clear();
    settings.obstacles[0].shape.centre = glm::vec3(0.0f);
    EXPECT_EQ(shown(), "obstacle 0");
    EXPECT_GT(whole, ImGui::GetDrawData()->TotalIdxCount + 12 * 6 - 1) << "the edges of the box must be drawn";
    settings.obstacles.clear();
    update({event(Kind::Move, glm::vec3(0.0f))});
    EXPECT_EQ(shown(), "target");
    // Inside the box, so some edges are behind the camera.
    camera.set({.eye = {0.0f, 0.0f, 5.0f}, .target = {0.0f, 0.0f, 0.0f}, .fov = 0.7f});
    update({event(Kind::Move, glm::vec3(0.0f))});
    EXPECT_EQ(shown(), "target");
}

// If the ray hits nothing, strokes lie in the centre plane of the current box.
TEST_F(TargetTest, BrushIsInTheMovedBox) {
    camera.set({.eye = {100.0f, 0.0f, 40.0f}, .target = {100.0f, 0.0f, 0.0f}, .fov = 0.7f});
    Input input{.events = {{.kind = Kind::Press, .at = 0.5f * size, .code = GLFW_MOUSE_BUTTON_RIGHT}}, .mouse = 0.5f * size, .size = size};
    interaction.update(input, kNow, {100.0f, 0.0f, 5.0f});
    interaction.setDepth(INFINITY);
    const std::vector<EmitterSettings> painted = interaction.advance(0, 1).painted;
    ASSERT_EQ(painted.size(), 1u);
    expectNear(painted[0].shape.centre, {100.0f, 0.0f, 5.0f}, 1e-3f);
}

TEST(ChaseTest, FollowsTheTargetAndCatchesUpAfterADrag) {
    FollowCamera chase;
    const glm::vec3 x(1.0f, 0.0f, 0.0f), none(0.0f);
    EXPECT_EQ(chase.step(5.0f * x, none, false, 0.1f), none) << "the first call only sets the position";
    EXPECT_EQ(chase.step(6.0f * x, none, false, 0.1f), x) << "the target moves by its keys";
    EXPECT_EQ(chase.step(8.0f * x, 2.0f * x, true, 0.1f), none) << "the target is being dragged";
    EXPECT_EQ(chase.behind(), 2.0f * x);
    float way = 0.0f, last = 1.0f;
    for (int i = 0; i < 20; ++i) {
        const float part = chase.step(8.0f * x, none, false, 0.1f).x;
        EXPECT_GT(part, 0.0f);
        EXPECT_LT(part, last) << "the camera must slow down";
        last = part;
        way += part;
    }
    EXPECT_NEAR(way, 2.0f, 0.01f);
    EXPECT_EQ(chase.step(std::nullopt, none, false, 0.1f), none);
    EXPECT_EQ(chase.step(90.0f * x, none, false, 0.1f), none) << "following has just started";
}

}  // namespace
}  // namespace wisp::app
