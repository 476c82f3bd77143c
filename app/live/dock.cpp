// SPDX-License-Identifier: MIT
#include "app/live/dock.h"

#include <glm/common.hpp>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <utility>

namespace wisp::app {
namespace {

constexpr float kDefaultWidth = 25.0f, kMinWidth = 18.0f;  // of the panel [font heights]
constexpr float kMaxShare = 0.45f;                         // of the window's width, for a docked panel

}  // namespace

Area wholeWindow() {
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    return {{0.0f, 0.0f}, {size.x, size.y}};
}

void keepPanelsInside() {
    const ImGuiContext& context = *ImGui::GetCurrentContext();
    constexpr ImGuiWindowFlags kNoPanel = ImGuiWindowFlags_ChildWindow | ImGuiWindowFlags_Popup | ImGuiWindowFlags_Tooltip;
    const glm::vec2 display = wholeWindow().size;
    if (display.x <= 0.0f || display.y <= 0.0f) return;
    for (ImGuiWindow* const window : context.Windows) {
        if (!window->WasActive || (window->Flags & kNoPanel) != 0) continue;
        const glm::vec2 before(window->SizeFull.x, window->SizeFull.y),
            size = glm::min(before, display), shown = glm::min(glm::vec2(window->Size.x, window->Size.y), display);
        const glm::vec2 position = glm::clamp(glm::vec2(window->Pos.x, window->Pos.y), glm::vec2(0.0f), display - shown);
        if (size != before && (window->Flags & ImGuiWindowFlags_AlwaysAutoResize) == 0) ImGui::SetWindowSize(window, {size.x, size.y});
        if (position.x != window->Pos.x || position.y != window->Pos.y) ImGui::SetWindowPos(window, {position.x, position.y});
    }
}

/// Follows a drag of the title bar; returns whether the panel has just been undocked.
bool Dock::drag(const char* name) {
    const ImGuiContext& context = *ImGui::GetCurrentContext();
    const ImGuiWindow* const window = ImGui::FindWindowByName(name);
    if (!window) return false;
    const float snapDistance = ImGui::GetFontSize();
    if (context.MovingWindow && context.MovingWindow->RootWindow == window &&
        (moving_ || ImGui::IsMouseDragging(ImGuiMouseButton_Left, snapDistance))) {
        moving_ = true;
        return std::exchange(side, PanelSide::Floating) != PanelSide::Floating;
    }
    if (!std::exchange(moving_, false)) return false;
    if (window->Pos.x <= snapDistance) side = PanelSide::Left;
    else if (window->Pos.x + window->Size.x >= ImGui::GetIO().DisplaySize.x - snapDistance) side = PanelSide::Right;
    return false;
}

bool Dock::begin(const char* name) {
    const bool undocked = drag(name), docked = side != PanelSide::Floating;
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float em = ImGui::GetFontSize(), minWidth = std::min(kMinWidth * em, display.x);
    ImGui::SetNextWindowSize({kDefaultWidth * em, display.y}, ImGuiCond_FirstUseEver);
    if (docked) {
        const float edge = side == PanelSide::Right ? 1.0f : 0.0f;
        ImGui::SetNextWindowPos({edge * display.x, 0.0f}, ImGuiCond_Always, {edge, 0.0f});
        ImGui::SetNextWindowSizeConstraints({minWidth, display.y}, {std::max(minWidth, kMaxShare * display.x), display.y});
        ImGui::SetNextWindowBgAlpha(1.0f);
        ImGui::SetNextWindowCollapsed(false);
    } else {
        ImGui::SetNextWindowSizeConstraints({minWidth, std::min(10.0f * em, display.y)}, {display.x, display.y});
        if (undocked) ImGui::SetNextWindowSize({ImGui::FindWindowByName(name)->Size.x, 0.75f * display.y});
    }
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, docked ? 0.0f : ImGui::GetStyle().WindowRounding);
    // A docked panel is resized by dragging its edge.
    ImGui::PushStyleColor(ImGuiCol_ResizeGrip, docked ? ImVec4() : ImGui::GetStyle().Colors[ImGuiCol_ResizeGrip]);
    const bool open = ImGui::Begin(name, nullptr, docked ? ImGuiWindowFlags_NoCollapse : 0);
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    width_ = docked ? ImGui::GetWindowWidth() : 0.0f;
    drawn_ = ImGui::GetFrameCount();
    return open;
}

Area Dock::free() const {
    Area area = wholeWindow();
    if (drawn_ != ImGui::GetFrameCount()) return area;
    area.size.x = std::max(area.size.x - width_, 1.0f);
    if (side == PanelSide::Left) area.low.x = width_;
    return area;
}

}  // namespace wisp::app
