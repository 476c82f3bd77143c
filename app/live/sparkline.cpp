// SPDX-License-Identifier: MIT
#include "app/live/sparkline.h"

#include <algorithm>
#include <cmath>

namespace wisp::app {
namespace {

constexpr std::size_t kPoints = 60;

/// Maximum of each of at most kPoints equal parts.
std::vector<float> peaks(const std::vector<float>& values) {
    const std::size_t count = std::min(values.size(), kPoints);
    std::vector<float> result;
    for (std::size_t i = 0; i < count; ++i) {
        const auto at = [&](std::size_t n) { return values.begin() + static_cast<std::ptrdiff_t>(n * values.size() / count); };
        result.push_back(*std::max_element(at(i), at(i + 1)));
    }
    return result;
}

}  // namespace

void sparkline(const std::vector<float>& values, ImVec2 size, const char* unit) {
    const ImVec2 low = ImGui::GetCursorScreenPos(), high{low.x + size.x, low.y + size.y};
    ImGui::Dummy(size);
    std::vector<float> line = peaks(values);
    std::erase_if(line, [](float v) { return !std::isfinite(v); });
    if (line.size() < 2) return;
    const auto [least, most] = std::minmax_element(line.begin(), line.end());
    const float from = *least, range = *most > *least ? *most - *least : 1.0f;
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%.3g to %.3g %s", static_cast<double>(*least), static_cast<double>(*most), unit);
    std::vector<ImVec2> points;
    for (std::size_t i = 0; i < line.size(); ++i)
        points.emplace_back(low.x + size.x * static_cast<float>(i) / static_cast<float>(line.size() - 1),
                            high.y - 2.0f - (size.y - 4.0f) * (line[i] - from) / range);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRect(low, high, true);
    list.AddRectFilled(low, high, IM_COL32(255, 255, 255, 12));
    list.AddPolyline(points.data(), static_cast<int>(points.size()), IM_COL32(140, 190, 240, 255), ImDrawFlags_None, 1.0f);
    list.PopClipRect();
}

}  // namespace wisp::app
