// SPDX-License-Identifier: MIT
#include "app/live/panels.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

namespace wisp::app {
namespace {

void tip(const char* text) {
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", text);
}

template <class E>
bool choice(const char* label, E& value, const std::vector<std::pair<const char*, E>>& choices) {
    const auto now = std::find_if(choices.begin(), choices.end(), [&](const auto& c) { return c.second == value; });
    bool changed = false;
    if (!ImGui::BeginCombo(label, now == choices.end() ? "?" : now->first)) return false;
    for (const auto& [name, e] : choices)
        if (ImGui::Selectable(name, e == value) && e != value) {
            value = e;
            changed = true;
        }
    ImGui::EndCombo();
    return changed;
}

void drawRun(PanelState& s, FixedStep& clock) {
    if (ImGui::Button(s.paused ? "Go on" : "Pause")) s.paused = !s.paused;
    tip("Space");
    ImGui::SameLine();
    if (ImGui::Button("One step")) s.step = true;
    tip("N, while it pauses");
    ImGui::SameLine();
    if (ImGui::Button("Again")) s.restart = true;
    tip("R: from t = 0");
    auto speed = static_cast<float>(clock.speed);
    if (ImGui::SliderFloat("speed", &speed, 0.0f, 2.0f, "%.2f x")) clock.speed = static_cast<double>(speed);
    ImGui::Text("t = %.2f s", s.time);
    if (clock.pace() < 0.97 && !s.paused) {
        ImGui::SameLine();
        ImGui::TextColored({1.0f, 0.75f, 0.35f, 1.0f}, "slow motion: %.0f %% of its speed", 100.0 * clock.pace());
        tip("This device cannot keep up with so many cells; --quality preview has an eighth of them.");
    }
    if (ImGui::BeginCombo("scene", s.scene.c_str())) {
        for (const std::string& name : s.scenes)
            if (ImGui::Selectable(name.c_str(), name == s.scene)) s.openScene = name;
        ImGui::EndCombo();
    }
}

void drawFlow(PanelState& s, FlowSettings& f) {
    s.changed |= ImGui::SliderFloat("vorticity", &f.vorticity, 0.0f, 3.0f);
    tip("epsilon of the confinement: how much of the small swirls is given back");
    s.changed |= ImGui::SliderFloat("density decay", &f.densityDecay, 0.0f, 2.0f, "%.2f 1/s");
    s.changed |= ImGui::SliderFloat("velocity decay", &f.velocityDecay, 0.0f, 2.0f, "%.2f 1/s");
    s.changed |= ImGui::SliderFloat("detail decay", &f.detailDecay, 0.0f, 40.0f, "%.1f 1/s");
    tip("of motion that the pressure grid does not see");
    s.changed |= ImGui::SliderFloat("weight", &f.weight, -2.0f, 2.0f, "%.2f m/s2");
}

void drawLook(PanelState& s, Settings& settings) {
    MediumSettings& m = settings.medium;
    s.changed |= ImGui::SliderFloat("exposure", &settings.render.exposure, -8.0f, 8.0f, "%.1f stops");
    s.changed |= choice("tone map", settings.render.tonemap, {{"ACES", Tonemap::Aces}, {"AgX", Tonemap::Agx}, {"linear", Tonemap::Linear}});
    s.changed |= ImGui::SliderFloat("extinction", &m.extinction, 0.0f, 200.0f, "%.1f 1/m", ImGuiSliderFlags_Logarithmic);
    s.changed |= ImGui::ColorEdit3("albedo", &m.albedo.x, ImGuiColorEditFlags_Float);
    for (std::size_t i = 0; i < settings.lights.size(); ++i) {
        ImGui::PushID(static_cast<int>(i));
        s.changed |= ImGui::DragFloat(fmt::format("light {}", i).c_str(), &settings.lights[i].intensity, 0.2f, 0.0f, 1000.0f, settings.lights[i].kind == LightKind::Sun ? "%.1f W/m2" : "%.1f W/sr");
        s.changed |= ImGui::ColorEdit3("its colour", &settings.lights[i].colour.x, ImGuiColorEditFlags_Float);
        ImGui::PopID();
    }
    std::vector<std::pair<const char*, ViewField>> views{{"smoke", ViewField::Smoke}, {"density", ViewField::Density}, {"speed", ViewField::Speed},
                                                         {"vorticity", ViewField::Vorticity}, {"pressure", ViewField::Pressure}, {"divergence", ViewField::Divergence}};
    if (settings.usesTemperature()) views.emplace_back("temperature", ViewField::Temperature);
    if (choice("view", settings.view.field, views)) {
        if (settings.view.field == ViewField::Smoke) settings.view = {};
        s.changed = true;
    }
    if (settings.view.field != ViewField::Smoke)
        s.changed |= choice("slice", settings.view.slice, {{"none", SliceAxis::None}, {"x", SliceAxis::X}, {"y", SliceAxis::Y}, {"z", SliceAxis::Z}});
    ImGui::SliderFloat("picture", &s.pictureScale, 0.25f, 1.0f, "%.2f of the window");
    ImGui::Checkbox("wait for the display", &s.vsync);
    choice("text", s.panelScale, {{"75 %", 0.75f}, {"100 %", 1.0f}, {"125 %", 1.25f}, {"150 %", 1.5f}, {"200 %", 2.0f}});
}

void drawBrush(const Settings& settings, BrushSettings& b) {
    ImGui::SliderFloat("radius", &b.radius, settings.grid.cellSize(), 0.5f * settings.grid.size.y, "%.3f m");
    tip("Ctrl + wheel");
    ImGui::SliderFloat("density", &b.density, 0.0f, 4.0f);
    if (settings.usesTemperature()) ImGui::SliderFloat("temperature", &b.temperature, 0.0f, 500.0f, "%.0f K");
    ImGui::SliderFloat("push", &b.strength, 0.0f, 2.0f);
    tip("share of the stroke's speed that the smoke takes");
}

void drawHelp(PanelState& s) {
    if (!ImGui::Begin("Keys and mouse", &s.help, ImGuiWindowFlags_AlwaysAutoResize)) return ImGui::End();
    if (ImGui::BeginTable("controls", 2)) {
        for (const Control& c : controls()) {
            ImGui::TableNextColumn();
            ImGui::TextUnformatted(c.keys);
            ImGui::TableNextColumn();
            ImGui::TextUnformatted(c.does);
        }
        ImGui::EndTable();
    }
    ImGui::End();
}

void drawProfiler(PanelState& s, const Profile& profile) {
    ImGui::SetNextWindowSize({430.0f, 520.0f}, ImGuiCond_FirstUseEver);
    ImGui::SetNextWindowPos({ImGui::GetIO().DisplaySize.x - 450.0f, 20.0f}, ImGuiCond_FirstUseEver);
    if (!ImGui::Begin("Profiler", &s.profiler)) return ImGui::End();
    ImGui::Text("picture %.1f ms, 95 %% below %.1f, 99 %% below %.1f", profile.percentile(0.5), profile.percentile(0.95), profile.percentile(0.99));
    ImGui::Text("recording and submitting %.2f ms", profile.recordMs());
    const std::vector<float> gpu = profile.gpuMs();
    if (!gpu.empty()) {
        const float most = *std::max_element(gpu.begin(), gpu.end());
        ImGui::PlotHistogram("##gpu", gpu.data(), static_cast<int>(gpu.size()), 0, fmt::format("GPU, up to {:.2f} ms", most).c_str(), 0.0f, most, {ImGui::GetContentRegionAvail().x, 70.0f});
    }
    const Quality& q = s.quality;
    ImGui::Text("residual %.2e, divergence %.2e fine %.2e 1/s", q.residual, q.divergenceRms, q.fineDivergenceRms);
    ImGui::Text("mass %.4f, leaked %.1e, fastest %.2f m/s", q.mass, q.leakedMass, q.maxSpeed);
    if (ImGui::Button("Copy as CSV")) ImGui::SetClipboardText(profile.csv().c_str());
    if (ImGui::BeginTable("passes", 4, ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg)) {
        ImGui::TableSetupScrollFreeze(0, 1);
        for (const char* name : {"pass", "calls", "mean, ms", "last, ms"}) ImGui::TableSetupColumn(name, name[0] == 'p' ? ImGuiTableColumnFlags_WidthStretch : ImGuiTableColumnFlags_WidthFixed);
        ImGui::TableHeadersRow();
        for (const Profile::Row& r : profile.rows()) {
            ImGui::TableNextColumn();
            ImGui::TextUnformatted(r.name.c_str());
            ImGui::TableNextColumn();
            ImGui::Text("%u", r.calls);
            ImGui::TableNextColumn();
            ImGui::Text("%.3f", r.mean);
            ImGui::TableNextColumn();
            ImGui::Text("%.3f", r.last);
        }
        ImGui::EndTable();
    }
    ImGui::End();
}

}  // namespace

const std::vector<Control>& controls() {
    static const std::vector<Control> all{
        {"left drag", "on an obstacle or emitter: move it; else turn the camera"},
        {"... with X, Y or Z held", "along that axis"},
        {"... with the wheel", "nearer or farther"},
        {"right drag", "paint smoke, and push it along"},
        {"middle drag, Shift + left drag", "shift the camera"},
        {"wheel", "camera to and fro"},
        {"Ctrl + wheel", "size of what is under the mouse, or of the brush"},
        {"W A S D, Q E", "fly"},
        {"F, Home", "whole box in the picture; the scene's camera"},
        {"Space, N, R", "pause, one step, again from t = 0"},
        {"Tab, F1, F3", "panels, this list, profiler"},
        {"F11, F12", "full screen, the picture as a PNG in the current folder"},
        {"Esc", "let go; leave full screen"},
        {"Ctrl + Q", "quit"},
    };
    return all;
}

void drawPanels(PanelState& s, Settings& settings, FixedStep& clock, BrushSettings& brush, const Profile& profile) {
    if (s.help) drawHelp(s);
    if (s.profiler) drawProfiler(s, profile);
    if (!s.panels) return;
    ImGui::SetNextWindowPos({16.0f, 16.0f}, ImGuiCond_FirstUseEver);
    ImGui::SetNextWindowSize({320.0f, 0.0f}, ImGuiCond_FirstUseEver);
    if (ImGui::Begin("wisp")) {
        ImGui::PushItemWidth(-110.0f);
        drawRun(s, clock);
        if (ImGui::CollapsingHeader("Look")) drawLook(s, settings);
        if (ImGui::CollapsingHeader("Flow")) drawFlow(s, settings.flow);
        if (ImGui::CollapsingHeader("Brush")) drawBrush(settings, brush);
        ImGui::PopItemWidth();
        ImGui::Separator();
        ImGui::TextDisabled("%s", s.device.c_str());
        ImGui::TextDisabled("%s   F1: keys   F3: profiler", s.memory.c_str());
        if (!s.message.empty()) ImGui::TextWrapped("%s", s.message.c_str());
    }
    ImGui::End();
}

}  // namespace wisp::app
