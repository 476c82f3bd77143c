// SPDX-License-Identifier: MIT
// Each kind of key in the scene panel: how it is shown, and how it is edited.
#include "app/live/scene_panel.h"
#include "app/live/scene_sections.h"
#include "files/scene/scene.h"
#include "tests/support/gui_user.h"

#include <glm/trigonometric.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <string>

namespace wisp::app {
namespace {

using testing::HasSubstr;
using testing::Not;

class ScenePanelKeys : public testing::Test {
protected:
    ScenePanelKeys() {
        settings.emitters.resize(2);
        settings.emitters[0].shape = {.centre = {0.3f, 0.3f, 0.5f}, .radius = 0.1f};
        settings.emitters[0].density = 0.5f;
        settings.emitters[1].shape = {.centre = {0.7f, 0.3f, 0.5f}, .radius = 0.2f};
        settings.emitters[1].density = 0.75f;
        settings.obstacles.push_back({.shape = {.centre = {0.5f, 0.5f, 0.5f}, .radius = 0.1f}});
        panel.setBase(settings);
        user.look(3);
    }
    void draw() {
        ImGui::SetNextWindowPos({0.0f, 0.0f});
        ImGui::SetNextWindowSize({520.0f, 1900.0f});
        ImGui::Begin("panel", nullptr, ImGuiWindowFlags_NoDecoration);
        panel.draw(settings);
        ImGui::End();
    }
    /// Filters the keys by their path.
    void search(const std::string& key) {
        user.click(glm::vec2(60.0f, 18.0f));
        user.replace(key);
        user.look(2);
    }
    test::Seen keyOf(const std::string& path) { return user.find(labelOf(path.substr(path.rfind('.') + 1))); }
    test::Seen valueOf(const std::string& path) { return user.beside(keyOf(path)); }
    /// The check box at the beginning of the value column, which has no text.
    glm::vec2 boxOf(const std::string& path) { return keyOf(path).low + glm::vec2(9.5f * 13.0f + 6.0f, 6.0f); }
    Settings settings;
    ScenePanel panel;
    test::GuiUser user{[this] { draw(); }, {520.0f, 1900.0f}};
};

TEST_F(ScenePanelKeys, AnglesAreInDegrees) {
    settings.camera.fov = glm::radians(40.0f);
    panel.setBase(settings);
    search("camera.fov");
    EXPECT_EQ(valueOf("camera.fov").text, "40 °");
    user.write(valueOf("camera.fov").centre(), "60");
    EXPECT_FLOAT_EQ(settings.camera.fov, glm::radians(60.0f));
    search("obstacle[0].rotation");
    user.write(valueOf("obstacle[0].rotation").centre(), "90");
    EXPECT_FLOAT_EQ(settings.obstacles[0].rotation.x, glm::radians(90.0f));
    EXPECT_EQ(settings.obstacles[0].rotation.y, 0.0f);
}

TEST_F(ScenePanelKeys, WholeNumbersWordsAndPairs) {
    search("seed");
    user.write(valueOf("seed").centre(), "12");
    EXPECT_EQ(settings.seed, 12u);
    search("name");
    user.click(boxOf("name") + glm::vec2(20.0f, 0.0f));
    user.replace("another name");
    EXPECT_EQ(settings.name, "another name");
    search("render.size");
    user.click(valueOf("render.size").centre());
    user.replace("320");
    EXPECT_EQ(settings.render.size.x, 320u);
    search("camera.eye");
    user.write(valueOf("camera.eye").centre(), "-1.5");
    EXPECT_EQ(settings.camera.eye.x, -1.5f);
    search("render.ground_colour");
    user.write(user.find("R:", 0).centre(), "0.25");
    EXPECT_EQ(settings.render.groundColour.x, 0.25f);
    search("render.temporal");
    const bool before = settings.render.temporal;
    user.click(boxOf("render.temporal"));
    EXPECT_NE(settings.render.temporal, before);
}

TEST_F(ScenePanelKeys, WordsAreChosenFromAList) {
    search("advection.scheme");
    user.click(valueOf("advection.scheme").centre());
    for (const char* name : {"semi_lagrangian", "maccormack", "maccormack_unclamped"}) EXPECT_THAT(user.page(), HasSubstr(name));
    user.click("semi_lagrangian");
    EXPECT_EQ(settings.advection.scheme, AdvectionScheme::SemiLagrangian);
    EXPECT_EQ(valueOf("advection.scheme").text, "semi_lagrangian");
    user.click("<");
    EXPECT_EQ(settings.advection.scheme, Settings().advection.scheme);
}

// A key that may be left out has a check box before its value.
TEST_F(ScenePanelKeys, OptionalKeysHaveACheckBox) {
    search("emitter[0].velocity");
    ASSERT_FALSE(settings.emitters[0].hasVelocity);
    const glm::vec2 box = boxOf("emitter[0].velocity");
    user.click(box);
    ASSERT_TRUE(settings.emitters[0].hasVelocity);
    EXPECT_EQ(settings.emitters[0].velocity, glm::vec3(0.0f));
    user.write(valueOf("emitter[0].velocity").centre(), "1.5");
    EXPECT_EQ(settings.emitters[0].velocity, glm::vec3(1.5f, 0.0f, 0.0f));
    EXPECT_FALSE(settings.emitters[1].hasVelocity);
    user.click(box);
    EXPECT_FALSE(settings.emitters[0].hasVelocity);
    settings.view.field = ViewField::Speed;
    search("view.range");
    user.click(boxOf("view.range"));
    EXPECT_THAT(user.page(), HasSubstr("view.range: ")) << "from 0 to 0 is not a valid range";
    EXPECT_FALSE(settings.view.range);
    user.write(user.beside(user.beside(keyOf("view.range"))).centre(), "2");
    ASSERT_TRUE(settings.view.range);
    EXPECT_EQ(*settings.view.range, glm::vec2(0.0f, 2.0f));
}

TEST_F(ScenePanelKeys, TooltipExplainsTheKey) {
    search("flow.buoyancy");
    user.moveTo(keyOf("flow.buoyancy").centre());
    user.look(2);
    for (const char* text : {"above ambient, against gravity", "[m/s² per K]", "Ctrl + click: type a value"})
        EXPECT_THAT(user.page(), HasSubstr(text));
    user.moveTo(valueOf("flow.buoyancy").centre());
    user.look(2);
    EXPECT_THAT(user.page(), HasSubstr("above ambient, against gravity"));
    user.write(valueOf("flow.buoyancy").centre(), "0.05");
    user.hover("<");
    EXPECT_THAT(user.page(), HasSubstr("reset to the value in the scene"));
}

TEST_F(ScenePanelKeys, ListsGrowAndShrink) {
    user.click("Emitters");
    user.look(2);
    EXPECT_THAT(user.page(), HasSubstr("Emitter 1"));
    user.click(user.find("Remove", 0).centre());
    ASSERT_EQ(settings.emitters.size(), 1u);
    EXPECT_EQ(settings.emitters[0].density, 0.75f) << "the first element must be removed, not the last";
    user.look(2);
    EXPECT_THAT(user.page(), Not(HasSubstr("Emitter 1")));
    user.click("Add emitter");
    ASSERT_EQ(settings.emitters.size(), 2u);
    const Shape& added = settings.emitters[1].shape;
    EXPECT_EQ(added.centre, settings.grid.origin + 0.5f * settings.grid.size) << "a new element must be visible";
    EXPECT_GT(added.radius, 2.0f * settings.grid.cellSize());
    EXPECT_EQ(settings.emitters[1].density, 1.0f) << "a new emitter must emit smoke";
    user.click("Emitters");
    user.click("Obstacles");
    user.look(2);
    user.click("Add key");
    EXPECT_EQ(settings.obstacles[0].keys.size(), 1u);
    user.click("Add obstacle");
    ASSERT_EQ(settings.obstacles.size(), 2u);
    EXPECT_EQ(settings.obstacles[1].shape.centre, settings.grid.origin + 0.5f * settings.grid.size);
    user.click("Obstacles");
    user.click("Advanced");
    user.look(2);
    user.click("Add initial");
    ASSERT_EQ(settings.initial.size(), 1u);
    EXPECT_EQ(settings.initial[0].shape.centre, settings.grid.origin + 0.5f * settings.grid.size);
    EXPECT_EQ(settings.initial[0].density, 1.0f);
    user.look(2);
    EXPECT_THAT(user.page(), Not(HasSubstr("Add initial"))) << "now the scene uses it, so it has its own section";
    user.click("Advanced");
    user.click("Emitters");
    user.look(2);
    EXPECT_THAT(user.page(), HasSubstr("Initial 0"));
}

TEST_F(ScenePanelKeys, SectionsAreInOrderAndHaveWhatTheSceneUses) {
    float y = 0.0f;
    for (const char* section : {"Emitters", "Obstacles", "Appearance", "Light", "Camera", "Simulation", "Advanced"}) {
        EXPECT_GT(user.find(section).low.y, y) << section;
        y = user.find(section).low.y;
    }
    const auto keys = [&](const char* section) {
        user.click(section);
        user.look(2);
        const std::string page = user.page();
        user.click(section);
        return page;
    };
    EXPECT_THAT(keys("Appearance"), testing::AllOf(HasSubstr("Extinction"), HasSubstr("Exposure"), Not(HasSubstr("Refraction")),
                                                   Not(HasSubstr("Glow")), Not(HasSubstr("Shadows"))));
    EXPECT_THAT(keys("Simulation"), testing::AllOf(HasSubstr("Density decay"), Not(HasSubstr("Tracers")), Not(HasSubstr("Grass")),
                                                   Not(HasSubstr("Liquid")), Not(HasSubstr("Solver"))));
    settings.tracers.count = 100;
    user.look(2);
    EXPECT_THAT(keys("Simulation"), testing::AllOf(HasSubstr("Tracers"), HasSubstr("Lifetime"), Not(HasSubstr("Grass"))));
}

// No key is missing: a visit of all sections shows each key once.
TEST(SceneSections, ContainEveryKeyOfEveryScene) {
    for (const std::string& name : builtInScenes()) {
        const Settings s = loadScene(findScene(name));
        for (const char* path : {"emitter[0].radius", "obstacle[0].keys[1].t", "render.exposure", "render.mode", "grid.sides.x0", "name",
                                 "liquid.look", "liquid.jitter", "flow.gravity", "tracers.count"}) {
            const auto sections = sceneSections();
            EXPECT_EQ(std::ranges::count(sections, sectionOf(path, s)), 1) << name << " " << path;
        }
    }
    const Settings smoke = loadScene(findScene("smoke")), water = loadScene(findScene("dam_break")), lab = loadScene(findScene("lab"));
    EXPECT_EQ(sectionOf("emitter[0].radius", smoke), "Emitters");
    EXPECT_EQ(sectionOf("liquid.look", smoke), "Advanced");
    EXPECT_EQ(sectionOf("liquid.look", water), "Appearance");
    EXPECT_EQ(sectionOf("liquid.jitter", water), "Simulation");
    EXPECT_EQ(sectionOf("medium.albedo", water), "Advanced");
    EXPECT_EQ(sectionOf("advection.scheme", smoke), "Advanced");
    EXPECT_EQ(sectionOf("advection.scheme", lab), "Simulation");
    EXPECT_EQ(sectionOf("render.mode", smoke), "Advanced");
    EXPECT_EQ(sectionOf("lightning", smoke), "Advanced") << "parts of a word must not match";
}

TEST(SceneSections, LabelsAreWords) {
    EXPECT_EQ(labelOf("density_decay"), "Density decay");
    EXPECT_EQ(labelOf("radius"), "Radius");
    EXPECT_EQ(labelOf("fov"), "Field of view");
    EXPECT_EQ(labelOf(""), "");
}

TEST_F(ScenePanelKeys, AreFoundByTheirPathAndByTheirName) {
    for (const char* what : {"flow.density_decay", "DENSITY DECAY", "density decay", "flow density decay"}) {
        search(what);
        EXPECT_THAT(user.page(), HasSubstr("Density decay")) << what;
        EXPECT_THAT(user.page(), Not(HasSubstr("Velocity decay"))) << what;
    }
    user.hover("Density decay");
    EXPECT_THAT(user.page(), HasSubstr("flow.density_decay\n")) << "the tooltip must show the path";
    search("emitter 1");
    EXPECT_THAT(user.page(), testing::AllOf(HasSubstr("Emitter 1"), HasSubstr("Radius"), Not(HasSubstr("Emitter 0"))));
}

TEST_F(ScenePanelKeys, AFileThatCannotBeReadIsNamed) {
    search("environment.image");
    user.click(boxOf("environment.image") + glm::vec2(20.0f, 0.0f));
    user.replace("nosuch.hdr");
    EXPECT_THAT(user.page(), HasSubstr("environment.image: "));
    EXPECT_THAT(user.page(), HasSubstr("does not exist"));
    EXPECT_EQ(settings.environment.image, nullptr);
    user.click("Discard changes");
    user.look(2);
    EXPECT_THAT(user.page(), Not(HasSubstr("does not exist")));
}

TEST_F(ScenePanelKeys, ShowsInvalidChangesAndDiscardsThem) {
    search("time.step");
    const float before = settings.timeStep;
    user.write(valueOf("time.step").centre(), "-1");
    EXPECT_EQ(settings.timeStep, before);
    EXPECT_THAT(user.page(), HasSubstr("time.step: "));
    user.click("Discard changes");
    user.look(2);
    EXPECT_EQ(settings.timeStep, before);
    EXPECT_THAT(user.page(), Not(HasSubstr("Discard changes")));
    EXPECT_THAT(user.page(), Not(HasSubstr("-1 s")));
}

}  // namespace
}  // namespace wisp::app
