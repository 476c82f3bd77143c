// SPDX-License-Identifier: MIT
// Parts of the window without a window: clock, camera, dragging, brush.
#include "app/live/brush.h"
#include "app/live/follower.h"
#include "app/live/orbit_camera.h"
#include "app/live/picking.h"
#include "app/run/fixed_step.h"

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <gtest/gtest.h>

#include <cmath>

namespace wisp::app {
namespace {

void expectNear(glm::vec3 a, glm::vec3 b, float tolerance) {
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(a[i], b[i], tolerance) << "axis " << i;
}

TEST(FixedStep, KeepsUpWithAnyFrameRate) {
    for (const double picture : {1.0 / 144, 1.0 / 60, 1.0 / 17}) {
        FixedStep clock(1.0 / 120);
        std::uint32_t steps = 0;
        const int pictures = static_cast<int>(10.0 / picture);
        for (int n = 0; n < pictures; ++n) steps += clock.advance(picture);
        EXPECT_NEAR(steps, pictures * picture * 120.0, 1.0) << picture;
        EXPECT_DOUBLE_EQ(clock.pace(), 1.0);
    }
}

TEST(FixedStep, DropsStepsThatItCannotCatchUp) {
    FixedStep clock(0.01);
    clock.most = 4;
    for (int i = 0; i < 20; ++i) EXPECT_EQ(clock.advance(0.4), 4u);  // 40 steps would be due, and more each time
    EXPECT_NEAR(clock.pace(), 0.1, 1e-3);
    EXPECT_LE(clock.advance(0.0), 0u) << "no steps may be pending";
    EXPECT_EQ(clock.advance(0.02), 2u);
    clock.speed = 0.0;
    EXPECT_EQ(clock.advance(5.0), 0u);
}

TEST(FixedStep, SupportsSlowAndFastMotion) {
    FixedStep clock(0.01);
    clock.most = 100;
    clock.speed = 0.25;
    EXPECT_EQ(clock.advance(0.2), 5u);
    clock.speed = 2.0;
    EXPECT_EQ(clock.advance(0.2), 40u);
}

class LiveCamera : public testing::Test {
protected:
    OrbitCamera camera{{.eye = {1.0f, 0.6f, 2.6f}, .target = {1.0f, 0.4f, 0.5f}, .fov = 0.7f}};
    const glm::vec2 size{1280.0f, 720.0f};
};

TEST_F(LiveCamera, MatchesTheScene) {
    expectNear(camera.settings().eye, {1.0f, 0.6f, 2.6f}, 1e-5f);
    expectNear(camera.settings().target, {1.0f, 0.4f, 0.5f}, 1e-6f);
}

TEST_F(LiveCamera, RaysAndProjectionAgree) {
    for (const glm::vec2 pixel : {glm::vec2(640, 360), glm::vec2(3, 700), glm::vec2(1200, 40)}) {
        const Ray ray = camera.rayThrough(pixel, size);
        EXPECT_NEAR(glm::length(ray.direction), 1.0f, 1e-6f);
        const auto seen = camera.project(ray.origin + 1.7f * ray.direction, size);
        ASSERT_TRUE(seen);
        EXPECT_NEAR(seen->x, pixel.x, 0.01f);
        EXPECT_NEAR(seen->y, pixel.y, 0.01f);
    }
    EXPECT_FALSE(camera.project(camera.settings().eye - camera.forward(), size));
}

TEST_F(LiveCamera, PansWithThePointUnderTheMouse) {
    const glm::vec3 target = camera.settings().target;
    camera.pan({0.25f, -0.1f});  // in units of the window height
    const auto seen = camera.project(target, size);
    ASSERT_TRUE(seen);
    EXPECT_NEAR(seen->x, 640.0f + 0.25f * 720.0f, 0.1f);
    EXPECT_NEAR(seen->y, 360.0f - 0.1f * 720.0f, 0.1f);
}

TEST_F(LiveCamera, TurnsAboutItsTargetAndNeverOverTheTop) {
    const glm::vec3 target = camera.settings().target;
    const float distance = camera.distance();
    camera.orbit({0.37f, 0.1f});
    expectNear(camera.settings().target, target, 1e-6f);
    EXPECT_NEAR(glm::distance(camera.settings().eye, target), distance, 1e-5f);
    for (int i = 0; i < 100; ++i) camera.orbit({0.0f, 0.3f});
    EXPECT_GT(camera.up().y, 0.0f);
    EXPECT_LT(camera.forward().y, -0.99f);
    for (int i = 0; i < 100; ++i) camera.orbit({0.0f, -0.3f});
    EXPECT_GT(camera.forward().y, 0.99f);
}

TEST_F(LiveCamera, FramesABoxFromAnywhere) {
    const glm::vec3 low(0.0f), high(2.0f, 1.0f, 1.0f);
    for (const float aspect : {16.0f / 9, 1.0f, 0.4f}) {
        camera.orbit({0.31f, 0.2f});
        camera.frame(low, high, aspect);
        const glm::vec2 window(720.0f * aspect, 720.0f);
        float widest = 0.0f;
        for (int n = 0; n < 8; ++n) {
            const auto seen = camera.project({n & 1 ? 2.0f : 0.0f, n & 2 ? 1.0f : 0.0f, n & 4 ? 1.0f : 0.0f}, window);
            ASSERT_TRUE(seen);
            const glm::vec2 at = glm::abs(2.0f * *seen / window - 1.0f);
            EXPECT_LT(std::max(at.x, at.y), 1.0f);
            widest = std::max({widest, at.x, at.y});
        }
        EXPECT_GT(widest, 0.4f) << "the camera is too far away";
    }
}

class LivePicking : public testing::Test {
protected:
    void SetUp() override {
        settings.obstacles.push_back({.shape = {.centre = {0.3f, 0.3f, 0.5f}, .radius = 0.1f}, .velocity = {0.1f, 0.0f, 0.0f}});
        settings.obstacles.push_back({.shape = {.kind = ShapeKind::Box, .centre = {1.2f, 0.4f, 0.5f}, .half = {0.2f, 0.05f, 0.05f}},
                                      .rotation = {0.0f, 0.0f, glm::half_pi<float>()}});
        EmitterSettings e;
        e.shape = {.centre = {0.3f, 0.3f, 0.5f}, .radius = 0.2f};
        settings.emitters.push_back(e);
    }
    std::optional<PickHit> at(float x, float y, double time = 0.0) { return touch(settings, time, {{x, y, 3.0f}, {0.0f, 0.0f, -1.0f}}); }
    Settings settings;
};

TEST_F(LivePicking, GrabsTheObjectUnderTheMouse) {
    const auto sphere = at(0.3f, 0.3f);
    ASSERT_TRUE(sphere);
    EXPECT_EQ(sphere->grip, (ObjectRef{ObjectRef::Kind::Obstacle, 0})) << "the obstacle is in front of the emitter";
    EXPECT_NEAR(sphere->distance, 2.4f, 1e-3f);
    const auto emitter = at(0.3f, 0.45f);
    ASSERT_TRUE(emitter);
    EXPECT_EQ(emitter->grip, (ObjectRef{ObjectRef::Kind::Emitter, 0}));
    EXPECT_FALSE(at(0.3f, 0.7f));
    EXPECT_TRUE(at(1.2f, 0.55f)) << "the box is rotated by 90 degrees, so it stands upright";
    EXPECT_FALSE(at(1.35f, 0.4f));
    const auto later = at(0.8f, 0.3f, 5.0);
    ASSERT_TRUE(later);
    EXPECT_EQ(later->grip, (ObjectRef{ObjectRef::Kind::Obstacle, 0})) << "the obstacle moves along its keys";
}

TEST_F(LivePicking, DragsInThePlaneAcrossTheViewOrAlongAnAxis) {
    const Ray ray{{0.3f, 0.3f, 3.0f}, {0.0f, 0.0f, -1.0f}};
    Drag drag({ObjectRef::Kind::Obstacle, 0}, {0.3f, 0.3f, 0.5f}, ray, 2.4f, {0.0f, 0.0f, -1.0f});
    expectNear(drag.target(ray, Drag::Axis::Plane), {0.3f, 0.3f, 0.5f}, 1e-6f);
    const Ray moved{{0.3f, 0.3f, 3.0f}, glm::normalize(glm::vec3(0.2f, 0.1f, -2.4f))};
    expectNear(drag.target(moved, Drag::Axis::Plane), {0.5f, 0.4f, 0.5f}, 1e-5f);
    drag.push(moved, 0.24f);
    EXPECT_NEAR(drag.target(moved, Drag::Axis::Plane).z, 0.5f - 0.24f * 2.4f / glm::length(glm::vec3(0.2f, 0.1f, 2.4f)), 1e-4f);
    Drag axis({ObjectRef::Kind::Obstacle, 0}, {0.3f, 0.3f, 0.5f}, ray, 2.4f, {0.0f, 0.0f, -1.0f});
    expectNear(axis.target(moved, Drag::Axis::X), {0.5f, 0.3f, 0.5f}, 1e-3f);
}

TEST(LiveFollower, IsSmoothAndCapped) {
    Follower follower(glm::vec3(0.0f));
    const float dt = 1.0f / 120;
    float last = 0.0f;
    for (int i = 0; i < 60; ++i) {
        const float x = follower.step({10.0f, 0.0f, 0.0f}, dt).x;
        EXPECT_LE(x - last, Follower::kMaxDragSpeed * dt * 1.0001f);
        EXPECT_TRUE(follower.capped());
        last = x;
    }
    Follower near(glm::vec3(0.0f));
    for (int i = 0; i < 120; ++i) near.step({0.1f, 0.0f, 0.0f}, dt);
    EXPECT_NEAR(near.position().x, 0.1f, 1e-4f);
    EXPECT_FALSE(near.capped());
}

TEST(LiveStroke, HasNoGapsAndKeepsItsSpeed) {
    // Three mouse positions in one image with four steps: an L of 1 m and 1 m at a depth of 2 m.
    Stroke stroke({0.0f, 0.0f, -1.0f});
    const auto ray = [](float x, float y) { return Ray{{0.0f, 0.0f, 2.0f}, glm::normalize(glm::vec3(x, y, -2.0f))}; };
    for (const auto& [x, y] : {std::pair(0.0f, 0.0f), {1.0f, 0.0f}, {1.0f, 1.0f}}) stroke.add(ray(x, y));
    const BrushSettings brush{.radius = 0.1f, .strength = 0.5f};
    EXPECT_TRUE(stroke.part(brush, 0, 4, 0.25f).empty()) << "the depth is not known yet";
    stroke.setPlane({0.3f, -5.0f, 0.0f});
    glm::vec3 end(0.0f);
    float length = 0.0f;
    for (std::uint32_t i = 0; i < 4; ++i) {
        for (const EmitterSettings& e : stroke.part(brush, i, 4, 0.25f)) {
            expectNear(e.shape.centre - e.shape.half, end, 1e-4f);  // each part begins where the last part ended
            end = e.shape.centre + e.shape.half;
            length += 2.0f * glm::length(e.shape.half);
            EXPECT_NEAR(glm::length(e.velocity), 0.5f * 2.0f / 1.0f, 1e-3f) << "half of 2 m in the second of four steps";
            EXPECT_TRUE(e.hasVelocity);
        }
    }
    expectNear(end, {1.0f, 1.0f, 0.0f}, 1e-4f);
    EXPECT_NEAR(length, 2.0f, 1e-4f);
    stroke.end();
    // A distance that is too short for floats.
    Stroke tiny({0.0f, 0.0f, -1.0f});
    for (const float x : {1.0f, std::nextafter(1.0f, 2.0f), 1.0f}) tiny.add({{x, 0.0f, 2.0f}, {0.0f, 0.0f, -1.0f}});
    tiny.setPlane(glm::vec3(0.0f));
    for (std::uint32_t i = 0; i < 64; ++i)
        for (const EmitterSettings& e : tiny.part(brush, i, 64, 0.25f))
            EXPECT_LE(glm::length(e.velocity), Stroke::kMaxBrushSpeed) << "must be finite and limited";
    const auto rest = stroke.part(brush, 0, 1, 0.25f);
    ASSERT_EQ(rest.size(), 1u);
    expectNear(rest[0].shape.centre, {1.0f, 1.0f, 0.0f}, 1e-4f);
    EXPECT_FALSE(rest[0].hasVelocity);
}

TEST(LiveStroke, PaintsAndIgnitesFuelOnlyWhereTheSceneHasIt) {
    Stroke stroke({0.0f, 0.0f, -1.0f});
    stroke.add({{0.0f, 0.0f, 2.0f}, {0.0f, 0.0f, -1.0f}});
    stroke.setPlane(glm::vec3(0.0f));
    BrushSettings brush{.temperature = 20.0f, .fuel = 0.75f, .ignite = true};
    Settings scene;
    const auto painted = [&] { return stroke.part(brush, 0, 1, 0.1f, scene).at(0); };
    EXPECT_EQ(painted().fuel, 0.0f);
    EXPECT_EQ(painted().temperature, 20.0f);
    scene.emitters.push_back({.fuel = 0.5f});
    EXPECT_EQ(painted().fuel, 0.75f);
    EXPECT_EQ(painted().temperature, scene.fire.heat);
    brush.ignite = false;
    EXPECT_EQ(painted().temperature, 20.0f);
}

}  // namespace
}  // namespace wisp::app
