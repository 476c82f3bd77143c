// SPDX-License-Identifier: MIT
// The panels that do not show scene keys: the commands of their buttons, and their texts.
#include "app/live/panels.h"
#include "app/live/gui.h"
#include "tests/support/gui_user.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>

namespace wisp::app {
namespace {

using test::Seen;
using testing::HasSubstr;
using testing::Not;

class PanelsTest : public testing::Test {
protected:
    PanelsTest() {
        state.device = "a device";
        state.memory = "12.00 MiB";
        state.scene = "smoke";
        state.scenes = scenes;
        user.look(3);
    }
    std::vector<bool*> commands() {
        return {&state.step, &state.restart, &state.frameAll, &state.home, &state.screenshot, &state.record,
                &state.save, &state.keep,    &state.reload,   &state.undo, &state.redo};
    }
    std::vector<SceneEntry> scenes{{.name = "plume", .description = "Hot smoke rises."}, {.name = "smoke", .description = "The demo."}};
    PanelState state;
    Settings settings;
    FixedStep clock{1.0 / 60};
    BrushSettings brush;
    ScenePanel scene;
    test::GuiUser user{[this] { drawPanels(state, settings, clock, brush, scene); }};
};

TEST_F(PanelsTest, EachButtonGivesOneCommand) {
    const auto expectOne = [&](const std::string& button, bool& command, const std::string& tip) {
        user.hover(button);
        EXPECT_THAT(user.page(), HasSubstr(tip)) << button;
        user.click(button);
        EXPECT_TRUE(command) << button;
        command = false;
        for (const bool* other : commands()) EXPECT_FALSE(*other) << button;
    };
    expectOne("Step", state.step, "N: ");
    expectOne("Reset", state.restart, "R: ");
    expectOne("Reload", state.reload, "F5: ");
    expectOne("Save scene", state.save, "Ctrl + S: ");
    expectOne("Save checkpoint", state.keep, "Ctrl + Shift + S: ");
    expectOne("Undo", state.undo, "Ctrl + Z");
    expectOne("Redo", state.redo, "Ctrl + Y");
    expectOne("Screenshot", state.screenshot, "F12: ");
    expectOne("Record video", state.record, "F9: ");
    state.recording = true;
    user.look();
    expectOne("Stop recording", state.record, "F9: ");
    user.click("Window");
    expectOne("Frame all", state.frameAll, "F: ");
    expectOne("Reset camera", state.home, "Home: ");
}

TEST_F(PanelsTest, PausesAndResumes) {
    EXPECT_THAT(user.page(), Not(HasSubstr("Resume")));
    user.click("Pause");
    EXPECT_TRUE(state.paused);
    user.click("Resume");
    EXPECT_FALSE(state.paused);
    EXPECT_THAT(user.page(), HasSubstr("Pause"));
}

TEST_F(PanelsTest, SpeedIsSetBySliderAndText) {
    const Seen number = user.find("1.00 x");
    user.drag(number.centre(), number.centre() + glm::vec2(1000.0f, 0.0f));
    EXPECT_DOUBLE_EQ(clock.speed, 2.0);
    user.drag(number.centre(), number.centre() - glm::vec2(1000.0f, 0.0f));
    EXPECT_DOUBLE_EQ(clock.speed, 0.0);
    user.write(number.centre(), "0.25");
    EXPECT_DOUBLE_EQ(clock.speed, 0.25);
}

TEST_F(PanelsTest, ScenesAndQualityAreChosen) {
    user.click("smoke");
    user.look(2);
    EXPECT_THAT(user.page(), HasSubstr("Hot smoke rises."));
    user.click("plume");
    EXPECT_EQ(state.openScene, "plume");
    user.click("standard");
    user.click("high");
    EXPECT_EQ(state.level, QualityLevel::High);
}

TEST_F(PanelsTest, ListsCanBeClosed) {
    EXPECT_FALSE(Gui::closeLists());
    user.click("smoke");
    EXPECT_THAT(user.page(), HasSubstr("plume"));
    EXPECT_TRUE(Gui::closeLists());
    user.look(2);
    EXPECT_THAT(user.page(), Not(HasSubstr("plume")));
    EXPECT_FALSE(Gui::closeLists());
}

TEST_F(PanelsTest, ShowsTheStateOfTheRun) {
    state.message = "wrote smoke-000.png";
    user.look();
    for (const char* text : {"wrote smoke-000.png", "a device, 12.00 MiB   F1: keys"}) EXPECT_THAT(user.page(), HasSubstr(text));
    EXPECT_THAT(user.page(), Not(HasSubstr("Slow motion")));
    clock.most = 1;
    for (int i = 0; i < 200; ++i) clock.advance(4.0 / 60);
    user.look();
    user.hover("Slow motion: 25 % of the set speed");
    EXPECT_THAT(user.page(), HasSubstr("Choose a lower quality"));
    state.paused = true;
    user.look();
    EXPECT_THAT(user.page(), Not(HasSubstr("Slow motion"))) << "a paused run is not in slow motion";
}

TEST_F(PanelsTest, ShowsEveryWarningBesideTheMessage) {
    state.message = "wrote smoke-000.png";
    state.warnings = {"warning: obstacle[1].half: the body is 0.02 m thick, less than 2.5 cells of 0.0625 m, so smoke may pass through it",
                      "warning: emitter[0].centre: the emitter is inside an obstacle, which covers all of its cells: it has no effect"};
    user.look(2);
    std::string page = user.page();
    std::ranges::replace(page, '\n', ' ');  // they are wrapped
    for (const std::string& text : {state.message, state.warnings[0], state.warnings[1]}) EXPECT_THAT(page, HasSubstr(text));
}

TEST_F(PanelsTest, OffersALowerQualityForSlowSteps) {
    state.stepMs = 900.0;
    user.look(2);
    EXPECT_THAT(user.page(), Not(HasSubstr("A step takes")));
    state.stepMs = 2340.0;
    user.look(3);
    EXPECT_THAT(user.page(), HasSubstr("A step takes 2.3 s on this device."));
    EXPECT_LT(user.find("Use draft quality").high.x, user.find("Pause").low.x) << "the message must be over the image, not over the panel";
    user.click("Use draft quality");
    EXPECT_EQ(state.level, QualityLevel::Draft);
    user.look(2);
    EXPECT_THAT(user.page(), Not(HasSubstr("A step takes"))) << "no level has fewer cells";
    state.level = QualityLevel::High;
    user.look(3);
    user.click("Not now");
    user.look(2);
    EXPECT_EQ(state.level, QualityLevel::High);
    EXPECT_THAT(user.page(), Not(HasSubstr("A step takes")));
}

TEST_F(PanelsTest, WindowTab) {
    user.click("Window");
    user.write(user.find("1.00 of the window").centre(), "0.5");
    EXPECT_EQ(state.pictureScale, 0.5f);
    user.click("VSync");
    EXPECT_FALSE(state.vsync);
    user.click("Outlines");
    EXPECT_FALSE(state.outlines);
    user.click("100 %");
    user.click("150 %");
    EXPECT_EQ(state.panelScale, 1.5f);
    EXPECT_TRUE(settings == Settings());
}

TEST_F(PanelsTest, BrushTab) {
    user.click("Brush");
    EXPECT_THAT(user.page(), Not(HasSubstr("Temperature"))) << "this scene has no temperature";
    user.write(user.find("0.060 m").centre(), "0.1");
    EXPECT_EQ(brush.radius, 0.1f);
    user.write(user.find("1.000", 0).centre(), "2.5");
    EXPECT_EQ(brush.density, 2.5f);
    user.write(user.find("R:1.000").centre(), "0.5");
    EXPECT_EQ(brush.colour, glm::vec3(0.5f, 1.0f, 1.0f));
    user.write(user.find("1.000", 0).centre(), "0.25");
    EXPECT_EQ(brush.strength, 0.25f);
    settings.flow.buoyancy = 0.02f;
    EmitterSettings warm;
    warm.temperature = 80.0f;
    settings.emitters.push_back(warm);
    ASSERT_TRUE(settings.usesTemperature());
    const Settings before = settings;
    user.look(2);
    user.write(user.find("0 K").centre(), "120");
    EXPECT_EQ(brush.temperature, 120.0f);
    EXPECT_TRUE(settings == before) << "the brush must not change the scene";
    EXPECT_THAT(user.page(), testing::AllOf(Not(HasSubstr("Fuel")), Not(HasSubstr("Ignite")))) << "this scene has no fuel";
    settings.emitters[0].fuel = 0.5f;
    user.look(2);
    user.write(user.beside("Fuel").centre(), "0.75");
    EXPECT_EQ(brush.fuel, 0.75f);
    user.click("Ignite");
    EXPECT_TRUE(brush.ignite);
    user.look(2);
    EXPECT_THAT(user.page(), Not(HasSubstr("Temperature"))) << "that of a flame is painted";
}

TEST_F(PanelsTest, SceneTab) {
    user.click("Brush");
    user.click(user.find("Scene", 1).centre());  // the first match is in the list of scenes
    user.click("Simulation");
    user.look(2);
    user.write(user.beside("Vorticity").centre(), "2.5");
    EXPECT_EQ(settings.flow.vorticity, 2.5f);
}

TEST_F(PanelsTest, LabShowsTheErrorOfAScheme) {
    EXPECT_THAT(user.page(), Not(HasSubstr("Advection error"))) << "there is no exact density with a simulated velocity";
    settings.prescribed.field = PrescribedField::Rotation;
    settings.flow.densityDecay = 0.0f;
    state.advectionMs = 1.25;
    user.look(3);
    for (const char* text : {"Advection error", "not measured yet", "advection: 1.250 ms of GPU time per step"})
        EXPECT_THAT(user.page(), HasSubstr(text));
    Quality q;
    q.error = AdvectionError{.l1 = 0.125, .l2 = 0.25, .overshoot = 0.5, .mass = -0.0625};
    state.measured = q;
    user.look(2);
    for (const char* text : {"L1 1.250e-01", "L2 2.500e-01", "overshoot 5.000e-01", "mass -6.250e-02"})
        EXPECT_THAT(user.page(), HasSubstr(text));
    state.measured->error.reset();
    user.look(2);
    EXPECT_THAT(user.page(), HasSubstr("the scene was changed"));
    settings.flow.densityDecay = 0.1f;
    user.look(2);
    EXPECT_THAT(user.page(), HasSubstr("emitters, strokes or")) << "Reset would not help";
    EXPECT_THAT(user.page(), Not(HasSubstr("the scene was changed")));
}

TEST_F(PanelsTest, ShowsActiveBricks) {
    user.look(2);
    EXPECT_THAT(user.page(), Not(HasSubstr("Active bricks")));
    settings.grid.sparse = true;
    user.look(3);
    for (const char* text : {"Active bricks", "not measured yet"}) EXPECT_THAT(user.page(), HasSubstr(text));
    Quality q;
    q.sparse = SparseQuality{.activeBricks = 37.0, .activeShare = 0.0415};
    state.measured = q;
    user.look(2);
    EXPECT_THAT(user.page(), HasSubstr("4.15 % of the box, 37 bricks"));
    EXPECT_THAT(user.page(), Not(HasSubstr("refused")));
    state.measured->sparse->refusedBricks = 12.0;
    user.look(2);
    EXPECT_THAT(user.page(), HasSubstr("bricks refused: 12, memory is full"));
    user.click("Show bricks");
    EXPECT_TRUE(settings.render.bricks);
    user.click("Show bricks");
    EXPECT_FALSE(settings.render.bricks);
    settings.view.slice = SliceAxis::Z;
    user.look(2);
    user.click("Show bricks");
    EXPECT_FALSE(settings.render.bricks) << "slices do not show bricks";
}

TEST_F(PanelsTest, ShowsTracersAndTarget) {
    user.look(2);
    EXPECT_THAT(user.page(), Not(HasSubstr("per step")));
    settings.tracers.count = 20000;
    settings.grid.cells = {16, 8, 16};
    settings.grid.size = {8.0f, 4.0f, 8.0f};
    state.stepMs = 1.25;
    user.look(2);
    EXPECT_THAT(user.page(), HasSubstr("20000 tracers, 0 blades, 1.25 ms per step"));
    EXPECT_THAT(user.page(), Not(HasSubstr("target at")));
    settings.tracers.count = 0;
    settings.follow.keys = {{.t = 0.0f, .centre = {0.0f, 2.0f, 0.0f}}, {.t = 2.0f, .centre = {3.0f, 2.0f, 0.0f}}};
    state.time = 1.0;
    state.boxOffset = {1.5f, 0.0f, -2.0f};
    user.look(2);
    EXPECT_THAT(user.page(), HasSubstr("target at 1.5, 2.0, 0.0 m"));
    EXPECT_THAT(user.page(), HasSubstr("box moved by 3, 0, -4 cells"));
}

TEST_F(PanelsTest, ListsAllControlsAndCloses) {
    state.panels = false;
    user.look(2);
    EXPECT_EQ(user.page(), "") << "no panel may cover the image";
    state.help = true;
    user.look(3);
    for (const Control& c : controls()) {
        EXPECT_THAT(user.page(), HasSubstr(c.keys));
        EXPECT_THAT(user.page(), HasSubstr(c.does));
    }
    user.closeWindow("Keys and mouse");
    EXPECT_FALSE(state.help);
    EXPECT_EQ(user.page(), "");
}

}  // namespace
}  // namespace wisp::app
