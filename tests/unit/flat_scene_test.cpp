// SPDX-License-Identifier: MIT
// Flat scenes (one cell deep): settings, camera, and drawing with the mouse.
#include "app/live/interaction.h"
#include "compute/picture/flat_view.h"
#include "compute/scene/motion.h"
#include "compute/scene/prescribed.h"
#include "compute/scene/validate.h"
#include "files/scene/scene.h"
#include "tests/support/gui_user.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace wisp::app {
namespace {

TEST(FlatScene, StaysFlat) {
    for (const auto& [level, cells] : {std::pair(QualityLevel::Draft, glm::uvec3(64, 36, 1)),
                                       {QualityLevel::Preview, {128, 72, 1}},
                                       {QualityLevel::Standard, {256, 144, 1}},
                                       {QualityLevel::Ultra, {512, 288, 1}}}) {
        const Settings s = parseScene("[grid]\ncells = [256, 144, 1]\nsize = [3.2, 1.8, 7.0]\npressure_ratio = 1", "t.toml", {{}, level});
        EXPECT_TRUE(s.grid.isFlat());
        EXPECT_EQ(s.grid.cells, cells);
        EXPECT_FLOAT_EQ(s.grid.size.z, 3.2f / static_cast<float>(cells.x)) << "a flat grid is always one cell deep";
    }
}

TEST(FlatScene, KeysOfFlatGridsAreValidated) {
    Settings s;
    s.camera.height = 1.0f;
    ASSERT_EQ(validate(s).size(), 1u);
    EXPECT_EQ(validate(s).front().key, "camera.height");
    s.camera.height = 0.0f;
    s.brush.radius = 0.0f;
    ASSERT_EQ(validate(s).size(), 1u);
    EXPECT_EQ(validate(s).front().key, "brush.radius");
    s.brush.radius = 0.1f;
    s.strokes.resize(1);
    s.strokes[0] = {.radius = -1.0f, .keys = {{1.0f, {}}, {0.5f, {}}}};
    ASSERT_EQ(validate(s).size(), 2u);
    EXPECT_EQ(validate(s)[0].key, "stroke[0].radius");
    EXPECT_EQ(validate(s)[1].key, "stroke[0].keys[1].t");
}

class FlatInteraction : public testing::Test {
protected:
    FlatInteraction() {
        settings.grid.cells = {64, 48, 1};
        settings.grid.size = {4.0f / 3.0f, 1.0f, 1.0f / 48};
        settings.timeStep = 0.01f;
        settings.obstacles.push_back({.shape = {.centre = {1.0f, 0.8f, 0.0f}, .radius = 0.1f}});
        camera.set(planeCamera(settings.grid, size.x / size.y));
        interaction.brush = {.radius = 0.05f, .density = 0.75f, .colour = {0.5f, 0.25f, 1.0f}, .force = 12.0f};
    }
    void update(std::vector<InputEvent> events) {
        Input input{.events = std::move(events), .size = size};
        input.mouse = input.events.empty() ? mouse_ : input.events.back().at;
        mouse_ = input.mouse;
        interaction.update(input, 0.0);
    }
    InputEvent event(InputEvent::Kind kind, float x, float y, int code = GLFW_MOUSE_BUTTON_LEFT) const {
        return {.kind = kind, .at = camera.project({x, y, 0.5f / 48}, size).value(), .code = code};
    }
    glm::vec2 size{800.0f, 600.0f};
    Settings settings;
    OrbitCamera camera{settings.camera};
    Interaction interaction{settings, camera};

private:
    glm::vec2 mouse_{0.0f};
};

TEST_F(FlatInteraction, DrawWhereTheMouseGoes) {
    update(
        {event(InputEvent::Kind::Press, 0.2f, 0.3f), event(InputEvent::Kind::Move, 0.5f, 0.3f), event(InputEvent::Kind::Move, 0.5f, 0.7f)});
    glm::vec3 at(0.2f, 0.3f, 0.5f / 48);
    float way = 0.0f;
    for (std::uint32_t i = 0; i < 4; ++i) {
        auto strokes = interaction.advance(i, 4).strokes;
        if (i == 0) {  // the drop at the start of the stroke
            ASSERT_FALSE(strokes.empty());
            EXPECT_EQ(strokes.front().first.force, 0.0f);
            EXPECT_LT(glm::distance(0.5f * (strokes.front().second.from + strokes.front().second.to), at), 1e-5f);
            strokes.erase(strokes.begin());
        }
        for (const auto& [stroke, part] : strokes) {
            EXPECT_EQ(stroke.radius, 0.05f);
            EXPECT_EQ(stroke.force, 12.0f);
            EXPECT_EQ(stroke.density, 0.75f);
            EXPECT_EQ(stroke.colour, glm::vec3(0.5f, 0.25f, 1.0f));
            EXPECT_LT(glm::distance(part.from, at), 1e-5f) << "each part must begin where the last part ended";
            at = part.to;
            way += glm::distance(part.from, part.to);
        }
    }
    interaction.afterSteps();
    EXPECT_NEAR(way, 0.7f, 1e-5f);
    EXPECT_LT(glm::distance(at, glm::vec3(0.5f, 0.7f, 0.5f / 48)), 1e-5f);
    EXPECT_TRUE(interaction.advance(0, 1).strokes.empty()) << "a brush at rest paints nothing";
    update({event(InputEvent::Kind::Release, 0.6f, 0.7f)});
    interaction.afterSteps();
    EXPECT_FALSE(interaction.busy());
    EXPECT_TRUE(interaction.advance(0, 1).strokes.empty());
}

TEST_F(FlatInteraction, DrawAndIgniteFuel) {
    interaction.brush.fuel = 0.75f;
    interaction.brush.ignite = true;
    update({event(InputEvent::Kind::Press, 0.2f, 0.3f), event(InputEvent::Kind::Move, 0.5f, 0.3f)});
    for (const bool hasFuel : {false, true}) {
        if (hasFuel) settings.emitters.push_back({.fuel = 0.5f});
        const StrokeSettings stroke = interaction.advance(0, 1).strokes.back().first;
        EXPECT_EQ(stroke.fuel, hasFuel ? 0.75f : 0.0f);
        EXPECT_EQ(stroke.temperature, hasFuel ? settings.fire.heat : 0.0f);
    }
}

TEST_F(FlatInteraction, DragObstaclesAndChangeTheBrush) {
    update({event(InputEvent::Kind::Press, 1.0f, 0.8f), event(InputEvent::Kind::Move, 0.9f, 0.8f)});
    const Interaction::StepInput input = interaction.advance(0, 1);
    EXPECT_TRUE(input.held);
    EXPECT_TRUE(input.strokes.empty());
    interaction.letGo();
    update({event(InputEvent::Kind::Move, 0.2f, 0.2f)});
    InputEvent wheel = event(InputEvent::Kind::Wheel, 0.2f, 0.2f);
    wheel.wheel = 3.0f;
    const float height = camera.settings().height;
    update({wheel});
    EXPECT_GT(interaction.brush.radius, 0.06f);
    EXPECT_EQ(camera.settings().height, height);
    wheel.ctrl = true;
    update({wheel});
    EXPECT_LT(camera.settings().height, height) << "the camera must come nearer";
    camera.orbit({0.3f, 0.2f});
    EXPECT_LT(glm::distance(camera.forward(), glm::vec3(0.0f, 0.0f, -1.0f)), 1e-6f) << "the view of a plane must be perpendicular to it";
}

TEST_F(FlatInteraction, ColoursCycle) {
    interaction.brush.cycle = 0.06f;
    update({event(InputEvent::Kind::Press, 0.2f, 0.3f)});
    std::vector<glm::vec3> colours;
    for (int n = 1; n <= 6; ++n) {
        update({event(InputEvent::Kind::Move, 0.2f + 0.1f * static_cast<float>(n), 0.3f)});
        colours.push_back(interaction.advance(0, 1).strokes.back().first.colour);
        interaction.afterSteps();
    }
    for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_NEAR(std::max({colours[i].r, colours[i].g, colours[i].b}), 1.0f, 1e-3f) << "colours must be saturated";
        for (std::size_t k = 0; k < i; ++k) EXPECT_GT(glm::distance(colours[i], colours[k]), 0.1f);
    }
}

