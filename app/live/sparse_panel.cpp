// SPDX-License-Identifier: MIT
#include "app/live/sparse_panel.h"

#include "app/live/fields.h"

#include <imgui.h>

namespace wisp::app {

void drawSparse(const std::optional<Quality>& measured, Settings& settings) {
    if (!ImGui::CollapsingHeader("Active bricks", ImGuiTreeNodeFlags_DefaultOpen)) return;
    if (!measured || !measured->sparse) {
        ImGui::TextUnformatted("not measured yet");
    } else {
        const SparseQuality& q = *measured->sparse;
        ImGui::Text("%.*f %% of the box, %.0f bricks", q.activeShare < 0.1 ? 2 : 1, 100.0 * q.activeShare, q.activeBricks);
        tip("bricks of 16 x 16 x 16 cells that have fine velocity and smoke");
        if (q.refusedBricks > 0.0) {
            ImGui::TextColored({1.0f, 0.75f, 0.35f, 1.0f}, "bricks refused: %.0f, memory is full", q.refusedBricks);
            tip("Smoke that moves into a refused brick is lost. Set a larger grid.memory, or choose a lower quality.");
        }
    }
    const bool isSlice = settings.view.slice != SliceAxis::None;
    ImGui::BeginDisabled(isSlice && !settings.render.bricks);
    ImGui::Checkbox("Show bricks", &settings.render.bricks);
    ImGui::EndDisabled();
    tip("render.bricks: the edges of active bricks in the image, except in slices. Screenshots and videos show them, too.");
}

}  // namespace wisp::app
