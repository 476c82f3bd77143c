// SPDX-License-Identifier: MIT
// Position of the main panel in the window, and the area that remains for the image.
#include "app/live/dock.h"
#include "tests/support/gui_user.h"

#include <gtest/gtest.h>
#include <imgui.h>
#include <imgui_internal.h>

namespace wisp::app {
namespace {

class DockTest : public testing::Test {
protected:
    DockTest() {
        ImGui::GetIO().ConfigWindowsMoveFromTitleBarOnly = true;  // as in Gui
        user.look(3);
    }
    static const ImGuiWindow& panel() { return *ImGui::FindWindowByName("panel"); }
    static glm::vec2 title() { return {panel().Pos.x + 0.5f * panel().Size.x, panel().Pos.y + 8.0f}; }
    void drag(glm::vec2 way) {
        user.moveTo(title());
        user.press(true);
        for (int i = 0; i < 4; ++i) user.moveTo(glm::vec2(ImGui::GetIO().MousePos.x, ImGui::GetIO().MousePos.y) + 0.25f * way);
        user.press(false);
        user.look(2);
    }
    void resize(glm::vec2 size) {
        ImGui::GetIO().DisplaySize = {size.x, size.y};
        user.look(3);
    }
    static void expectInside() {
        const ImVec2 display = ImGui::GetIO().DisplaySize;
        for (const char* name : {"panel", "other"}) {
            const ImGuiWindow& w = *ImGui::FindWindowByName(name);
            EXPECT_GE(w.Pos.x, 0.0f) << name;
            EXPECT_GE(w.Pos.y, 0.0f) << name;
            EXPECT_LE(w.Pos.x + w.Size.x, display.x) << name;
            EXPECT_LE(w.Pos.y + w.Size.y, display.y) << name;
        }
    }
    Dock dock;
    Area free;
    bool shown = true;
    test::GuiUser user{[this] {
                           keepPanelsInside();
                           if (shown) {
                               dock.begin("panel");
                               ImGui::End();
                           }
                           free = dock.free();
                           ImGui::SetNextWindowPos({300.0f, 250.0f}, ImGuiCond_FirstUseEver);
                           ImGui::SetNextWindowSize({400.0f, 300.0f}, ImGuiCond_FirstUseEver);
                           ImGui::Begin("other");
                           ImGui::End();
                       },
                       glm::vec2(800.0f, 600.0f)};
};

TEST_F(DockTest, ImageGetsTheFreeArea) {
    EXPECT_EQ(panel().Size.y, 600.0f);
    EXPECT_EQ(panel().Pos.x + panel().Size.x, 800.0f);
    EXPECT_EQ(free, (Area{{0.0f, 0.0f}, {panel().Pos.x, 600.0f}}));
    shown = false;
    user.look();
    EXPECT_EQ(free, (Area{{0.0f, 0.0f}, {800.0f, 600.0f}})) << "Tab hides the panel";
}

TEST_F(DockTest, CanFloatAndMoveToTheOtherSide) {
    drag({-200.0f, 60.0f});
    EXPECT_EQ(dock.side, PanelSide::Floating);
    EXPECT_LT(panel().Pos.x + panel().Size.x, 700.0f);
    EXPECT_LT(panel().Size.y, 500.0f) << "the panel can be moved vertically, too";
    EXPECT_EQ(free, wholeWindow());
    drag({-panel().Pos.x + 5.0f, 0.0f});
    EXPECT_EQ(dock.side, PanelSide::Left);
    EXPECT_EQ(panel().Pos.x, 0.0f);
    EXPECT_EQ(panel().Size.y, 600.0f);
    EXPECT_EQ(free.low, glm::vec2(panel().Size.x, 0.0f));
    EXPECT_EQ(free.size, glm::vec2(800.0f - panel().Size.x, 600.0f));
    drag({6.0f, 0.0f});
    EXPECT_EQ(dock.side, PanelSide::Left) << "a click must not move the panel";
}

TEST_F(DockTest, PanelsStayInsideAShrinkingWindow) {
    for (const PanelSide side : {PanelSide::Right, PanelSide::Left, PanelSide::Floating}) {
        dock.side = side;
        for (const glm::vec2 size : {glm::vec2(1280.0f, 720.0f), glm::vec2(640.0f, 480.0f), glm::vec2(300.0f, 200.0f),
                                     glm::vec2(160.0f, 120.0f), glm::vec2(800.0f, 600.0f)}) {
            resize(size);
            expectInside();
            EXPECT_GE(free.size.x, 1.0f);
        }
    }
}

}  // namespace
}  // namespace wisp::app