/// 16x16 arrows that all point to +x.
class ArrowInteraction : public FlatInteraction {
protected:
    using Kind = InputEvent::Kind;

    ArrowInteraction() {
        settings.obstacles.clear();
        settings.prescribed.field = PrescribedField::Arrows;
    }
    glm::vec2 middleOf(glm::uvec2 arrow) const { return glm::vec2(settings.grid.size) * (glm::vec2(arrow) + 0.5f) / 16.0f; }
    InputEvent by(Kind kind, glm::uvec2 arrow, glm::vec2 tiles, int code = GLFW_MOUSE_BUTTON_LEFT) const {
        const glm::vec2 x = middleOf(arrow) + tiles * glm::vec2(settings.grid.size) / 16.0f;
        return event(kind, x.x, x.y, code);
    }
    void expectOnly(glm::uvec2 turned, float angle) const {
        for (std::uint32_t y = 0; y < 16; ++y)
            for (std::uint32_t x = 0; x < 16; ++x)
                EXPECT_NEAR(arrowAngle(settings.prescribed, {x, y}), glm::uvec2(x, y) == turned ? angle : 0.0f, 1e-3f) << x << " " << y;
    }
};

TEST_F(ArrowInteraction, AClickTurnsAnArrowTowardsTheMouse) {
    update({by(Kind::Press, {3, 12}, {0.0f, 0.3f}), by(Kind::Release, {3, 12}, {0.0f, 0.3f})});
    EXPECT_TRUE(interaction.changed());
    EXPECT_FALSE(interaction.busy());
    expectOnly({3, 12}, glm::half_pi<float>());
    EXPECT_TRUE(interaction.advance(0, 1).strokes.empty()) << "nothing may be painted";
    update({by(Kind::Press, {3, 12}, {-0.3f, 0.0f}), by(Kind::Release, {3, 12}, {-0.3f, 0.0f})});
    EXPECT_NEAR(std::abs(arrowAngle(settings.prescribed, {3, 12})), glm::pi<float>(), 1e-3f);
    EXPECT_EQ(settings.prescribed.arrows.size(), 1u) << "the same arrow must be turned again";
}

