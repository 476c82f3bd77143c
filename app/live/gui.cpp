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

Gui::Gui(const Window& window, float scale, const std::string& layout) : scale_(scale) {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    ImFontConfig font;
    font.SizePixels = std::round(13.0f * window.scale() * scale);
    io.Fonts->AddFontDefault(&font);
    ImGui::StyleColorsDark();
    ImGui::GetStyle().ScaleAllSizes(window.scale() * scale);
    ImGui::GetStyle().WindowRounding = ImGui::GetStyle().FrameRounding = 4.0f * window.scale() * scale;
    ImGui::LoadIniSettingsFromMemory(layout.data(), layout.size());
    ImGui_ImplGlfw_InitForOther(window.handle(), true);
}

Gui::~Gui() {
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
}

void Gui::setScale(float scale) { ImGui::GetIO().FontGlobalScale = scale / scale_; }
std::string Gui::layout() const { return ImGui::SaveIniSettingsToMemory(); }

void Gui::begin() {
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
}

bool Gui::typing() const { return ImGui::GetIO().WantTextInput; }

bool Gui::isPanel(glm::vec2 at) const {
    const ImVector<ImGuiWindow*>& windows = ImGui::GetCurrentContext()->Windows;
    return std::any_of(windows.begin(), windows.end(), [&](const ImGuiWindow* w) {
        return w->WasActive && (w->Flags & ImGuiWindowFlags_NoMouseInputs) == 0 && w->OuterRectClipped.Contains({at.x, at.y});
    });
}

Input takeInput(Window& window, const Gui& gui, double elapsed) {
    Input input{.events = window.takeEvents(), .mouse = window.mouse(), .size = glm::vec2(window.pixels())};
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
