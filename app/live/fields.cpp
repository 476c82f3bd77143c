// SPDX-License-Identifier: MIT
#include "app/live/fields.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

namespace wisp::app {
namespace {

constexpr float kLabelWidth = 9.5f;       // [letter heights]
constexpr float kPixelsOfRange = 300.0f;  // that the mouse goes from one end to the other

/// The part of its range that lies below the value, under the field that was drawn last.
void drawShare(float value, float low, float high, bool logarithmic) {
    if (!(high > low)) return;
    float share = (value - low) / (high - low);
    if (logarithmic) {
        const float least = std::max(low, 1e-3f * high);
        share = std::log(std::max(value, least) / least) / std::log(high / least);
    }
    const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
    const float height = std::max(std::round(0.14f * ImGui::GetFontSize()), 1.0f),
                end = from.x + (to.x - from.x) * std::clamp(share, 0.0f, 1.0f);
    if (end > from.x)
        ImGui::GetWindowDrawList()->AddRectFilled({from.x, to.y - height}, {end, to.y}, ImGui::GetColorU32(ImGuiCol_SliderGrab));
}

}  // namespace

void tip(const char* text) {
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", text);
}

void fieldLabel(const char* label, float less) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(label);
    const float place = std::min(kLabelWidth * ImGui::GetFontSize(), 0.45f * ImGui::GetContentRegionMax().x);
    ImGui::SameLine(std::max(place, ImGui::GetItemRectSize().x + ImGui::GetStyle().WindowPadding.x + ImGui::GetStyle().ItemSpacing.x));
    ImGui::SetNextItemWidth(std::max(ImGui::GetContentRegionAvail().x - less, 2.0f * ImGui::GetFontSize()));
}

bool dragNumber(const char* id, float* value, float low, float high, const char* format, bool logarithmic) {
    const bool changed = ImGui::DragFloat(id, value, (high - low) / kPixelsOfRange, low, high, format,
                                          logarithmic ? ImGuiSliderFlags_Logarithmic : 0);
    drawShare(*value, low, high, logarithmic);
    return changed;
}

bool dragNumber(const char* id, std::uint32_t* value, std::uint32_t low, std::uint32_t high, const char* format, bool logarithmic) {
    const float speed = static_cast<float>(high - low) / kPixelsOfRange;
    const bool changed = ImGui::DragScalar(id, ImGuiDataType_U32, value, speed, &low, &high, format,
                                           logarithmic ? ImGuiSliderFlags_Logarithmic : 0);
    drawShare(static_cast<float>(*value), static_cast<float>(low), static_cast<float>(high), logarithmic);
    return changed;
}

void flowButton(const char* label) {
    const ImGuiStyle& style = ImGui::GetStyle();
    const float width = ImGui::CalcTextSize(label, nullptr, true).x + 2.0f * style.FramePadding.x;
    ImGui::SameLine();
    if (ImGui::GetContentRegionAvail().x < width) ImGui::NewLine();
}

}  // namespace wisp::app