TEST_F(ArrowInteraction, ADragOverOthersTurnsTheFirst) {
    update({by(Kind::Press, {8, 8}, {0.1f, 0.2f})});
    EXPECT_TRUE(interaction.busy()) << "one drag is one step of the history";
    update({by(Kind::Move, {8, 8}, {3.0f, 0.0f})});
    expectOnly({8, 8}, 0.0f);
    update({by(Kind::Move, {8, 8}, {-2.0f, -1.5f})});  // tiles are wider than high
    expectOnly({8, 8}, std::atan2(-1.5f, -2.0f * 4.0f / 3.0f));
    update({by(Kind::Move, {8, 8}, {0.0f, -40.0f}), by(Kind::Release, {8, 8}, {0.0f, -40.0f})});
    expectOnly({8, 8}, -glm::half_pi<float>());
    update({by(Kind::Move, {8, 8}, {5.0f, 5.0f})});
    EXPECT_FALSE(interaction.changed()) << "the arrow is released";
    expectOnly({8, 8}, -glm::half_pi<float>());
}

TEST_F(ArrowInteraction, ArrowsIgnoreOtherPositionsAndButtons) {
    const Settings before = settings;
    const CameraSettings view = camera.settings();
    update({by(Kind::Press, {0, 5}, {-0.6f, 0.0f}), by(Kind::Move, {4, 4}, {0.2f, 0.2f}), by(Kind::Release, {4, 4}, {0.2f, 0.2f})});
    update({by(Kind::Press, {4, 15}, {0.0f, 0.6f}), by(Kind::Release, {4, 15}, {0.0f, 0.6f})});
    EXPECT_TRUE(settings == before);
    EXPECT_TRUE(camera.settings() == view);
    update({by(Kind::Press, {4, 4}, {0.2f, 0.2f}, GLFW_MOUSE_BUTTON_RIGHT), by(Kind::Move, {6, 4}, {0.2f, 0.2f})});
    EXPECT_FALSE(interaction.advance(0, 1).strokes.empty()) << "the right button paints";
    update({by(Kind::Release, {6, 4}, {0.2f, 0.2f}, GLFW_MOUSE_BUTTON_RIGHT)});
    interaction.afterSteps();
    InputEvent press = by(Kind::Press, {4, 4}, {0.2f, 0.2f});
    press.shift = true;
    update({press, by(Kind::Move, {6, 4}, {0.2f, 0.2f}), by(Kind::Release, {6, 4}, {0.2f, 0.2f})});
    EXPECT_LT(camera.settings().target.x, view.target.x - 0.1f) << "the view must follow the mouse";
    EXPECT_TRUE(settings == before);
    settings.prescribed.field = PrescribedField::Rotation;
    camera.set(view);
    update({by(Kind::Press, {4, 4}, {0.2f, 0.2f})});
    EXPECT_FALSE(interaction.advance(0, 1).strokes.empty()) << "outside the arrows the left button paints, too";
    EXPECT_TRUE(settings.prescribed.arrows.empty());
}

