// SPDX-License-Identifier: MIT
#include "app/live/picture_text.h"

#include "compute/scene/scene_fluid.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

namespace wisp::app {
namespace {

constexpr double kRefresh = 0.25;  // [s] between two updates

float margin() { return 0.6f * ImGui::GetFontSize(); }

/// Text on a dark background, readable over any image. `at`: upper left corner of the text.
void drawText(ImVec2 at, const std::string& text, float alpha) {
    const auto level = [alpha](int of) { return std::clamp(static_cast<int>(std::lround(static_cast<float>(of) * alpha)), 0, 255); };
    const ImVec2 size = ImGui::CalcTextSize(text.c_str());
    const float x = 0.4f * ImGui::GetFontSize(), y = 0.15f * ImGui::GetFontSize();
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    list.AddRectFilled({at.x - x, at.y - y}, {at.x + size.x + x, at.y + size.y + y}, IM_COL32(0, 0, 0, level(140)), x);
    list.AddText(at, IM_COL32(225, 225, 230, level(255)), text.c_str());
}

std::string milliseconds(double ms) {
    return ms < 10.0 ? fmt::format("{:.2f} ms", ms) : ms < 1000.0 ? fmt::format("{:.0f} ms", ms) : fmt::format("{:.1f} s", 1e-3 * ms);
}

}  // namespace

void StatusLine::update(const Pace& pace, glm::uvec3 cells, double time) {
    if (pace.frameSeconds > 0.0 && ++pictures_ > 0) seconds_ += pace.frameSeconds;
    if (ImGui::GetTime() < next_) return;
    if (pictures_ > 0) {
        perSecond_ = pictures_ / seconds_;
        pictures_ = 0;
        seconds_ = 0.0;
    }
    next_ = ImGui::GetTime() + kRefresh;
    parts_.clear();
    if (perSecond_ > 0.0) parts_.push_back(fmt::format("{:.{}f} fps", perSecond_, perSecond_ < 10.0 ? 1 : 0));
    if (pace.stepMs > 0.0) parts_.push_back("step " + milliseconds(pace.stepMs));
    if (pace.pictureMs > 0.0) parts_.push_back("render " + milliseconds(pace.pictureMs));
    parts_.push_back(fmt::format("{} x {} x {} cells", cells.x, cells.y, cells.z));
    parts_.push_back(fmt::format("t = {:.2f} s", time));
}

/// Wraps the parts into as few lines as the width of the image allows.
std::vector<std::string> StatusLine::lines(const Area& area) const {
    std::vector<std::string> all;
    for (const std::string& part : parts_) {
        const std::string longer = all.empty() ? part : all.back() + "   " + part;
        if (!all.empty() && ImGui::CalcTextSize(longer.c_str()).x <= area.size.x - 4.0f * margin()) all.back() = longer;
        else all.push_back(part);
    }
    return all;
}

float StatusLine::top(const Area& area) const {
    return area.low.y + area.size.y - margin() - 1.4f * ImGui::GetFontSize() * static_cast<float>(lines(area).size());
}

void StatusLine::draw(const Area& area) const {
    float y = top(area);
    for (const std::string& line : lines(area)) {
        drawText({area.low.x + 2.0f * margin(), y}, line, 1.0f);
        y += 1.4f * ImGui::GetFontSize();
    }
}

std::string hintText(const Settings& settings) {
    const bool flat = settings.grid.isFlat(), arrows = flat && settings.prescribed.field == PrescribedField::Arrows;
    const bool sphere = !flat && std::ranges::any_of(settings.obstacles,
                                                     [](const ObstacleSettings& o) { return o.shape.kind == ShapeKind::Sphere; });
    std::string text;
    if (arrows) text = "Drag an arrow. ";
    else if (sphere) text = "Drag the sphere. ";
    else if (!settings.obstacles.empty()) text = "Drag the obstacle. ";
    else if (!settings.emitters.empty()) text = "Drag the emitter. ";
    else if (!settings.follow.keys.empty()) text = "Drag the target. ";
    text += flat && !arrows ? "Left button paints " : "Right button paints ";
    text += fluidName(settings);
    return text + ". F1: keys";
}

void Hint::update(bool used, double elapsed) {
    if (used) left_ = std::min(left_, kFade);
    left_ = std::max(left_ - elapsed, 0.0);
}

void Hint::draw(const Area& area, float bottom, const Settings& settings) const {
    if (!shown()) return;
    const std::string text = hintText(settings);
    const ImVec2 size = ImGui::CalcTextSize(text.c_str());
    drawText({std::max(area.low.x + 0.5f * (area.size.x - size.x), area.low.x + margin()), bottom - size.y - margin()}, text,
             static_cast<float>(std::min(left_ / kFade, 1.0)));
}

}  // namespace wisp::app
