// SPDX-License-Identifier: MIT
#include "app/live/profiler_panel.h"

#include "app/live/sparkline.h"
#include "app/output/legend.h"
#include "files/base/bytes.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace wisp::app {
namespace {

constexpr std::array<ImU32, Profile::kLayers + 1> kColours{
    IM_COL32(78, 141, 207, 255), IM_COL32(242, 142, 43, 255),  IM_COL32(89, 178, 79, 255),
    IM_COL32(225, 87, 89, 255),  IM_COL32(176, 122, 198, 255), IM_COL32(237, 201, 72, 255),
    IM_COL32(82, 196, 188, 255), IM_COL32(255, 157, 190, 255), IM_COL32(125, 125, 130, 255)};
constexpr std::size_t kTooltipRows = 12;

float letters(float count) { return count * ImGui::GetFontSize() * 0.54f; }

void tip(const char* text) {
    if (!ImGui::IsItemHovered()) return;
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(letters(60.0f));
    ImGui::TextUnformatted(text);
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

void right(const std::string& text) {
    const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(text.c_str()).x;
    if (room > 0.0f) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room);
    ImGui::TextUnformatted(text.c_str());
}

/// A square in the colour of the layer, followed by a gap.
void swatch(int layer) {
    const float size = ImGui::GetFontSize() * 0.7f, line = ImGui::GetTextLineHeight();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float top = at.y + 0.5f * (line - size);
    ImGui::GetWindowDrawList()->AddRectFilled({at.x, top}, {at.x + size, top + size}, kColours[static_cast<std::size_t>(layer)]);
    ImGui::Dummy({size, line});
    ImGui::SameLine(0.0f, 0.5f * size);
}

/// Upper limit of the plot. Rare peaks are clipped.
float scaleOf(std::vector<float> totals) {
    const auto most = static_cast<float>(1.3 * spreadOf(std::move(totals)).p95);
    return most > 0.0f ? most : 1.0f;
}

void drawGrid(ImDrawList& list, ImVec2 low, ImVec2 high, float scale) {
    const std::vector<double> marks = ticks(0.0, static_cast<double>(scale), 5);
    const double step = marks.size() > 1 ? marks[1] - marks[0] : 1.0;
    for (const double ms : marks) {
        if (ms <= 0.0) continue;
        const float y = std::round(high.y - (high.y - low.y) * static_cast<float>(ms) / scale);
        list.AddRectFilled({low.x, y}, {high.x, y + 1.0f}, IM_COL32(255, 255, 255, 40));
        list.AddText({low.x + 4.0f, y}, IM_COL32(220, 220, 225, 255), fmt::format("{} ms", tickLabel(ms, step)).c_str());
    }
}

}  // namespace

void ProfilerPanel::draw(bool& open, Profile& profile) {
    if (!open) return;
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const ImVec2 size{std::min(letters(80.0f), display.x - 40.0f), std::max(display.y - 20.0f - 4.0f * ImGui::GetFontSize(), 200.0f)};
    ImGui::SetNextWindowSize(size, ImGuiCond_FirstUseEver);
    ImGui::SetNextWindowPos({20.0f, 20.0f}, ImGuiCond_FirstUseEver);
    if (ImGui::Begin("Profiler", &open)) {
        drawStack(profile);
        drawTimes(profile);
        if (ImGui::CollapsingHeader("Quality", ImGuiTreeNodeFlags_DefaultOpen)) drawQuality(profile);
        if (ImGui::CollapsingHeader("Memory")) drawMemory();
        if (ImGui::CollapsingHeader("Passes", ImGuiTreeNodeFlags_DefaultOpen)) drawPasses(profile);
    }
    ImGui::End();
}