TEST_F(ArrowInteraction, ReleaseKeepsTheArrow) {
    update({by(Kind::Press, {8, 8}, {0.0f, 0.3f})});
    interaction.letGo();
    EXPECT_FALSE(interaction.busy());
    update({by(Kind::Move, {8, 8}, {3.0f, 0.0f})});
    expectOnly({8, 8}, glm::half_pi<float>());
}

TEST_F(ArrowInteraction, TheArrowUnderTheMouseIsShown) {
    test::GuiUser user([&] { interaction.drawGizmo(0.0); }, size);
    const auto triangles = [&] {
        user.look();
        return ImGui::GetDrawData()->TotalIdxCount / 3;
    };
    update({by(Kind::Move, {0, 5}, {-2.0f, 0.0f})});
    const int ring = triangles();
    update({by(Kind::Move, {4, 4}, {0.1f, 0.1f})});
    EXPECT_GT(triangles(), ring) << "one more arrow";
    update({by(Kind::Press, {4, 4}, {0.1f, 0.1f}), by(Kind::Move, {0, 5}, {-2.0f, 0.0f})});
    EXPECT_GT(triangles(), 0) << "the arrow is still dragged";
    EXPECT_LT(triangles(), ring) << "the brush must be hidden";
}

TEST(FlatPlot, ShowsAllOfThePlaneOrWhatTheCameraSees) {
    Settings s;
    s.grid.cells = {64, 32, 1};
    s.grid.size = {2.0f, 1.0f, 1.0f / 32};
    s.grid.origin = {-1.0f, 3.0f, 0.0f};
    s.render.size = {400, 400};
    PlanePlot plot = planePlot(s);
    EXPECT_FLOAT_EQ(plot.pixel, 2.0f / 400) << "the width must fit";
    EXPECT_FLOAT_EQ(plot.corner.x, -1.0f);
    EXPECT_FLOAT_EQ(plot.corner.y, 3.5f + 1.0f);
    s.camera.height = 0.5f;
    s.camera.target = {0.25f, 3.25f, 0.0f};
    plot = planePlot(s);
    EXPECT_FLOAT_EQ(plot.pixel, 0.5f / 400);
    EXPECT_FLOAT_EQ(plot.corner.x, 0.0f);
    EXPECT_FLOAT_EQ(plot.corner.y, 3.5f);
}

}  // namespace
}  // namespace wisp::app
