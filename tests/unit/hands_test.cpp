// SPDX-License-Identifier: MIT
// What the mouse does to a scene, without a window.
#include "app/live/hands.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <glm/geometric.hpp>
#include <gtest/gtest.h>

namespace wisp::app {
namespace {

class HandsTest : public testing::Test {
protected:
    using Kind = InputEvent::Kind;

    HandsTest() {
        settings.grid.cells = {50, 50, 50};
        settings.grid.size = {1.0f, 1.0f, 1.0f};
        settings.timeStep = 1.0f / 60;
        settings.obstacles.push_back({.shape = {.centre = {0.5f, 0.5f, 0.5f}, .radius = 0.1f}, .velocity = {0.0f, 0.0f, 0.0f}});
        camera.set({.eye = {0.5f, 0.5f, 3.0f}, .target = {0.5f, 0.5f, 0.5f}, .fov = 0.7f});
    }
    glm::vec2 pixelOf(glm::vec3 x) const { return camera.project(x, size).value(); }
    InputEvent event(Kind kind, glm::vec3 at, int code = GLFW_MOUSE_BUTTON_LEFT) const { return {.kind = kind, .at = pixelOf(at), .code = code}; }
    void update(std::vector<InputEvent> events) {
        Input input{.events = std::move(events), .size = size, .elapsed = 0.4};
        if (!input.events.empty()) mouse_ = input.events.back().at;
        input.mouse = mouse_;
        hands.update(input, 0.0);
    }
    /// A picture of some steps; returns the furthest that the obstacle is from where it was in the one before.
    float picture(std::uint32_t steps) {
        float furthest = 0.0f;
        for (std::uint32_t i = 0; i < steps; ++i) {
            const Hands::Deeds deeds = hands.advance(i, steps);
            if (!deeds.held) continue;
            furthest = std::max(furthest, glm::distance(deeds.way.from, place_));
            place_ = deeds.way.to;
        }
        hands.afterSteps();
        return furthest;
    }
    /// Seconds of the simulation until the hands are empty.
    float settle(std::uint32_t steps) {
        int pictures = 0;
        while (hands.busy() && pictures < 1000) {
            EXPECT_LT(picture(steps), 1e-6f) << "a jump";
            ++pictures;
        }
        return static_cast<float>(pictures) * static_cast<float>(steps) * settings.timeStep;
    }
    glm::vec3 centre() const { return settings.obstacles[0].shape.centre; }
    void expectAt(glm::vec3 x, float cells) const { EXPECT_LT(glm::distance(centre(), x), cells * settings.grid.cellSize()) << centre().x << " " << centre().y << " " << centre().z; }

    const glm::vec2 size{800.0f, 600.0f};
    const glm::vec3 start{0.5f, 0.5f, 0.5f}, goal{0.8f, 0.6f, 0.5f};
    /// Where the obstacle then is: it is taken at its front, 2.4 m from the eye, not at its centre, 2.5 m away.
    const glm::vec3 reached = start + 2.4f / 2.5f * (goal - start);
    Settings settings;
    OrbitCamera camera{{}};
    Hands hands{settings, camera};

    glm::vec3 place_{0.5f, 0.5f, 0.5f};  // of the obstacle after the last step

private:
    glm::vec2 mouse_{0.0f};
};

// On a slow machine all of a drag happens between two pictures: the body still goes all the way, and is put down there.
TEST_F(HandsTest, WhatIsReleasedGoesOnToWhereTheMouseWas) {
    for (const std::uint32_t steps : {1u, 8u}) {
        settings.obstacles[0].velocity = {0.1f, 0.0f, 0.0f};
        settings.obstacles[0].shape.centre = place_ = start;
        update({event(Kind::Press, start), event(Kind::Move, goal), event(Kind::Release, goal), event(Kind::Move, {0.2f, 0.2f, 0.5f})});
        picture(0);  // no step yet
        expectAt(start, 1e-6f);
        EXPECT_TRUE(hands.busy());
        const float time = settle(steps);
        // The way of 0.304 m shrinks by e in kDragTime: ln(0.304 / 0.0002) times that, and a picture; nothing is so far that it is capped.
        EXPECT_LT(time, 7.4f * Follower::kDragTime + static_cast<float>(steps + 1) * settings.timeStep);
        EXPECT_GT(time, 7.3f * Follower::kDragTime - settings.timeStep);
        expectAt(reached, 0.011f);  // and what a ray through a pixel is off by
        EXPECT_EQ(settings.obstacles[0].velocity, glm::vec3(0.0f));
    }
}

TEST_F(HandsTest, ANewPressPutsDownAtOnceWhatIsOnItsWay) {
    for (const int button : {GLFW_MOUSE_BUTTON_LEFT, GLFW_MOUSE_BUTTON_RIGHT}) {
        settings.obstacles[0].shape.centre = place_ = start;
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
        hands.letGo();
    }
}

TEST_F(HandsTest, EscapePutsDownWhereItIs) {
    update({event(Kind::Press, start), event(Kind::Move, goal), event(Kind::Release, goal)});
    picture(3);
    hands.letGo();
    EXPECT_FALSE(hands.busy());
    EXPECT_GT(centre().x, start.x + 0.1f);
    EXPECT_LT(centre().x, goal.x - 0.02f);
}

TEST_F(HandsTest, TheWheelAndTheMouseNoLongerMoveWhatIsReleased) {
    update({event(Kind::Press, start), event(Kind::Move, goal), event(Kind::Release, goal)});
    InputEvent wheel = event(Kind::Wheel, goal);
    wheel.wheel = 3.0f;
    const float distance = camera.distance();
    update({wheel});
    EXPECT_LT(camera.distance(), distance) << "it moves the camera again";
    settle(2);
    expectAt(reached, 0.011f);
}

TEST_F(HandsTest, EmittersGoOnToo) {
    settings.obstacles.clear();
    EmitterSettings e;
    e.shape = {.centre = start, .radius = 0.1f};
    settings.emitters.push_back(e);
    update({event(Kind::Press, start), event(Kind::Move, goal), event(Kind::Release, goal)});
    settle(1);
    EXPECT_LT(glm::distance(settings.emitters[0].shape.centre, reached), 0.011f * settings.grid.cellSize());
}

// At the speed limit 20 m take more than the second that there is.
TEST(HoldTest, ArrivesWithinASecondOrIsPutDownOnTheWay) {
    const Ray ray{{0.0f, 0.0f, 3.0f}, {0.0f, 0.0f, -1.0f}};
    Hold hold(Drag({}, glm::vec3(0.0f), ray, 3.0f, ray.direction), glm::vec3(0.0f));
    hold.move({{20.0f, 0.0f, 3.0f}, {0.0f, 0.0f, -1.0f}}, Drag::Axis::Plane);
    int steps = 0;
    for (; steps < 60; ++steps) {
        hold.step(1.0f / 30);
        EXPECT_FALSE(hold.done(1e-4f)) << "still in the hand";
    }
    hold.release();
    const float before = hold.place().x;
    for (steps = 0; !hold.done(1e-4f); ++steps) {
        ASSERT_LT(steps, 40);
        const Way way = hold.step(1.0f / 30);
        EXPECT_LE(way.to.x - way.from.x, Follower::kMaxDragSpeed / 30 * 1.0001f);
    }
    EXPECT_NEAR(steps, 30, 1);
    EXPECT_GT(hold.place().x, before);
}

}  // namespace
}  // namespace wisp::app