/// Stacked bars: GPU time of each frame, newest on the right.
void ProfilerPanel::drawStack(Profile& profile) {
    const std::vector<Profile::Layers>& layers = profile.layers();
    const std::vector<float> totals = profile.gpu();
    const Spread gpu = spreadOf(totals);
    ImGui::Text("GPU %.2f ms per frame", gpu.mean);
    tip("Mean time of all passes, measured with GPU timestamps. Each bar is one frame, newest on the right. The most expensive passes have "
        "the colours shown in the list of passes below; all others are grey. Rare peaks are clipped.");
    ImGui::SameLine(ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize("Copy as CSV").x);
    if (ImGui::SmallButton("Copy as CSV")) ImGui::SetClipboardText(profile.csv().c_str());

    const ImVec2 low = ImGui::GetCursorScreenPos(), size{ImGui::GetContentRegionAvail().x, std::round(ImGui::GetFontSize() * 8.0f)};
    const ImVec2 high{low.x + size.x, low.y + size.y};
    ImGui::InvisibleButton("stack", size);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRect(low, high, true);
    list.AddRectFilled(low, high, IM_COL32(0, 0, 0, 90));
    const float scale = scaleOf(totals), width = size.x / static_cast<float>(Profile::kHistory);
    const std::size_t empty = Profile::kHistory - layers.size();
    const auto left = [&](std::size_t slot) { return std::round(low.x + width * static_cast<float>(slot)); };
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const std::size_t slot = empty + i;
        float sum = 0.0f;
        for (std::size_t n = 0; n < layers[i].size(); ++n) {
            const float below = high.y - std::round(size.y * sum / scale);
            sum += layers[i][n];
            const float above = high.y - std::round(size.y * sum / scale);
            if (above < below) list.AddRectFilled({left(slot), above}, {left(slot + 1), below}, kColours[n]);
        }
    }
    drawGrid(list, low, high, scale);
    if (ImGui::IsItemHovered() && !layers.empty()) {
        const auto slot = static_cast<std::size_t>(
            std::clamp((ImGui::GetIO().MousePos.x - low.x) / width, 0.0f, static_cast<float>(Profile::kHistory - 1)));
        if (slot >= empty) {
            list.AddRectFilled({left(slot), low.y}, {std::max(left(slot + 1), left(slot) + 1.0f), high.y}, IM_COL32(255, 255, 255, 110));
            drawPicture(profile, slot - empty);
        }
    }
    list.PopClipRect();
}

/// Tooltip of a bar.
void ProfilerPanel::drawPicture(Profile& profile, std::size_t picture) const {
    const std::vector<Profile::Row> rows = profile.passesOf(picture);
    const float total = profile.gpu()[picture];
    ImGui::BeginTooltip();
    ImGui::Text("%zu frames ago: GPU %.2f ms, frame %.1f ms", profile.pictures() - 1 - picture, static_cast<double>(total),
                static_cast<double>(profile.series(&FrameCost::frame)[picture]));
    double others = total;
    const auto row = [](int layer, const std::string& name, double ms) {
        ImGui::TableNextColumn();
        swatch(layer);
        ImGui::TextUnformatted(name.c_str());
        ImGui::TableNextColumn();
        right(fmt::format("{:.3f} ms", ms));
    };
    if (ImGui::BeginTable("passes", 2)) {
        ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthFixed, letters(30.0f));
        ImGui::TableSetupColumn("time", ImGuiTableColumnFlags_WidthFixed, letters(12.0f));
        for (std::size_t i = 0; i < std::min(rows.size(), kTooltipRows); ++i) {
            row(rows[i].layer, rows[i].name, rows[i].last);
            others -= rows[i].last;
        }
        if (rows.size() > kTooltipRows) row(Profile::kLayers, fmt::format("{} others", rows.size() - kTooltipRows), std::max(others, 0.0));
        ImGui::EndTable();
    }
    ImGui::EndTooltip();
}

