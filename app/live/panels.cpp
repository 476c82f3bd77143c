// SPDX-License-Identifier: MIT
#include "app/live/panels.h"

#include "app/live/fields.h"
#include "app/live/liquid_panel.h"
#include "compute/scene/motion.h"

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <imgui.h>

#include <algorithm>

namespace wisp::app {
namespace {

bool button(const char* label, const char* what) {
    const bool pressed = ImGui::Button(label);
    tip(what);
    return pressed;
}

/// Behind the one before, if it fits.
bool nextButton(const char* label, const char* what) {
    flowButton(label);
    return button(label, what);
}

void drawButtons(PanelState& s) {
    if (button(s.paused ? "Resume" : "Pause", "Space")) s.paused = !s.paused;
    if (nextButton("Step", "N, while it pauses")) s.step = true;
    if (nextButton("Reset", "R: from t = 0")) s.restart = true;
    if (nextButton("Undo", "Ctrl + Z")) s.undo = true;
    if (nextButton("Redo", "Ctrl + Y")) s.redo = true;
    if (button("Save scene", "Ctrl + S: a scene file with all changes and this view, in the current folder beside earlier ones"))
        s.save = true;
    if (nextButton("Save checkpoint",
                   "Ctrl + Shift + S: a checkpoint in the current folder, from which wisp run --resume and wisp render --resume go on"))
        s.keep = true;
    if (nextButton("Reload", "F5: the scene as its file says now")) s.reload = true;
    if (button("Screenshot", "F12: a PNG with the pixels of the window, without panels, in the current folder")) s.screenshot = true;
    if (nextButton(s.recording ? "Stop recording" : "Record video",
                   "F9: a video with the pixels of the window, without panels, in the current folder. It has 60 pictures a second of the "
                   "scene's time: it runs at "
                   "full speed even where the window does not."))
        s.record = true;
}

void drawRun(PanelState& s, FixedStep& clock) {
    drawButtons(s);
    fieldLabel("Scene");
    if (const std::string scene = chooseScene(s.scenes, s.scene); !scene.empty()) s.openScene = scene;
    const char* const levels[] = {"preview", "standard", "high", "ultra"};
    auto level = static_cast<int>(s.level);
    fieldLabel("Quality");
    if (ImGui::Combo("##quality", &level, levels, 4)) s.level = static_cast<QualityLevel>(level);
    tip("cells along an edge: 0.5, 1, 1.5 or 2 times those of the scene; begins again");
    auto speed = static_cast<float>(clock.speed);
    fieldLabel("Speed");
    if (dragNumber("##speed", &speed, 0.0f, 2.0f, "%.2f x")) clock.speed = static_cast<double>(speed);
    tip("simulated seconds a second");
    if (clock.pace() < 0.97 && !s.paused) {
        ImGui::TextColored({1.0f, 0.75f, 0.35f, 1.0f}, "Slow motion: %.*f %% of its speed", clock.pace() < 0.01 ? 1 : 0,
                           100.0 * clock.pace());
        tip("This device cannot keep up with so many cells; --quality preview has an eighth of them.");
    }
}

/// Where the velocity is prescribed: how good a scheme is, and what it costs.
void drawLab(const PanelState& s, const Settings& settings) {
    if (!ImGui::CollapsingHeader("Lab", ImGuiTreeNodeFlags_DefaultOpen)) return;
    const bool ever = settings.emitters.empty() && settings.strokes.empty() && settings.flow.densityDecay == 0.0f;
    if (!s.measured) ImGui::TextUnformatted("not measured yet");
    else if (!ever) ImGui::TextWrapped("errors unknown: emitters, strokes and decay change what is carried");
    else if (!s.measured->error) ImGui::TextWrapped("errors unknown: something was changed or painted; R begins again");
    else {
        const AdvectionError& e = *s.measured->error;
        ImGui::Text("L1 %.3e   L2 %.3e", e.l1, e.l2);
        tip("of the density's difference from the exact one, over those of the exact one");
        ImGui::Text("overshoot %.3e   mass %+.3e", e.overshoot, e.mass);
        tip("how far the density is anywhere outside of what was there at t = 0 or comes in; relative error of its sum");
    }
    ImGui::Text("carrying %.3f ms of the GPU a step", s.carryingMs);
    tip("the passes of the scheme, and of the paths and bricks that it needs");
}

/// Where a box follows a target, or marks show the wind in it.
void drawWind(const PanelState& s, const Settings& settings) {
    if (!ImGui::CollapsingHeader("Wind", ImGuiTreeNodeFlags_DefaultOpen)) return;
    if (!settings.follow.keys.empty()) {
        const glm::vec3 x = targetPlace(settings.follow, s.time), cells = glm::round(s.gone / settings.grid.cellSize());
        ImGui::Text("target at %.1f, %.1f, %.1f m", x.x, x.y, x.z);
        tip("drag it, or T: it jumps to the mouse; R gives it back to the scene");
        ImGui::Text("box gone %.0f, %.0f, %.0f cells", cells.x, cells.y, cells.z);
    }
    ImGui::Text("%u tracers, %u blades, %.2f ms a step", settings.tracers.count, settings.grass.count, s.stepMs);
}

void drawDisplay(PanelState& s) {
    fieldLabel("Picture");
    dragNumber("##picture", &s.pictureScale, 0.25f, 1.0f, "%.2f of the window");
    tip("fewer pixels are quicker");
    const auto percent = [](float scale) { return fmt::format("{:.0f} %", 100.0f * scale); };
    fieldLabel("Text");
    if (ImGui::BeginCombo("##text", percent(s.panelScale).c_str())) {
        for (const float scale : {0.75f, 1.0f, 1.25f, 1.5f, 2.0f})
            if (ImGui::Selectable(percent(scale).c_str(), scale == s.panelScale)) s.panelScale = scale;
        ImGui::EndCombo();
    }
    ImGui::Checkbox("Outlines", &s.outlines);
    tip("O: of obstacles, emitters and the box; in no screenshot or video");
    ImGui::Checkbox("Wait for the display", &s.vsync);
    if (button("Whole box", "F")) s.frameAll = true;
    if (nextButton("Scene's view", "Home")) s.home = true;
}

void drawBrush(const Settings& settings, BrushSettings& b) {
    const bool flat = settings.grid.isFlat();
    const auto number = [](const char* label, const char* id, float& value, float high, const char* format, const char* what) {
        fieldLabel(label);
        dragNumber(id, &value, 0.0f, high, format);
        if (what) tip(what);
    };
    fieldLabel("Radius");
    dragNumber("##radius", &b.radius, (flat ? 0.25f : 1.0f) * settings.grid.cellSize(), 0.5f * settings.grid.size.y, "%.3f m", true);
    tip(flat ? "wheel; the standard deviation of a Gaussian" : "Ctrl + wheel");
    if (settings.usesLiquid()) return drawLiquidBrush(b);
    number("Density", "##density", b.density, 4.0f, "%.3f", nullptr);
    if (flat)
        number("Cycle", "##cycle", b.cycle, 20.0f, b.cycle > 0.0f ? "%.1f s" : "one colour",
               "of drawing in which the colour goes through all hues; 0: it stays");
    if (!flat || b.cycle == 0.0f) {
        fieldLabel("Colour");
        ImGui::ColorEdit3("##colour", &b.colour.x, ImGuiColorEditFlags_Float);
        tip("of its smoke: a factor of the albedo");
    }
    if (flat) number("Force", "##force", b.force, 100.0f, "%.1f /s", "velocity that a stroke gives per metre of its way");
    if (settings.usesTemperature()) number("Temperature", "##temperature", b.temperature, 500.0f, "%.0f K", nullptr);
    if (!flat) number("Push", "##push", b.strength, 2.0f, "%.3f", "share of the stroke's speed that the smoke takes");
}

/// Where a step takes so long that nothing seems to happen.
void drawOffer(PanelState& s) {
    constexpr double kSlowStep = 1000.0;  // [ms]
    if (s.offerDeclined || s.level == QualityLevel::Preview || s.stepMs < kSlowStep) return;
    const Area area = s.dock.free();
    ImGui::SetNextWindowPos({area.low.x + 0.5f * area.size.x, area.low.y + ImGui::GetFontSize()}, ImGuiCond_Always, {0.5f, 0.0f});
    ImGui::Begin("##slow", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoMove);
    ImGui::Text("A step takes %.1f s on this device.", 1e-3 * s.stepMs);
    if (button("Use preview quality", "half as many cells along an edge; begins again")) s.level = QualityLevel::Preview;
    if (nextButton("Not now", "Quality in the panel does the same")) s.offerDeclined = true;
    ImGui::End();
}

/// As wide as the longest line, where the window has room for that.
void drawHelp(PanelState& s) {
    const float em = ImGui::GetFontSize();
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    float keys = 0.0f, does = 0.0f;
    for (const Control& c : controls()) {
        keys = std::max(keys, ImGui::CalcTextSize(c.keys).x);
        does = std::max(does, ImGui::CalcTextSize(c.does).x);
    }
    const float height = static_cast<float>(controls().size() + 3) * ImGui::GetTextLineHeightWithSpacing();
    ImGui::SetNextWindowSize({std::min(keys + does + 5.0f * em, window.x - 2.0f * em), std::min(height, window.y - 2.0f * em)},
                             ImGuiCond_Appearing);
    ImGui::SetNextWindowPos({em, em}, ImGuiCond_FirstUseEver);
    if (!ImGui::Begin("Keys and mouse", &s.help)) return ImGui::End();
    if (ImGui::BeginTable("controls", 2)) {
        ImGui::TableSetupColumn("keys", ImGuiTableColumnFlags_WidthFixed, keys + em);
        ImGui::TableSetupColumn("does");
        for (const Control& c : controls()) {
            ImGui::TableNextColumn();
            ImGui::TextUnformatted(c.keys);
            ImGui::TableNextColumn();
            ImGui::TextWrapped("%s", c.does);
        }
        ImGui::EndTable();
    }
    ImGui::End();
}

void drawMain(PanelState& s, Settings& settings, FixedStep& clock, BrushSettings& brush, ScenePanel& scene) {
    if (s.dock.begin("wisp")) {
        drawRun(s, clock);
        if (!s.message.empty()) ImGui::TextWrapped("%s", s.message.c_str());
        ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyle().Colors[ImGuiCol_TextDisabled]);
        ImGui::TextWrapped("%s, %s   F1: keys", s.device.c_str(), s.memory.c_str());
        ImGui::PopStyleColor();
        if (settings.prescribed.field != PrescribedField::None) drawLab(s, settings);
        if (!settings.follow.keys.empty() || settings.usesMarks()) drawWind(s, settings);
        if (settings.usesLiquid()) drawLiquid(s.measured, settings);
        if (ImGui::BeginTabBar("tabs")) {
            const auto tab = [](const char* name, auto&& draw) {
                if (!ImGui::BeginTabItem(name)) return;
                draw();
                ImGui::EndTabItem();
            };
            tab("Scene", [&] { scene.draw(settings, s.gone); });
            tab("Brush", [&] { drawBrush(settings, brush); });
            tab("Window", [&] { drawDisplay(s); });
            ImGui::EndTabBar();
        }
    }
    ImGui::End();
}

}  // namespace

