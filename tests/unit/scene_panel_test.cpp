// SPDX-License-Identifier: MIT
// The panel of scene keys in Dear ImGui without a window, and its undo history.
#include "app/live/scene_panel.h"
#include "app/live/history.h"
#include "files/scene/scene.h"
#include "files/scene/scene_keys.h"
#include "third_party/imgui_versions.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <string>

namespace wisp::app {
namespace {

using third_party::GuiKey;
using third_party::setKey;

/// Simulates a mouse and a keyboard for one panel.
class ScenePanelTest : public testing::Test {
protected:
    ScenePanelTest() {
        ImGui::CreateContext();
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = nullptr;
        io.DisplaySize = {420.0f, 40000.0f};  // so that everything is visible
        io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
        third_party::prepareKeys();
        unsigned char* texels = nullptr;
        int width = 0, height = 0;
        io.Fonts->GetTexDataAsRGBA32(&texels, &width, &height);
    }

public:
    ~ScenePanelTest() override { ImGui::DestroyContext(); }

protected:
    void show(Settings& settings) {
        ImGui::GetIO().DeltaTime = 0.1f;
        ImGui::NewFrame();
        ImGui::SetNextWindowPos({0.0f, 0.0f});
        ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
        ImGui::Begin("panel", nullptr, ImGuiWindowFlags_NoDecoration);
        panel.draw(settings);
        ImGui::End();
        ImGui::Render();
    }
    void moveTo(float x, float y, Settings& s) {
        ImGui::GetIO().MousePos = {x, y};
        show(s);
    }
    void press(bool down, Settings& s) {
        ImGui::GetIO().MouseDown[0] = down;
        show(s);
    }
    void click(float x, float y, Settings& s) {
        moveTo(x, y, s);
        press(true, s);
        press(false, s);
    }
    void type(const std::string& text, Settings& s) {
        for (const char c : text) ImGui::GetIO().AddInputCharacter(static_cast<unsigned char>(c));
        show(s);
    }
    void enter(Settings& s) {
        for (const bool down : {true, false}) {
            setKey(GuiKey::Enter, down);
            show(s);
        }
    }
    void find(const std::string& key, Settings& s) {
        click(100.0f, kFilter, s);
        type(key, s);
        enter(s);
    }
    // Positions [pixels] in the window: y of the filter and of the first key, x of its value and of its reset button.
    static constexpr float kFilter = 18.0f, kFirst = 59.0f, kValue = 260.0f, kReset = 403.0f;
    ScenePanel panel;
};

/// Counts the letters of the names of all keys in tables.
class Letters : public SceneVisitor {
public:
    int count = 0;
    bool key(const std::string& name, KeyValue, const KeyInfo&) override {
        if (inside_) count += static_cast<int>(name.size());
        return true;
    }
    void table(const std::string&, const std::function<void()>& keys) override {
        inside_ = true;
        keys();
    }
    void list(const std::string&, const List& list) override {
        for (std::size_t i = 0; i < list.size; ++i) list.keys(i);
    }
    void fail(const std::string&, const std::string&) override {}

private:
    bool inside_ = false;
};

TEST_F(ScenePanelTest, ShowsEveryKeyOfEverySceneAndChangesNothing) {
    for (const std::string& name : builtInScenes()) {
        const Settings scene = loadScene(findScene(name));
        Settings s = scene;
        panel = {};
        panel.setBase(scene);
        find(".", s);
        for (int i = 0; i < 3; ++i) show(s);
        EXPECT_TRUE(s == scene) << name;
        Letters letters;
        visitScene(letters, s, {});
        EXPECT_GT(ImGui::GetDrawData()->TotalVtxCount, 4 * letters.count) << "one rectangle per letter, and the values";
    }
}

TEST_F(ScenePanelTest, SlidesAndResets) {
    Settings s;
    panel.setBase(s);
    find("flow.vorticity", s);
    ASSERT_EQ(s.flow.vorticity, 0.8f);
    moveTo(kValue, kFirst, s);
    press(true, s);
    EXPECT_TRUE(panel.editing());
    moveTo(1000.0f, kFirst, s);
    EXPECT_EQ(s.flow.vorticity, 3.0f) << "the value must be the upper limit";
    press(false, s);
    show(s);
    EXPECT_FALSE(panel.editing());
    click(kReset, kFirst, s);
    EXPECT_EQ(s.flow.vorticity, 0.8f);
    click(kReset, kFirst, s);
    EXPECT_TRUE(s == Settings()) << "an unchanged key has no reset button";
}

TEST_F(ScenePanelTest, InvalidChangesDoNotReachTheSettings) {
    Settings s;
    panel.setBase(s);
    find("grid.cells", s);
    const auto write = [&](float x, float y, const std::string& number) {
        click(x, y, s);
        for (const GuiKey key : {GuiKey::Ctrl, GuiKey::A}) setKey(key, true);
        show(s);
        for (const GuiKey key : {GuiKey::Ctrl, GuiKey::A}) setKey(key, false);
        type(number, s);
        enter(s);
    };
    write(166.0f, kFirst, "128");
    EXPECT_TRUE(s == Settings()) << "cells are not cubic yet, so the settings must not change";
    const float below = kFirst + 72.0f;  // below three lines with the error, and a button
    for (float y = kFirst; y < below + 60.0f && s.grid.cells.y != 64; y += 6.0f) write(254.0f, y, "64");
    EXPECT_TRUE(s == Settings());
    for (float y = kFirst; y < below + 60.0f && s.grid.cells.z != 64; y += 6.0f) write(340.0f, y, "64");
    EXPECT_EQ(s.grid.cells, glm::uvec3(128, 64, 64));
}

TEST(LiveHistory, GoesBackAndForth) {
    History history;
    Settings s;
    history.reset(s);
    EXPECT_FALSE(history.undo());
    for (const float x : {1.0f, 2.0f, 3.0f}) {
        s.flow.vorticity = x;
        history.keep(s);
        history.keep(s);  // nothing has changed
    }
    s.render.size = {640, 480};  // the size of the window
    history.keep(s);
    EXPECT_EQ(history.undo()->flow.vorticity, 2.0f);
    EXPECT_EQ(history.undo()->flow.vorticity, 1.0f);
    EXPECT_EQ(history.undo()->render.size, glm::uvec2(640, 480));
    EXPECT_FALSE(history.undo());
    EXPECT_EQ(history.redo()->flow.vorticity, 1.0f);
    s = *history.redo();
    EXPECT_EQ(s.flow.vorticity, 2.0f);
    s.flow.weight = 1.0f;
    history.keep(s);
    EXPECT_FALSE(history.redo()) << "a new change must clear the redo list";
    EXPECT_EQ(history.undo()->flow.weight, 0.0f);
}

TEST(LiveHistory, ForgetsTheOldest) {
    History history;
    Settings s;
    history.reset(s);
    for (std::uint32_t n = 1; n <= 2 * History::kMost; ++n) {
        s.seed = n;
        history.keep(s);
    }
    std::size_t steps = 0;
    for (std::optional<Settings> before = history.undo(); before; before = history.undo()) {
        s = *before;
        ++steps;
    }
    EXPECT_EQ(steps, History::kMost);
    EXPECT_EQ(s.seed, History::kMost);
}

}  // namespace
}  // namespace wisp::app