void ProfilerPanel::drawTimes(Profile& profile) {
    if (!ImGui::BeginTable("times", 6, ImGuiTableFlags_SizingFixedFit)) return;
    ImGui::TableSetupColumn("ms", ImGuiTableColumnFlags_WidthStretch);
    for (const char* name : {"median", "p95", "p99", "max"}) ImGui::TableSetupColumn(name, ImGuiTableColumnFlags_WidthFixed, letters(8.0f));
    ImGui::TableSetupColumn("##plot", ImGuiTableColumnFlags_WidthFixed, letters(14.0f));
    ImGui::TableHeadersRow();
    const auto row = [](const char* name, const std::vector<float>& values, const char* text) {
        const Spread s = spreadOf(values);
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(name);
        tip(text);
        for (const double ms : {s.median, s.p95, s.p99, s.most}) {
            ImGui::TableNextColumn();
            right(values.empty() ? "-" : fmt::format("{:.2f}", ms));
        }
        ImGui::TableNextColumn();
        sparkline(values, {letters(14.0f), ImGui::GetTextLineHeight()}, "ms");
    };
    row("frame", profile.series(&FrameCost::frame), "Wall-clock time between two frames. p95: 95 % of the frames took less.");
    row("CPU: commands", profile.series(&FrameCost::record),
        "CPU time for recording and submitting the commands of the steps and the image, without waits.");
    row("CPU: panels", profile.series(&FrameCost::panels), "CPU time for input events and panels, including this panel.");
    row("input latency", profile.inputAges(),
        "Age of the oldest input event that a frame shows, when the GPU has completed the frame. The age counts from the previous poll of "
        "the events, so it is an upper bound. The effect of a dragged object or a brush on the smoke is visible one frame later.");
    ImGui::EndTable();
}

void ProfilerPanel::drawQuality(const Profile& profile) const {
    if (!ImGui::BeginTable("quality", 4, ImGuiTableFlags_SizingFixedFit)) return;
    ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch);
    ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthFixed, letters(10.0f));
    ImGui::TableSetupColumn("unit", ImGuiTableColumnFlags_WidthFixed, letters(4.0f));
    ImGui::TableSetupColumn("plot", ImGuiTableColumnFlags_WidthFixed, letters(24.0f));
    static constexpr std::array<const char*, Profile::kQuality.size()> kMeaning{
        "residual of the last pressure solve, relative to its right-hand side",
        "RMS divergence on the pressure grid after the projection",
        "RMS divergence on the fine grid after the projection",
        "mass of the smoke, at 1 kg/m3 per unit density",
        "mass of smoke inside obstacles",
        "largest speed at a cell centre"};
    for (std::size_t i = 0; i < Profile::kQuality.size(); ++i) {
        const std::vector<float> values = profile.quality(i);
        const QualityNumber& q = Profile::kQuality[i];
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(q.name);
        tip(kMeaning[i]);
        ImGui::TableNextColumn();
        right(values.empty() ? "-" : fmt::format("{:.3g}", values.back()));
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(q.unit);
        ImGui::TableNextColumn();
        sparkline(values, {letters(24.0f), ImGui::GetTextLineHeight()}, q.unit);
    }
    ImGui::EndTable();
}

/// Updates only after an allocation or a free, because the query of the driver is slow.
void ProfilerPanel::sumMemory() {
    engine::Memory& memory = device_.memory();
    const std::uint64_t used = memory.used() + library_.memoryUsed();
    if (allocations_ == device_.counters.allocations && used_ == used) return;
    allocations_ = device_.counters.allocations;
    used_ = used;
    available_ = memory.available();
    std::map<std::string, Holder> byName;
    const auto add = [&](const auto& allocations) {
        for (const auto& a : allocations) {
            Holder& holder = byName[a.name];
            ++holder.count;
            holder.bytes += a.bytes;
        }
    };
    add(memory.allocations());
    add(library_.memory());
    memory_.clear();
    for (const auto& [name, holder] : byName) memory_.push_back({name, holder.count, holder.bytes});
    std::stable_sort(memory_.begin(), memory_.end(), [](const Holder& a, const Holder& b) { return a.bytes > b.bytes; });
}

