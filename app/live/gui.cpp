// SPDX-License-Identifier: MIT
#include "app/live/gui.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <fontconfig/fontconfig.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>

namespace wisp::app {
namespace {

/// File of the default sans-serif font of the desktop; empty if Dear ImGui cannot read it.
std::string sansFont() {
    FcPattern* const wanted = FcNameParse(reinterpret_cast<const FcChar8*>("sans-serif:fontformat=TrueType"));
    FcConfigSubstitute(nullptr, wanted, FcMatchPattern);
    FcDefaultSubstitute(wanted);
    FcResult result = FcResultNoMatch;
    FcPattern* const found = FcFontMatch(nullptr, wanted, &result);
    FcChar8 *path = nullptr, *format = nullptr;
    std::string file;
    if (found && FcPatternGetString(found, FC_FILE, 0, &path) == FcResultMatch &&
        FcPatternGetString(found, FC_FONTFORMAT, 0, &format) == FcResultMatch &&
        std::string_view(reinterpret_cast<const char*>(format)) == "TrueType")
        file = reinterpret_cast<const char*>(path);
    if (found) FcPatternDestroy(found);
    FcPatternDestroy(wanted);
    FcFini();  // frees the list of all fonts
    return std::ifstream(file).good() ? file : "";
}

/// Grey, with one accent colour for controls.
ImGuiStyle quietStyle() {
    ImGuiStyle style;
    ImGui::StyleColorsDark(&style);
    style.WindowRounding = 6.0f;
    style.FrameRounding = style.GrabRounding = style.TabRounding = style.PopupRounding = 3.0f;
    style.WindowBorderSize = style.ChildBorderSize = 0.0f;
    style.WindowPadding = {10.0f, 10.0f};
    style.FramePadding = {6.0f, 3.0f};
    style.ItemSpacing = {6.0f, 5.0f};
    const auto grey = [](float value, float alpha = 1.0f) { return ImVec4(value, value, 1.06f * value, alpha); };
    const ImVec4 warm(0.93f, 0.58f, 0.30f, 1.0f), dim(0.93f, 0.58f, 0.30f, 0.55f);
    const std::pair<ImGuiCol, ImVec4> colours[] = {{ImGuiCol_Text, grey(0.88f)},
                                                   {ImGuiCol_TextDisabled, grey(0.52f)},
                                                   {ImGuiCol_WindowBg, grey(0.09f, 0.93f)},
                                                   {ImGuiCol_PopupBg, grey(0.11f, 0.97f)},
                                                   {ImGuiCol_TitleBg, grey(0.07f)},
                                                   {ImGuiCol_TitleBgActive, grey(0.13f)},
                                                   {ImGuiCol_TitleBgCollapsed, grey(0.07f, 0.8f)},
                                                   {ImGuiCol_FrameBg, grey(0.17f)},
                                                   {ImGuiCol_FrameBgHovered, grey(0.22f)},
                                                   {ImGuiCol_FrameBgActive, grey(0.26f)},
                                                   {ImGuiCol_Button, grey(0.22f)},
                                                   {ImGuiCol_ButtonHovered, grey(0.32f)},
                                                   {ImGuiCol_ButtonActive, dim},
                                                   {ImGuiCol_Header, grey(0.16f)},
                                                   {ImGuiCol_HeaderHovered, grey(0.24f)},
                                                   {ImGuiCol_HeaderActive, grey(0.30f)},
                                                   {ImGuiCol_Tab, grey(0.14f)},
                                                   {ImGuiCol_TabHovered, grey(0.30f)},
                                                   {ImGuiCol_TabActive, grey(0.26f)},
                                                   {ImGuiCol_SliderGrab, dim},
                                                   {ImGuiCol_SliderGrabActive, warm},
                                                   {ImGuiCol_CheckMark, warm},
                                                   {ImGuiCol_Separator, grey(0.24f)},
                                                   {ImGuiCol_PlotHistogram, dim},
                                                   {ImGuiCol_PlotLines, warm},
                                                   {ImGuiCol_TextSelectedBg, dim},
                                                   {ImGuiCol_ResizeGrip, grey(0.25f)}};
    for (const auto& [which, colour] : colours) style.Colors[which] = colour;
    return style;
}

}  // namespace

Gui::Gui(const Window& window, const std::string& layout, std::vector<SceneEntry> scenes) : window_(window), scenes_(std::move(scenes)) {
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().ConfigWindowsMoveFromTitleBarOnly = true;  // a drag beside a button must not move the panel
    setScale(window.scale());
    ImGui::LoadIniSettingsFromMemory(layout.data(), layout.size());
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
    if (const std::string file = sansFont(); file.empty()) fonts.AddFontDefault(&font);
    else fonts.AddFontFromFileTTF(file.c_str(), std::round(14.0f * scale));
    reservePictures(scenes_, fonts);
    fonts.Build();
    paintPictures(scenes_, fonts);
    ImGui::GetStyle() = quietStyle();
    ImGui::GetStyle().ScaleAllSizes(scale);
}

std::string Gui::layout() const { return ImGui::SaveIniSettingsToMemory(); }

bool Gui::begin(float scale) {
    const float wanted = scale * window_.scale();
    const bool changed = wanted != scale_;
    if (changed) setScale(wanted);
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
    keepPanelsInside();
    return changed;
}

bool Gui::closeLists() {
    if (ImGui::GetCurrentContext()->OpenPopupStack.empty()) return false;
    ImGui::ClosePopupToLevel(0, true);
    return true;
}

bool Gui::typing() const { return ImGui::GetIO().WantTextInput; }

bool Gui::isPanel(glm::vec2 at) const {
    const ImVector<ImGuiWindow*>& windows = ImGui::GetCurrentContext()->Windows;
    return std::any_of(windows.begin(), windows.end(), [&](const ImGuiWindow* w) {
        return w->WasActive && (w->Flags & ImGuiWindowFlags_NoMouseInputs) == 0 && w->OuterRectClipped.Contains({at.x, at.y});
    });
}

Input takeInput(Window& window, const Gui& gui, const Area& area, double elapsed) {
    Input input{.events = window.takeEvents(), .mouse = window.mouse(), .size = area.size, .corner = area.low};
    input.elapsed = elapsed;
    input.isDown = [&window, typing = gui.typing()](int key) { return !typing && window.isDown(key); };
    input.isPanel = [&gui](glm::vec2 at) { return gui.isPanel(at); };
    GLFWgamepadstate pad;
    if (glfwJoystickIsGamepad(GLFW_JOYSTICK_1) && glfwGetGamepadState(GLFW_JOYSTICK_1, &pad)) {
        const auto axis = [&](int n) { return std::abs(pad.axes[n]) < 0.15f ? 0.0f : pad.axes[n]; };  // dead zone
        input.stick = {axis(GLFW_GAMEPAD_AXIS_LEFT_X), axis(GLFW_GAMEPAD_AXIS_LEFT_Y)};
        input.turn = {axis(GLFW_GAMEPAD_AXIS_RIGHT_X), axis(GLFW_GAMEPAD_AXIS_RIGHT_Y)};
    }
    return input;
}

}  // namespace wisp::app
