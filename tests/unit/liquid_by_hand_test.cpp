// SPDX-License-Identifier: MIT
// Mouse control of a scene with liquid, and its panel, without a window.
#include "app/live/interaction.h"
#include "app/live/panels.h"
#include "compute/scene/validate.h"
#include "tests/support/gui_user.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <glm/geometric.hpp>
#include <gmock/gmock.h>
#include <imgui.h>

namespace wisp::app {
namespace {

using testing::HasSubstr;
using testing::Not;

Settings tank() {
    Settings s;
    s.grid.cells = {16, 16, 16};
    s.grid.size = {1.0f, 1.0f, 1.0f};
    s.grid.pressureRatio = 1;
    s.grid.sides.fill(Side::Wall);
    s.initial.push_back({.shape = {.kind = ShapeKind::Box, .centre = {0.5f, 0.25f, 0.5f}, .half = {0.5f, 0.25f, 0.5f}}, .liquid = true});
    return s;
}

/// The camera looks straight at the centre of the tank.
class LiquidByHand : public testing::Test {
protected:
    LiquidByHand() { camera.set({.eye = {0.5f, 0.5f, 3.0f}, .target = {0.5f, 0.5f, 0.5f}, .fov = 0.7f}); }
    void update(glm::vec3 mouse, int key, std::vector<InputEvent> events = {}) {
        Input input{.events = std::move(events), .mouse = camera.project(mouse, size).value(), .size = size, .elapsed = 0.1};
        input.isDown = [this, key](int asked) { return asked == key || asked == alsoHeld; };
        input.isPanel = [this](glm::vec2) { return panels; };
        for (InputEvent& e : input.events) e.at = input.mouse;
        interaction.update(input, 0.0);
    }
    void expectGravity(glm::vec3 g) const {
        EXPECT_LT(glm::distance(settings.flow.gravity, g), 1e-3f * glm::length(g))
            << settings.flow.gravity.x << " " << settings.flow.gravity.y << " " << settings.flow.gravity.z;
    }

