// SPDX-License-Identifier: MIT
#include "app/live/liquid_panel.h"

#include "app/live/fields.h"

#include <glm/geometric.hpp>
#include <imgui.h>

namespace wisp::app {

void drawLiquid(const std::optional<Quality>& measured, Settings& settings) {
    if (!ImGui::CollapsingHeader("Liquid", ImGuiTreeNodeFlags_DefaultOpen)) return;
    if (!measured || !measured->liquid) {
        ImGui::TextUnformatted("not measured yet");
    } else {
        const LiquidQuality& q = *measured->liquid;
        const std::uint64_t most = settings.liquidCapacity();
        ImGui::Text("%.0f particles of at most %llu", q.particles, static_cast<unsigned long long>(most));
        tip("The limit is liquid.capacity. At the limit no particles are spawned.");
        if (q.particles >= static_cast<double>(most)) ImGui::TextColored({1.0f, 0.75f, 0.35f, 1.0f}, "full: no more particles are spawned");
        ImGui::Text("volume %.4f m³, energy %.4f", q.volume, q.energy);
        tip("volume enclosed by the surface; kinetic plus potential energy divided by the density, in m^5/s^2");
        if (q.left + q.lost > 0.0) ImGui::Text("%.0f left through open sides, %.0f not finite", q.left, q.lost);
    }
    auto look = static_cast<int>(settings.liquid.look);
    fieldLabel("Display as");
    if (ImGui::Combo("##look", &look, "surface\0points\0")) settings.liquid.look = static_cast<LiquidLook>(look);
    tip("liquid.look: the surface, or particles coloured by speed");
    const float g = glm::length(settings.flow.gravity);
    if (ImGui::Button("Gravity down")) settings.flow.gravity = {0.0f, g > 0.0f ? -g : FlowSettings{}.gravity.y, 0.0f};
    tip("Hold G: gravity points to the mouse.");
}

void drawLiquidBrush(BrushSettings& brush) {
    fieldLabel("Inherit velocity");
    dragNumber("##push", &brush.strength, 0.0f, 2.0f, "%.3f");
    tip("fraction of the stroke's speed that the liquid takes; held still, the brush acts as a tap");
}

}  // namespace wisp::app
