// SPDX-License-Identifier: MIT
#include "app/live/fields.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

namespace wisp::app {
namespace {

constexpr float kLabelWidth = 9.5f;       // [font heights]
constexpr float kPixelsOfRange = 300.0f;  // mouse movement across the whole range

/// Bar along the bottom edge of the last field: the position of the value in its range.
void drawRangeBar(float value, float low, float high, bool logarithmic) {
    if (!(high > low)) return;
    float fraction = (value - low) / (high - low);
    if (logarithmic) {
        const float minimum = std::max(low, 1e-3f * high);
        fraction = std::log(std::max(value, minimum) / minimum) / std::log(high / minimum);
    }
    const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
    const float height = std::max(std::round(0.14f * ImGui::GetFontSize()), 1.0f),
                end = from.x + (to.x - from.x) * std::clamp(fraction, 0.0f, 1.0f);
    if (end > from.x)
        ImGui::GetWindowDrawList()->AddRectFilled({from.x, to.y - height}, {end, to.y}, ImGui::GetColorU32(ImGuiCol_SliderGrab));
}

}  // namespace

void tip(const char* text) {
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", text);
}

void fieldLabel(const char* label, float reserved) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(label);
    const float offset = std::min(kLabelWidth * ImGui::GetFontSize(), 0.45f * ImGui::GetContentRegionMax().x);
    ImGui::SameLine(std::max(offset, ImGui::GetItemRectSize().x + ImGui::GetStyle().WindowPadding.x + ImGui::GetStyle().ItemSpacing.x));
    ImGui::SetNextItemWidth(std::max(ImGui::GetContentRegionAvail().x - reserved, 2.0f * ImGui::GetFontSize()));
}

bool dragNumber(const char* id, float* value, float low, float high, const char* format, bool logarithmic) {
    const bool changed = ImGui::DragFloat(id, value, (high - low) / kPixelsOfRange, low, high, format,
                                          logarithmic ? ImGuiSliderFlags_Logarithmic : 0);
    drawRangeBar(*value, low, high, logarithmic);
    return changed;
}

bool dragNumber(const char* id, std::uint32_t* value, std::uint32_t low, std::uint32_t high, const char* format, bool logarithmic) {
    const float speed = static_cast<float>(high - low) / kPixelsOfRange;
    const bool changed = ImGui::DragScalar(id, ImGuiDataType_U32, value, speed, &low, &high, format,
                                           logarithmic ? ImGuiSliderFlags_Logarithmic : 0);
    drawRangeBar(static_cast<float>(*value), static_cast<float>(low), static_cast<float>(high), logarithmic);
    return changed;
}

void flowButton(const char* label) {
    const ImGuiStyle& style = ImGui::GetStyle();
    const float width = ImGui::CalcTextSize(label, nullptr, true).x + 2.0f * style.FramePadding.x;
    ImGui::SameLine();
    if (ImGui::GetContentRegionAvail().x < width) ImGui::NewLine();
}

}  // namespace wisp::app