    const glm::vec2 size{800.0f, 600.0f};
    const glm::vec3 middle{0.5f, 0.5f, 0.5f};
    Settings settings = tank();
    OrbitCamera camera{{}};
    Interaction interaction{settings, camera};
    bool panels = false;
    int alsoHeld = -1;
};

TEST_F(LiquidByHand, GravityPointsToTheMouseWhileGIsHeld) {
    update(middle + glm::vec3(0.3f, 0.0f, 0.0f), 0);
    expectGravity({0.0f, -9.81f, 0.0f});
    EXPECT_FALSE(interaction.busy());
    update(middle + glm::vec3(0.3f, 0.0f, 0.0f), GLFW_KEY_G);
    expectGravity({9.81f, 0.0f, 0.0f});
    EXPECT_TRUE(interaction.changed());
    EXPECT_TRUE(interaction.busy()) << "the change must be one undo step";
    update(middle + glm::vec3(-0.3f, 0.3f, 0.0f), GLFW_KEY_G);
    expectGravity(9.81f * glm::normalize(glm::vec3(-1.0f, 1.0f, 0.0f)));
    update(middle, GLFW_KEY_G);
    expectGravity(9.81f * glm::normalize(glm::vec3(-1.0f, 1.0f, 0.0f)));
    update(middle + glm::vec3(0.3f, 0.0f, 0.0f), 0);
    expectGravity(9.81f * glm::normalize(glm::vec3(-1.0f, 1.0f, 0.0f)));
    EXPECT_FALSE(interaction.busy());
}

TEST_F(LiquidByHand, GravityTurnsInThePlaneAcrossTheView) {
    camera.set({.eye = {3.0f, 0.5f, 0.5f}, .target = middle, .fov = 0.7f});
    update(middle + glm::vec3(0.0f, 0.0f, 0.2f), GLFW_KEY_G);
    expectGravity({0.0f, 0.0f, 9.81f});
}

TEST_F(LiquidByHand, GravityIgnoresShortcutsAndPrescribedVelocities) {
    alsoHeld = GLFW_KEY_LEFT_CONTROL;
    update(middle + glm::vec3(0.3f, 0.0f, 0.0f), GLFW_KEY_G);
    expectGravity({0.0f, -9.81f, 0.0f});
    EXPECT_FALSE(interaction.busy());
    alsoHeld = -1;
    settings.prescribed.field = PrescribedField::Rotation;
    update(middle + glm::vec3(0.3f, 0.0f, 0.0f), GLFW_KEY_G);
    expectGravity({0.0f, -9.81f, 0.0f});
    EXPECT_FALSE(interaction.busy());
}

// The object that was under the mouse when G was pressed may be removed by undo.
TEST_F(LiquidByHand, RemovedObjectIsNotResized) {
    settings.obstacles.push_back({.shape = {.centre = middle, .radius = 0.1f}});
    update(middle, 0);
    update(middle, GLFW_KEY_G);
    settings.obstacles.clear();
    const float radius = interaction.brush.radius;
    update(middle, GLFW_KEY_G, {{.kind = InputEvent::Kind::Wheel, .ctrl = true, .wheel = 1.0f}});
    EXPECT_GT(interaction.brush.radius, radius) << "the wheel must resize the brush instead";
}

TEST_F(LiquidByHand, GravityStaysInThePlaneOfAFlatGrid) {
    settings = {};
    settings.grid.cells = {16, 16, 1};
    settings.grid.size = {1.0f, 1.0f, 1.0f / 16};
    camera.set({.eye = {0.5f, 0.5f, 3.0f}, .target = {0.5f, 0.5f, 0.0f}, .fov = 0.7f});
    update({0.8f, 0.5f, 0.0f}, GLFW_KEY_G);
    EXPECT_EQ(settings.flow.gravity.z, 0.0f);
    EXPECT_GT(settings.flow.gravity.x, 9.8f);
}

TEST_F(LiquidByHand, ZeroGravityStartsWithThatOfTheEarth) {
    settings.flow.gravity = glm::vec3(0.0f);
    update(middle + glm::vec3(0.0f, -0.3f, 0.0f), GLFW_KEY_G);
    expectGravity({0.0f, -9.81f, 0.0f});
}

TEST_F(LiquidByHand, GravityIgnoresPanelsAndDrags) {
    panels = true;
    update(middle + glm::vec3(0.3f, 0.0f, 0.0f), GLFW_KEY_G);
    expectGravity({0.0f, -9.81f, 0.0f});
    panels = false;
    settings.obstacles.push_back({.shape = {.centre = middle, .radius = 0.1f}});
    update(middle, 0, {{.kind = InputEvent::Kind::Press, .code = GLFW_MOUSE_BUTTON_LEFT}});
    update(middle + glm::vec3(0.3f, 0.0f, 0.0f), GLFW_KEY_G);
    expectGravity({0.0f, -9.81f, 0.0f});
}

TEST_F(LiquidByHand, TheArrowOfGravityIsShown) {
    const auto triangles = [&](int key) {
        test::GuiUser user(
            [&] {
                update(middle + glm::vec3(0.3f, 0.0f, 0.0f), key);
                interaction.drawGizmo(0.0);
            },
            size);
        user.look();
        return ImGui::GetDrawData()->TotalIdxCount;
    };
    EXPECT_EQ(triangles(0), 0);
    EXPECT_GT(triangles(GLFW_KEY_G), 0);
}

TEST_F(LiquidByHand, TheBrushPaintsLiquidWhereTheSceneHasIt) {
    const auto painted = [&] {
        update(middle, 0, {{.kind = InputEvent::Kind::Press, .code = GLFW_MOUSE_BUTTON_RIGHT}});
        interaction.setDepth(2.5f);
        const std::vector<EmitterSettings> all = interaction.advance(0, 1).painted;
        interaction.letGo();
        return all.at(0);
    };
    interaction.brush.density = 2.0f;
    interaction.brush.colour = {1.0f, 0.0f, 0.0f};
    const EmitterSettings water = painted();
    EXPECT_TRUE(water.liquid);
    EXPECT_EQ(water.density, 0.0f);
    Settings with = settings;
    with.emitters.push_back(water);
    EXPECT_TRUE(validate(with).empty()) << "the emitter must be valid in a scene";
    settings.initial.clear();
    const EmitterSettings smoke = painted();
    EXPECT_FALSE(smoke.liquid);
    EXPECT_EQ(smoke.density, 2.0f);
}

class LiquidPanels : public testing::Test {
protected:
    PanelState state;
    Settings settings;
    FixedStep clock{1.0 / 60};
    BrushSettings brush;
    ScenePanel scene;
    test::GuiUser user{[this] { drawPanels(state, settings, clock, brush, scene); }};
};

TEST_F(LiquidPanels, ShowTheAmountOfLiquid) {
    user.look(3);
    EXPECT_THAT(user.page(), Not(HasSubstr("Liquid")));
    settings = tank();
    user.look(2);
    EXPECT_THAT(user.page(), HasSubstr("not measured yet"));
    Quality q;
    q.liquid = LiquidQuality{.particles = 16384, .volume = 0.5, .energy = 1.25};
    state.measured = q;
    user.look(2);
    EXPECT_THAT(user.page(), HasSubstr("16384 particles of at most " + std::to_string(settings.liquidCapacity())));
    EXPECT_THAT(user.page(), HasSubstr("volume 0.5000 m³, energy 1.2500"));
    EXPECT_THAT(user.page(), Not(HasSubstr("full")));
    EXPECT_THAT(user.page(), Not(HasSubstr("open sides")));
    state.measured->liquid->left = 12;
    state.measured->liquid->lost = 3;
    settings.liquid.capacity = 16384;
    user.look(2);
    EXPECT_THAT(user.page(), HasSubstr("full: no more particles are spawned"));
    EXPECT_THAT(user.page(), HasSubstr("12 left through open sides, 3 not finite"));
}

TEST_F(LiquidPanels, ButtonTurnsGravityDown) {
    settings = tank();
    settings.flow.gravity = {3.0f, 4.0f, 0.0f};
    user.look(3);
    user.click("Gravity down");
    EXPECT_EQ(settings.flow.gravity, glm::vec3(0.0f, -5.0f, 0.0f));
}

TEST_F(LiquidPanels, BrushHasOnlySettingsOfLiquid) {
    settings = tank();
    user.look(3);
    user.click("Brush");
    EXPECT_THAT(user.page(), Not(HasSubstr("Density")));
    user.write(user.find("1.000", 0).centre(), "0.25");
    EXPECT_EQ(brush.strength, 0.25f);
}

TEST(LiquidScenePanel, AddedEmittersAreLiquid) {
    Settings settings = tank();
    ScenePanel panel;
    test::GuiUser user(
        [&] {
            ImGui::SetNextWindowPos({0.0f, 0.0f});
            ImGui::SetNextWindowSize({520.0f, 1900.0f});
            ImGui::Begin("panel", nullptr, ImGuiWindowFlags_NoDecoration);
            panel.draw(settings);
            ImGui::End();
        },
        {520.0f, 1900.0f});
    panel.setBase(settings);
    user.look(3);
    user.click("Emitters");
    user.look(2);
    user.click("Add emitter");
    ASSERT_EQ(settings.emitters.size(), 1u) << user.page();
    EXPECT_TRUE(settings.emitters[0].liquid);
    EXPECT_TRUE(validate(settings).empty());
}

}  // namespace
}  // namespace wisp::app