void ProfilerPanel::drawMemory() {
    sumMemory();
    const engine::DeviceReport& report = device_.report();
    ImGui::TextUnformatted(report.name.c_str());
    ImGui::TextDisabled("%s", report.driver.c_str());
    ImGui::Text("%s in use, %s available", formatBytes(used_).c_str(), formatBytes(available_).c_str());
    if (!ImGui::BeginTable("memory", 3, ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg,
                           {0.0f, 12.0f * ImGui::GetTextLineHeightWithSpacing()}))
        return;
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn("resource", ImGuiTableColumnFlags_WidthStretch);
    ImGui::TableSetupColumn("count", ImGuiTableColumnFlags_WidthFixed, letters(6.0f));
    ImGui::TableSetupColumn("size", ImGuiTableColumnFlags_WidthFixed, letters(12.0f));
    ImGui::TableHeadersRow();
    for (const Holder& holder : memory_) {
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(holder.name.c_str());
        ImGui::TableNextColumn();
        right(fmt::format("{}", holder.count));
        ImGui::TableNextColumn();
        right(formatBytes(holder.bytes));
    }
    ImGui::EndTable();
}

void ProfilerPanel::drawPasses(Profile& profile) {
    const float least = 6.0f * ImGui::GetTextLineHeightWithSpacing();
    const ImVec2 size{0.0f, std::max(ImGui::GetContentRegionAvail().y, least)};
    if (!ImGui::BeginTable("passes", 6, ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg | ImGuiTableFlags_Sortable, size)) return;
    using Row = Profile::Row;
    static constexpr auto byNumber = [](auto member, const Row& a, const Row& b) { return a.*member < b.*member; };
    static constexpr std::array<bool (*)(const Row&, const Row&), 6> kLess{
        [](const Row& a, const Row& b) { return a.name < b.name; },
        [](const Row& a, const Row& b) { return byNumber(&Row::calls, a, b); },
        [](const Row& a, const Row& b) { return byNumber(&Row::mean, a, b); },
        [](const Row& a, const Row& b) { return byNumber(&Row::p95, a, b); },
        [](const Row& a, const Row& b) { return byNumber(&Row::last, a, b); },
        [](const Row& a, const Row& b) { return byNumber(&Row::share, a, b); }};
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn("pass", ImGuiTableColumnFlags_WidthStretch);
    const auto number = [](const char* name, float width, ImGuiTableColumnFlags more = 0) {
        ImGui::TableSetupColumn(name, ImGuiTableColumnFlags_WidthFixed | ImGuiTableColumnFlags_PreferSortDescending | more, letters(width));
    };
    number("calls", 7.0f);
    number("mean ms", 9.0f, ImGuiTableColumnFlags_DefaultSort);
    number("p95 ms", 8.0f);
    number("last ms", 9.0f);
    number("share", 7.0f);
    ImGui::TableHeadersRow();
    std::vector<const Row*> rows;
    for (const Row& row : profile.rows()) rows.push_back(&row);
    if (const ImGuiTableSortSpecs* specs = ImGui::TableGetSortSpecs(); specs && specs->SpecsCount > 0) {
        const auto less = kLess[static_cast<std::size_t>(specs->Specs->ColumnIndex)];
        const bool down = specs->Specs->SortDirection == ImGuiSortDirection_Descending;
        std::stable_sort(rows.begin(), rows.end(), [&](const Row* a, const Row* b) { return down ? less(*b, *a) : less(*a, *b); });
    }
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(rows.size()));
    while (clipper.Step())
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
            const Row& row = *rows[static_cast<std::size_t>(i)];
            ImGui::TableNextColumn();
            swatch(row.layer);
            ImGui::TextUnformatted(row.name.c_str());
            const std::string cells[] = {fmt::format("{}", row.calls), fmt::format("{:.3f}", row.mean), fmt::format("{:.3f}", row.p95),
                                         fmt::format("{:.3f}", row.last), fmt::format("{:.1f} %", 100.0 * row.share)};
            for (const std::string& cell : cells) {
                ImGui::TableNextColumn();
                right(cell);
            }
        }
    ImGui::EndTable();
}

}  // namespace wisp::app