const std::vector<Control>& controls() {
    static const std::vector<Control> all{
        {"left drag", "on an obstacle or emitter: move it; else turn the camera"},
        {"... with X, Y or Z held", "along that axis"},
        {"... with the wheel", "nearer or farther"},
        {"... in a field of arrows", "turn the one under the mouse"},
        {"... on a box's target", "move it, with the obstacle on it; with Ctrl: it alone"},
        {"T", "the target jumps to the mouse, on its level"},
        {"right drag", "paint smoke, or liquid where a scene has it, and push it along; in a flat scene with the left button, too"},
        {"G held", "gravity points to the mouse"},
        {"middle drag, Shift + left drag", "shift the camera"},
        {"wheel", "camera to and fro"},
        {"Ctrl + wheel", "size of what is under the mouse, or of the brush; in a flat scene the wheel alone, and this zooms"},
        {"W A S D, Q E", "fly"},
        {"F, Home", "whole box in the picture; the scene's camera"},
        {"Space, N, R", "pause, step, reset to t = 0"},
        {"C", "clear: no smoke or liquid, at rest"},
        {"O", "outlines of obstacles, emitters and the box"},
        {"1, 2, 3, 4, 5", "smoke, speed, pressure, divergence, vorticity"},
        {"Ctrl + Z, Ctrl + Y", "undo and redo changes of the scene"},
        {"Ctrl + S, F5", "save the scene as a file in the current folder; read its file again"},
        {"Ctrl + Shift + S", "save where the simulation is, as a checkpoint for --resume"},
        {"Tab, F1, F3", "panels, this list, profiler"},
        {"F9", "begin and end a video, an MP4 in the current folder"},
        {"F11, F12", "full screen, the picture as a PNG in the current folder"},
        {"Esc", "close a list; let go; leave full screen"},
        {"Ctrl + Q", "quit"},
    };
    return all;
}

void drawPanels(PanelState& s, Settings& settings, FixedStep& clock, BrushSettings& brush, ScenePanel& scene) {
    if (s.help) drawHelp(s);
    if (s.panels) drawMain(s, settings, clock, brush, scene);
    drawOffer(s);
}

}  // namespace wisp::app
