// SPDX-License-Identifier: MIT
#include "app/live/window_legend.h"

#include "app/output/legend.h"
#include "compute/scene/view_fields.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace wisp::app {
namespace {

ImU32 colourOf(glm::u8vec3 c, float alpha) { return IM_COL32(c.r, c.g, c.b, std::lround(255.0f * alpha)); }
ImVec2 at(glm::vec2 x) { return {x.x, x.y}; }

class GuiSheet : public LegendSheet {
public:
    GuiSheet(glm::ivec2 size, float letters) : size_(size), letters_(letters) {}
    [[nodiscard]] glm::ivec2 size() const override { return size_; }
    void fill(glm::ivec2 low, glm::ivec2 high, glm::u8vec3 colour, float alpha) override {
        list_.AddRectFilled(at(low), at(high), colourOf(colour, alpha));
    }
    void line(glm::vec2 from, glm::vec2 to, float width, glm::u8vec3 colour) override {
        list_.AddLine(at(from), at(to), colourOf(colour, 1.0f), width);
    }
    void text(glm::ivec2 place, const std::string& text, glm::u8vec3 colour) override {
        list_.AddText(ImGui::GetFont(), letters_, at(place), colourOf(colour, 1.0f), text.c_str());
    }

private:
    glm::ivec2 size_;
    float letters_;
    ImDrawList& list_ = *ImGui::GetBackgroundDrawList();
};

}  // namespace

void WindowLegend::read(engine::Recorder& rec, const Renderer& renderer, const Settings& settings) {
    const Picture picture = renderer.picture();
    const std::optional<FieldLegend> legend = renderer.legend();
    if (!picture.range || !legend) return;
    const engine::Buffer buffer({.name = "range of the field", .bytes = 4 * sizeof(float)}, picture.range);
    rec.read(buffer, [this, view = settings.view, legend = *legend](std::span<const std::byte> bytes) {
        std::array<float, 4> read{};
        std::memcpy(read.data(), bytes.data(), sizeof read);
        found_ = Found{view, legend, read};
    });
}

void WindowLegend::draw(const Settings& settings, double time, const Area& area) const {
    if (!settings.view.legend || !found_ || found_->view != settings.view || settings.view.field == ViewField::Smoke) return;
    const float pixel = area.size.x / static_cast<float>(std::max(settings.render.size.x, 1u)),
                strip = pixel * static_cast<float>(found_->legend.width);
    int scale = std::max(static_cast<int>(std::lround(ImGui::GetFontSize() / 13.0f)), 1);
    while (scale > 1 && strip > 0.0f && static_cast<float>(100 * scale) > strip) --scale;  // the legend must not cover a slice
    if (legendScale(glm::uvec2(area.size)) == 0) return;
    const glm::vec2 end = area.low + area.size;
    // The legend moves beside a panel that would cover it.
    const ImGuiWindow* const panel = ImGui::FindWindowByName("wisp");
    const bool covered = panel && panel->WasActive && panel->Pos.x < end.x &&
                         panel->Pos.x + panel->Size.x > end.x - static_cast<float>(100 * scale);
    GuiSheet sheet(glm::ivec2(covered ? panel->Pos.x : end.x, end.y), static_cast<float>(13 * scale));
    drawLegend(sheet, found_->legend, found_->range, time, {.scale = scale, .pixel = pixel});
}

}  // namespace wisp::app
