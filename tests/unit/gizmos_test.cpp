// SPDX-License-Identifier: MIT
// Overlays on the image for the objects of a scene.
#include "app/live/interaction.h"
#include "tests/support/gui_user.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <glm/geometric.hpp>
#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <vector>

namespace wisp::app {
namespace {

class GizmosTest : public testing::Test {
protected:
    using Kind = InputEvent::Kind;

    GizmosTest() {
        settings.grid.cells = {50, 50, 50};
        settings.grid.size = {1.0f, 1.0f, 1.0f};
        settings.timeStep = 1.0f / 60;
        settings.obstacles.push_back({.shape = {.centre = start, .radius = 0.1f}});
        camera.set({.eye = {0.5f, 0.5f, 3.0f}, .target = start, .fov = 0.7f});
    }
    glm::vec2 pixelOf(glm::vec3 x) const { return corner + camera.project(x, size).value(); }
    InputEvent event(Kind kind, glm::vec3 at) const { return {.kind = kind, .at = pixelOf(at), .code = GLFW_MOUSE_BUTTON_LEFT}; }
    void update(std::vector<InputEvent> events) {
        Input input{.events = std::move(events), .size = size, .corner = corner};
        input.mouse = input.events.back().at;
        interaction.update(input, 0.0);
    }
    std::vector<ImDrawVert> drawn() {
        user.look();
        std::vector<ImDrawVert> all;
        for (int n = 0; n < ImGui::GetDrawData()->CmdListsCount; ++n)
            for (const ImDrawVert& v : ImGui::GetDrawData()->CmdLists[n]->VtxBuffer) all.push_back(v);
        return all;
    }

    const glm::vec2 corner{150.0f, 0.0f}, size{650.0f, 600.0f};  // of the image, beside a panel
    const glm::vec3 start{0.5f, 0.5f, 0.5f}, goal{0.8f, 0.6f, 0.5f};
    /// End of a drag to `goal`: the mouse grabs the object at its front, 2.4 m from the camera, not at its centre, 2.5 m away.
    const glm::vec3 reached = start + 2.4f / 2.5f * (goal - start);
    Settings settings;
    OrbitCamera camera{{}};
    Interaction interaction{settings, camera};
    test::GuiUser user{[this] { interaction.drawGizmo(0.0); }, glm::vec2(800.0f, 600.0f)};
};

TEST_F(GizmosTest, OutlinesAreFaintAndClearNearTheMouse) {
    settings.emitters.push_back({.shape = {.centre = {0.2f, 0.2f, 0.5f}, .radius = 0.1f}});
    const glm::vec3 far{0.9f, 0.9f, 0.5f}, beside{0.2f, 0.32f, 0.5f};
    const auto strongest = [&] {
        int most = 0;
        for (const ImDrawVert& v : drawn()) most = std::max(most, static_cast<int>(v.col >> IM_COL32_A_SHIFT));
        return most;
    };
    update({event(Kind::Move, far)});
    EXPECT_TRUE(drawn().empty());
    interaction.outlines = true;
    EXPECT_GT(strongest(), 0);
    EXPECT_LT(strongest(), 64) << "outlines must be faint";
    const std::size_t all = drawn().size();
    update({event(Kind::Move, beside)});
    EXPECT_GT(strongest(), 128);
    EXPECT_EQ(drawn().size(), all);
    update({event(Kind::Move, start)});
    drawn();
    EXPECT_EQ(user.page(), "obstacle 0\n") << "the gizmo must replace the outline";
}

// The body is where the last step has moved it. On a slow device it lags behind the mouse.
TEST_F(GizmosTest, AnOutlineShowsTheMousePosition) {
    const auto nearest = [&](glm::vec3 x) {  // distance to the nearest drawn vertex [pixels]
        float best = 1e9f;
        for (const ImDrawVert& v : drawn()) best = std::min(best, glm::distance(glm::vec2(v.pos.x, v.pos.y), pixelOf(x)));
        return best;
    };
    const glm::vec3 edge{0.1f, 0.0f, 0.0f};
    update({event(Kind::Press, start), event(Kind::Move, goal)});
    EXPECT_LT(nearest(start - edge), 6.0f) << "the outline of the body";
    EXPECT_LT(nearest(reached + edge), 6.0f) << "the outline at the mouse position";
    const std::size_t both = drawn().size();
    for (int i = 0; i < 100; ++i) {
        (void)interaction.advance(0, 1);
        interaction.afterSteps();
    }
    EXPECT_LT(drawn().size(), both) << "the second outline ends when the body has arrived";
    EXPECT_LT(nearest(reached + edge), 6.0f);
    EXPECT_GT(nearest(start - edge), 20.0f);
}

}  // namespace
}  // namespace wisp::app
