// SPDX-License-Identifier: MIT
#include "app/live/panels.h"

#include "app/live/fields.h"
#include "app/live/liquid_panel.h"
#include "app/live/sparse_panel.h"
#include "compute/scene/motion.h"

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <imgui.h>

#include <algorithm>
#include <array>

namespace wisp::app {
namespace {

const ImVec4 kWarning{1.0f, 0.75f, 0.35f, 1.0f};

bool button(const char* label, const char* tooltip) {
    const bool pressed = ImGui::Button(label);
    tip(tooltip);
    return pressed;
}

/// On the same row as the previous button, if it fits.
bool nextButton(const char* label, const char* tooltip) {
    flowButton(label);
    return button(label, tooltip);
}

void drawButtons(PanelState& s) {
    if (button(s.paused ? "Resume" : "Pause", "Space")) s.paused = !s.paused;
    if (nextButton("Step", "N: one time step, while paused")) s.step = true;
    if (nextButton("Reset", "R: restart from t = 0")) s.restart = true;
    if (nextButton("Undo", "Ctrl + Z")) s.undo = true;
    if (nextButton("Redo", "Ctrl + Y")) s.redo = true;
    if (button("Save scene", "Ctrl + S: write the scene, with all changes and the current view, to a new file in the current folder"))
        s.save = true;
    if (nextButton("Save checkpoint",
                   "Ctrl + Shift + S: write the state of the simulation to a new file in the current folder.\n"
                   "To resume, use wisp run --resume or wisp render --resume."))
        s.keep = true;
    if (nextButton("Reload", "F5: read the scene file again")) s.reload = true;
    if (button("Screenshot", "F12: a PNG in the current folder, at the resolution of the window, without panels")) s.screenshot = true;
    if (nextButton(s.recording ? "Stop recording" : "Record video",
                   "F9: an MP4 in the current folder, at the resolution of the window, without panels.\n"
                   "The video has 60 fps and plays at full speed, even if the window shows slow motion."))
        s.record = true;
}

void drawRun(PanelState& s, FixedStep& clock) {
    drawButtons(s);
    fieldLabel("Scene");
    if (const std::string scene = chooseScene(s.scenes, s.scene); !scene.empty()) s.openScene = scene;
    std::array<const char*, kQualityLevels.size()> levels{};
    std::ranges::transform(kQualityLevels, levels.begin(), nameOf);
    auto level = static_cast<int>(s.level);
    fieldLabel("Quality");
    if (ImGui::Combo("##quality", &level, levels.data(), static_cast<int>(levels.size()))) s.level = static_cast<QualityLevel>(level);
    tip("cells along an edge, relative to the scene: 0.25, 0.5, 1, 1.5 or 2. A change restarts the simulation.");
    auto speed = static_cast<float>(clock.speed);
    fieldLabel("Playback speed");
    if (dragNumber("##speed", &speed, 0.0f, 2.0f, "%.2f x")) clock.speed = static_cast<double>(speed);
    tip("simulated seconds per second");
    if (clock.pace() < 0.97 && !s.paused) {
        ImGui::TextColored(kWarning, "Slow motion: %.*f %% of the set speed", clock.pace() < 0.01 ? 1 : 0, 100.0 * clock.pace());
        tip("This device cannot simulate this many cells at the set speed. Choose a lower quality or playback speed.");
    }
}

/// For a prescribed velocity: error and cost of the advection scheme.
void drawAdvectionError(const PanelState& s, const Settings& settings) {
    if (!ImGui::CollapsingHeader("Advection error", ImGuiTreeNodeFlags_DefaultOpen)) return;
    const bool exactKnown = settings.emitters.empty() && settings.strokes.empty() && settings.flow.densityDecay == 0.0f;
    if (!s.measured) ImGui::TextUnformatted("not measured yet");
    else if (!exactKnown) ImGui::TextWrapped("errors unknown: emitters, strokes or decay change the density");
    else if (!s.measured->error) ImGui::TextWrapped("errors unknown: the scene was changed or painted on. Press R to reset it.");
    else {
        const AdvectionError& e = *s.measured->error;
        ImGui::Text("L1 %.3e   L2 %.3e", e.l1, e.l2);
        tip("norms of the density error, relative to those of the exact density");
        ImGui::Text("overshoot %.3e   mass %+.3e", e.overshoot, e.mass);
        tip("overshoot: density outside of [0, maximum of the initial and inflowing density]\nmass: relative error of the sum");
    }
    ImGui::Text("advection: %.3f ms of GPU time per step", s.advectionMs);
    tip("passes of the advection scheme, including the backtrace and the lists of bricks");
}

/// For a box that follows a target, or that has tracers or grass.
void drawTargetAndTracers(const PanelState& s, const Settings& settings) {
    if (!ImGui::CollapsingHeader("Target and tracers", ImGuiTreeNodeFlags_DefaultOpen)) return;
    if (!settings.follow.keys.empty()) {
        const glm::vec3 x = targetPosition(settings.follow, s.time), cells = glm::round(s.boxOffset / settings.grid.cellSize());
        ImGui::Text("target at %.1f, %.1f, %.1f m", x.x, x.y, x.z);
        tip("Drag the target, or press T to move it to the mouse. R restores the target path of the scene.");
        ImGui::Text("box moved by %.0f, %.0f, %.0f cells", cells.x, cells.y, cells.z);
    }
    ImGui::Text("%u tracers, %u blades, %.2f ms per step", settings.tracers.count, settings.grass.count, s.stepMs);
}

void drawDisplay(PanelState& s) {
    fieldLabel("Render scale");
    dragNumber("##picture", &s.pictureScale, 0.25f, 1.0f, "%.2f of the window");
    tip("A smaller image renders faster.");
    const auto percent = [](float scale) { return fmt::format("{:.0f} %", 100.0f * scale); };
    fieldLabel("UI scale");
    if (ImGui::BeginCombo("##text", percent(s.panelScale).c_str())) {
        for (const float scale : {0.75f, 1.0f, 1.25f, 1.5f, 2.0f})
            if (ImGui::Selectable(percent(scale).c_str(), scale == s.panelScale)) s.panelScale = scale;
        ImGui::EndCombo();
    }
    ImGui::Checkbox("Outlines", &s.outlines);
    tip("O: outlines of obstacles, emitters and the box. Screenshots and videos do not show them.");
    ImGui::Checkbox("VSync", &s.vsync);
    if (button("Frame all", "F: fit the whole box in the view")) s.frameAll = true;
    if (nextButton("Reset camera", "Home: camera of the scene")) s.home = true;
}

void drawBrush(const Settings& settings, BrushSettings& b) {
    const bool flat = settings.grid.isFlat();
    const auto number = [](const char* label, const char* id, float& value, float high, const char* format, const char* tooltip) {
        fieldLabel(label);
        dragNumber(id, &value, 0.0f, high, format);
        if (tooltip) tip(tooltip);
    };
    fieldLabel("Radius");
    dragNumber("##radius", &b.radius, (flat ? 0.25f : 1.0f) * settings.grid.cellSize(), 0.5f * settings.grid.size.y, "%.3f m", true);
    tip(flat ? "mouse wheel; standard deviation of the Gaussian brush" : "Ctrl + wheel");
    if (settings.usesLiquid()) return drawLiquidBrush(b);
    number("Density", "##density", b.density, 4.0f, "%.3f", nullptr);
    if (flat)
        number("Colour cycle", "##cycle", b.cycle, 20.0f, b.cycle > 0.0f ? "%.1f s" : "one colour",
               "time of drawing in which the colour goes through all hues; 0: constant colour");
    if (!flat || b.cycle == 0.0f) {
        fieldLabel("Colour");
        ImGui::ColorEdit3("##colour", &b.colour.x, ImGuiColorEditFlags_Float);
        tip("of the smoke: multiplied by the albedo");
    }
    if (flat) number("Force", "##force", b.force, 100.0f, "%.1f /s", "velocity added per metre of stroke");
    if (settings.usesFuel()) {
        number("Fuel", "##fuel", b.fuel, 1.0f, "%.3f", "share of the gas; 1: nothing but fuel");
        ImGui::Checkbox("Ignite", &b.ignite);
        tip("paints gas as hot as a flame, so that fuel burns");
    }
    const bool ignites = settings.usesFuel() && b.ignite;  // sets the temperature
    if (settings.usesTemperature() && !ignites) number("Temperature", "##temperature", b.temperature, 500.0f, "%.0f K", nullptr);
    if (!flat) number("Inherit velocity", "##push", b.strength, 2.0f, "%.3f", "fraction of the stroke's speed that the smoke takes");
}

/// Offers the coarsest level if a step takes so long that the program seems to hang.
void drawOffer(PanelState& s) {
    constexpr double kSlowStep = 1000.0;  // [ms]
    if (s.offerDeclined || s.level == QualityLevel::Draft || s.stepMs < kSlowStep) return;
    const Area area = s.dock.free();
    ImGui::SetNextWindowPos({area.low.x + 0.5f * area.size.x, area.low.y + ImGui::GetFontSize()}, ImGuiCond_Always, {0.5f, 0.0f});
    ImGui::Begin("##slow", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoMove);
    ImGui::Text("A step takes %.1f s on this device.", 1e-3 * s.stepMs);
    if (button("Use draft quality", "a quarter of the cells of the scene along an edge; restarts the simulation"))
        s.level = QualityLevel::Draft;
    if (nextButton("Not now", "You can change Quality in the panel later.")) s.offerDeclined = true;
    ImGui::End();
}

/// The list is as wide as its longest line, if the window has room.
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
        ImGui::PushStyleColor(ImGuiCol_Text, kWarning);
        for (const std::string& warning : s.warnings) ImGui::TextWrapped("%s", warning.c_str());
        ImGui::PopStyleColor();
        if (!s.message.empty()) ImGui::TextWrapped("%s", s.message.c_str());
        ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyle().Colors[ImGuiCol_TextDisabled]);
        ImGui::TextWrapped("%s, %s   F1: keys", s.device.c_str(), s.memory.c_str());
        ImGui::PopStyleColor();
        if (settings.prescribed.field != PrescribedField::None) drawAdvectionError(s, settings);
        if (!settings.follow.keys.empty() || settings.tracers.count > 0 || settings.grass.count > 0) drawTargetAndTracers(s, settings);
        if (settings.usesLiquid()) drawLiquid(s.measured, settings);
        if (settings.grid.sparse) drawSparse(s.measured, settings);
        if (ImGui::BeginTabBar("tabs")) {
            const auto tab = [](const char* name, auto&& draw) {
                if (!ImGui::BeginTabItem(name)) return;
                draw();
                ImGui::EndTabItem();
            };
            tab("Scene", [&] { scene.draw(settings, s.boxOffset); });
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
        {"left drag", "on an obstacle or emitter: move it; elsewhere: orbit the camera"},
        {"... with X, Y or Z held", "move along that axis"},
        {"... with the wheel", "move nearer or farther"},
        {"... in a field of arrows", "turn the arrow under the mouse"},
        {"... on the target", "move the target and the obstacle attached to it; with Ctrl: only the target"},
        {"T", "move the target to the mouse, at the height of the target"},
        {"right drag", "paint smoke, fuel or liquid and push it along; in a flat scene the left button paints, too"},
        {"G held", "gravity points to the mouse"},
        {"middle or Shift + left drag", "pan the camera"},
        {"wheel", "zoom"},
        {"Ctrl + wheel", "resize the object under the mouse, or else the brush; in a flat scene the wheel resizes and Ctrl + wheel zooms"},
        {"W A S D, Q E", "fly forward, left, back and right, down and up"},
        {"F, Home", "frame the whole box; reset the camera to that of the scene"},
        {"Space, N, R", "pause or resume; one time step; reset to t = 0"},
        {"C", "clear: remove all smoke or liquid and reset the flow"},
        {"O", "show or hide outlines of obstacles, emitters and the box"},
        {"1, 2, 3, 4, 5", "show smoke, speed, pressure, divergence, vorticity"},
        {"Ctrl + Z, Ctrl + Y", "undo and redo changes of the scene"},
        {"Ctrl + S, F5", "save the scene as a new file in the current folder; reload the scene file"},
        {"Ctrl + Shift + S", "save a checkpoint of the simulation, for --resume"},
        {"Tab, F1, F3", "show or hide the panels, this list, the profiler"},
        {"F9", "start or stop recording a video, an MP4 in the current folder"},
        {"F11, F12", "full screen; screenshot, a PNG in the current folder"},
        {"Esc", "close a list; end a drag or stroke; leave full screen"},
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
