// SPDX-License-Identifier: MIT
#include "app/live/gui.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

namespace wisp::app {

Gui::Gui(const Window& window) : window_(window) {
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    setScale(window.scale());
    ImGui_ImplGlfw_InitForOther(window.handle(), true);
}

Gui::~Gui() {
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
}

void Gui::setScale(float scale) {
    scale_ = scale;
    ImFontAtlas& fonts = *ImGui::GetIO().Fonts;
    fonts.Clear();
    ImFontConfig font;
    font.SizePixels = std::round(13.0f * scale);
    fonts.AddFontDefault(&font);
    fonts.Build();
    ImGuiStyle& style = ImGui::GetStyle() = ImGuiStyle();
    ImGui::StyleColorsDark();
    style.WindowRounding = style.FrameRounding = 4.0f;
    style.ScaleAllSizes(scale);
}

bool Gui::begin() {
    const bool other = window_.scale() != scale_;
    if (other) setScale(window_.scale());
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
    return other;
}

bool Gui::typing() const { return ImGui::GetIO().WantTextInput; }

bool Gui::isPanel(glm::vec2 at) const {
    const ImVector<ImGuiWindow*>& windows = ImGui::GetCurrentContext()->Windows;
    return std::any_of(windows.begin(), windows.end(), [&](const ImGuiWindow* w) {
        return w->WasActive && (w->Flags & ImGuiWindowFlags_NoMouseInputs) == 0 && w->OuterRectClipped.Contains({at.x, at.y});
    });
}

Input takeInput(Window& window, const Gui& gui, double elapsed) {
    Input input{.events = window.takeEvents(), .mouse = window.mouse(), .size = window.size()};
    input.elapsed = elapsed;
    input.isDown = [&window, typing = gui.typing()](int key) { return !typing && window.isDown(key); };
    input.isPanel = [&gui](glm::vec2 at) { return gui.isPanel(at); };
    GLFWgamepadstate pad;
    if (glfwJoystickIsGamepad(GLFW_JOYSTICK_1) && glfwGetGamepadState(GLFW_JOYSTICK_1, &pad)) {
        const auto axis = [&](int n) { return std::abs(pad.axes[n]) < 0.15f ? 0.0f : pad.axes[n]; };  // sticks rest a little off
        input.stick = {axis(GLFW_GAMEPAD_AXIS_LEFT_X), axis(GLFW_GAMEPAD_AXIS_LEFT_Y)};
        input.turn = {axis(GLFW_GAMEPAD_AXIS_RIGHT_X), axis(GLFW_GAMEPAD_AXIS_RIGHT_Y)};
    }
    return input;
}

}  // namespace wisp::app
