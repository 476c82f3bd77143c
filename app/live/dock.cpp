// SPDX-License-Identifier: MIT
#include "app/live/dock.h"

#include <glm/common.hpp>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <utility>

namespace wisp::app {
namespace {

constexpr float kUsual = 25.0f, kLeast = 18.0f;  // [letter heights], widths of the panel
constexpr float kMostShare = 0.45f;              // of the window's width that a panel at a side may take

}  // namespace

Area wholeWindow() {
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    return {{0.0f, 0.0f}, {size.x, size.y}};
}

void keepPanelsInside() {
    const ImGuiContext& context = *ImGui::GetCurrentContext();
    constexpr ImGuiWindowFlags kOthers = ImGuiWindowFlags_ChildWindow | ImGuiWindowFlags_Popup | ImGuiWindowFlags_Tooltip;
    const glm::vec2 display = wholeWindow().size;
    if (display.x <= 0.0f || display.y <= 0.0f) return;
    for (ImGuiWindow* const window : context.Windows) {
        if (!window->WasActive || (window->Flags & kOthers) != 0) continue;
        const glm::vec2 before(window->SizeFull.x, window->SizeFull.y),
            size = glm::min(before, display), shown = glm::min(glm::vec2(window->Size.x, window->Size.y), display);
        const glm::vec2 place = glm::clamp(glm::vec2(window->Pos.x, window->Pos.y), glm::vec2(0.0f), display - shown);
        if (size != before && (window->Flags & ImGuiWindowFlags_AlwaysAutoResize) == 0) ImGui::SetWindowSize(window, {size.x, size.y});
        if (place.x != window->Pos.x || place.y != window->Pos.y) ImGui::SetWindowPos(window, {place.x, place.y});
    }
}

/// Follows a drag of the title; returns whether the panel has just left its side.
bool Dock::drag(const char* name) {
    const ImGuiContext& context = *ImGui::GetCurrentContext();
    const ImGuiWindow* const window = ImGui::FindWindowByName(name);
    if (!window) return false;
    const float near = ImGui::GetFontSize();
    if (context.MovingWindow && context.MovingWindow->RootWindow == window &&
        (moving_ || ImGui::IsMouseDragging(ImGuiMouseButton_Left, near))) {
        moving_ = true;
        return std::exchange(side, PanelSide::Floating) != PanelSide::Floating;
    }
    if (!std::exchange(moving_, false)) return false;
    if (window->Pos.x <= near) side = PanelSide::Left;
    else if (window->Pos.x + window->Size.x >= ImGui::GetIO().DisplaySize.x - near) side = PanelSide::Right;
    return false;
}

bool Dock::begin(const char* name) {
    const bool left = drag(name), docked = side != PanelSide::Floating;
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float em = ImGui::GetFontSize(), least = std::min(kLeast * em, display.x);
    ImGui::SetNextWindowSize({kUsual * em, display.y}, ImGuiCond_FirstUseEver);
    if (docked) {
        const float edge = side == PanelSide::Right ? 1.0f : 0.0f;
        ImGui::SetNextWindowPos({edge * display.x, 0.0f}, ImGuiCond_Always, {edge, 0.0f});
        ImGui::SetNextWindowSizeConstraints({least, display.y}, {std::max(least, kMostShare * display.x), display.y});
        ImGui::SetNextWindowBgAlpha(1.0f);
        ImGui::SetNextWindowCollapsed(false);
    } else {
        ImGui::SetNextWindowSizeConstraints({least, std::min(10.0f * em, display.y)}, {display.x, display.y});
        if (left) ImGui::SetNextWindowSize({ImGui::FindWindowByName(name)->Size.x, 0.75f * display.y});
    }
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, docked ? 0.0f : ImGui::GetStyle().WindowRounding);
    ImGui::PushStyleColor(ImGuiCol_ResizeGrip,
                          docked ? ImVec4() : ImGui::GetStyle().Colors[ImGuiCol_ResizeGrip]);  // its edge is dragged instead
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
