// SPDX-License-Identifier: MIT
#include "app/live/scene_panel.h"

#include "app/live/fields.h"
#include "app/live/scene_sections.h"
#include "compute/scene/scene_fluid.h"
#include "compute/scene/validate.h"
#include "files/scene/path_visitor.h"
#include "files/scene/scene_keys.h"

#include <fmt/format.h>
#include <glm/trigonometric.hpp>
#include <imgui.h>

#include <algorithm>
#include <cctype>
#include <type_traits>
#include <utility>
#include <vector>

namespace wisp::app {
namespace {

using Values = ScenePanel::Values;

/// Stores the values of all keys.
class Snapshot : public PathVisitor {
public:
    Values values;
    bool key(const std::string& name, KeyValue value, const KeyInfo&) override {
        values[path_ + name] = std::visit(
            [](auto v) -> ScenePanel::Value {
                if constexpr (std::is_same_v<decltype(v), Choice>) return *v.index;
                else if constexpr (std::is_same_v<decltype(v), Words>) return *v.bits;
                else if constexpr (std::is_same_v<decltype(v), AutoNumber>) return *v.value;
                else return *v;
            },
            value);
        return true;
    }
    void table(const std::string& name, const std::function<void()>& keys) override { within(name, keys); }
    void list(const std::string& name, const List& list) override {
        for (std::size_t i = 0; i < list.size; ++i) within(fmt::format("{}[{}]", name, i), [&] { list.keys(i); });
    }
    void fail(const std::string&, const std::string&) override {}
};

/// Format of a number with its unit.
std::string formatOf(const KeyInfo& about, const char* number) {
    return about.unit[0] == '\0' ? number : fmt::format("{} {}", number, about.unit);
}

// One widget for each type of value.
bool edit(bool* v, const KeyInfo&) { return ImGui::Checkbox("##", v); }
bool edit(std::uint32_t* v, const KeyInfo& a) {
    return dragNumber("##", v, static_cast<std::uint32_t>(a.low), static_cast<std::uint32_t>(a.high), formatOf(a, "%u").c_str(),
                      a.kind == KeyInfo::Kind::Logarithmic);
}
bool edit(float* v, const KeyInfo& a) {
    if (a.kind != KeyInfo::Kind::Degrees)
        return dragNumber("##", v, a.low, a.high, formatOf(a, "%.4g").c_str(), a.kind == KeyInfo::Kind::Logarithmic);
    float degrees = glm::degrees(*v);
    if (!dragNumber("##", &degrees, a.low, a.high, formatOf(a, "%.4g").c_str())) return false;
    *v = glm::radians(degrees);
    return true;
}
bool edit(std::string* v, const KeyInfo&) {
    char text[512];
    text[v->copy(text, sizeof text - 1)] = '\0';
    if (!ImGui::InputText("##", text, sizeof text, ImGuiInputTextFlags_EnterReturnsTrue)) return false;
    *v = text;
    return true;
}
bool edit(glm::vec2* v, const KeyInfo& a) { return ImGui::DragFloat2("##", &v->x, (a.high - a.low) / 400.0f, 0.0f, 0.0f, "%.4g"); }
bool edit(glm::vec3* v, const KeyInfo& a) {
    if (a.kind == KeyInfo::Kind::Colour) return ImGui::ColorEdit3("##", &v->x, ImGuiColorEditFlags_Float | ImGuiColorEditFlags_HDR);
    glm::vec3 shown = a.kind == KeyInfo::Kind::Degrees ? glm::degrees(*v) : *v;
    if (!ImGui::DragFloat3("##", &shown.x, (a.high - a.low) / 400.0f, 0.0f, 0.0f, "%.4g")) return false;
    *v = a.kind == KeyInfo::Kind::Degrees ? glm::radians(shown) : shown;
    return true;
}
bool edit(glm::uvec2* v, const KeyInfo&) { return ImGui::InputScalarN("##", ImGuiDataType_U32, &v->x, 2); }
bool edit(glm::uvec3* v, const KeyInfo&) { return ImGui::InputScalarN("##", ImGuiDataType_U32, &v->x, 3); }
template <class T>
bool edit(std::optional<T>* v, const KeyInfo& a) {
    bool hasValue = v->has_value();
    bool changed = ImGui::Checkbox("##there", &hasValue);
    if (changed) hasValue ? void(v->emplace()) : v->reset();
    if (!hasValue) return changed;
    ImGui::SameLine();
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
    return edit(&**v, a) || changed;
}
bool edit(Choice v, const KeyInfo&) {
    bool changed = false;
    if (!ImGui::BeginCombo("##", *v.index < v.names->size() ? (*v.names)[*v.index].c_str() : "")) return false;
    for (std::size_t i = 0; i < v.names->size(); ++i)
        if (ImGui::Selectable((*v.names)[i].c_str(), i == *v.index)) {
            changed = i != *v.index;
            *v.index = i;
        }
    ImGui::EndCombo();
    return changed;
}

bool edit(AutoNumber n, const KeyInfo& a) {
    bool isAuto = *n.value == 0;
    bool changed = ImGui::Checkbox("auto", &isAuto);
    if (changed) *n.value = isAuto ? 0 : 2;
    if (isAuto) return changed;
    ImGui::SameLine();
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
    return edit(n.value, a) || changed;
}

bool edit(Words v, const KeyInfo&) {
    bool changed = false;
    for (std::size_t i = 0; i < v.names->size(); ++i) changed = ImGui::CheckboxFlags((*v.names)[i].c_str(), v.bits, 1u << i) || changed;
    return changed;
}

/// Whether a value differs from that of the scene; false if the scene has no value of this type.
template <class T>
bool differs(const T* v, const ScenePanel::Value& base) {
    return std::holds_alternative<T>(base) && std::get<T>(base) != *v;
}
bool differs(Choice v, const ScenePanel::Value& base) { return std::get<std::size_t>(base) != *v.index; }
bool differs(AutoNumber n, const ScenePanel::Value& base) { return std::get<std::uint32_t>(base) != *n.value; }
bool differs(Words v, const ScenePanel::Value& base) { return std::get<std::uint32_t>(base) != *v.bits; }
template <class T>
void reset(T* v, const ScenePanel::Value& base) {
    *v = std::get<T>(base);
}
void reset(Choice v, const ScenePanel::Value& base) { *v.index = std::get<std::size_t>(base); }
void reset(AutoNumber n, const ScenePanel::Value& base) { *n.value = std::get<std::uint32_t>(base); }
void reset(Words v, const ScenePanel::Value& base) { *v.bits = std::get<std::uint32_t>(base); }

std::string lower(std::string text) {
    std::ranges::transform(text, text.begin(), [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
    return text;
}

/// Draws a row for each key of a section: label, value and reset button. With a filter, draws the keys of all sections whose path or label
/// contains the filter text.
class Editor : public PathVisitor {
public:
    /// `placed`: settings that determine the sections.
    Editor(const Values& base, std::string filter, const Settings& placed)
        : base_(base), filter_(lower(std::move(filter))), placed_(placed) {}
    std::string problem;
    std::string_view section;

    bool key(const std::string& name, KeyValue value, const KeyInfo& about) override {
        const std::string path = path_ + name, label = labelOf(name);
        if (filter_.empty() ? sectionOf(path, placed_) != section : !matches(path, label)) return true;
        showHeadings();
        ImGui::PushID(path.c_str());
        const float button = ImGui::GetFrameHeight();
        fieldLabel(label.c_str(), button + ImGui::GetStyle().ItemSpacing.x);
        if (ImGui::IsItemHovered()) tooltip(path, about);
        std::visit([&](auto v) { edit(v, about); }, value);
        if (ImGui::IsItemHovered() && !ImGui::IsItemActive()) tooltip(path, about);
        const auto base = base_.find(path);
        if (base != base_.end() && std::visit([&](auto v) { return differs(v, base->second); }, value)) {
            ImGui::SameLine(ImGui::GetContentRegionMax().x - button);
            if (ImGui::Button("<", {button, 0.0f})) std::visit([&](auto v) { reset(v, base->second); }, value);
            if (ImGui::IsItemHovered()) ImGui::SetTooltip("reset to the value in the scene");
        }
        ImGui::PopID();
        return true;
    }
    void table(const std::string& name, const std::function<void()>& keys) override { under(labelOf(name), name, keys); }
    void list(const std::string& name, const List& list) override {
        const bool shows = filter_.empty() && sectionOf(path_ + name, placed_) == section;
        if (shows) showHeadings();
        if (filter_.empty() && (!shows || !unfold(name, list.size))) return;
        const std::string one = name.ends_with('s') ? name.substr(0, name.size() - 1) : name;
        std::optional<std::size_t> removed;
        for (std::size_t i = 0; i < list.size; ++i) {
            const std::string label = fmt::format("{} {}", labelOf(one), i), item = fmt::format("{}[{}]", name, i);
            ImGui::PushID((path_ + item).c_str());
            under(label, item, [&] {
                if (shows) showHeadings();
                if (shows && removes()) removed = i;
                list.keys(i);
            });
            ImGui::PopID();
        }
        if (removed) list.erase(*removed);
        else if (shows && ImGui::SmallButton(fmt::format("Add {}##{}{}", one, path_, name).c_str())) list.resize(list.size + 1);
    }
    void fail(const std::string& name, const std::string& message) override { problem = path_ + name + ": " + message; }

private:
    struct Heading {
        std::string text;
        bool shown = false;
    };
    template <class Keys>
    void under(const std::string& heading, const std::string& name, const Keys& keys) {
        headings_.push_back({heading, heading == section});
        within(name, keys);
        headings_.pop_back();
    }
    [[nodiscard]] bool matches(const std::string& path, const std::string& label) const {
        std::string words;
        for (const Heading& h : headings_) words += h.text + " ";
        return lower(path).find(filter_) != std::string::npos || lower(words + label).find(filter_) != std::string::npos;
    }
    /// Draws the headings of the enclosing tables, once, above their first visible key.
    void showHeadings() {
        for (Heading& h : headings_)
            if (!std::exchange(h.shown, true)) ImGui::TextDisabled("%s", h.text.c_str());
    }
    /// Button beside the heading; returns whether it was pressed.
    static bool removes() {
        ImGui::SameLine(ImGui::GetContentRegionMax().x - ImGui::CalcTextSize("Remove").x - 2.0f * ImGui::GetStyle().FramePadding.x);
        return ImGui::SmallButton("Remove");
    }
    /// Short lists are always open; long lists get a tree node.
    [[nodiscard]] bool unfold(const std::string& name, std::size_t size) const {
        constexpr std::size_t kShort = 8;
        const std::string title = fmt::format("{} ({})###{}{}", labelOf(name), size, path_, name);
        return size <= kShort || ImGui::TreeNodeEx(title.c_str(), ImGuiTreeNodeFlags_NoTreePushOnOpen);
    }
    static void tooltip(const std::string& path, const KeyInfo& about) {
        std::string text = path;
        if (about.help[0] != '\0') text += fmt::format("\n{}", about.help);
        if (about.unit[0] != '\0') text += fmt::format("\n[{}]", about.unit);
        ImGui::BeginTooltip();
        ImGui::PushTextWrapPos(30.0f * ImGui::GetFontSize());
        ImGui::TextUnformatted((text + "\nCtrl + click: type a value").c_str());
        ImGui::PopTextWrapPos();
        ImGui::EndTooltip();
    }
    const Values& base_;
    const std::string filter_;
    const Settings& placed_;
    std::vector<Heading> headings_;  ///< of the tables around the key
};

/// Places a new object at the centre of the box.
void placeNew(Settings& s, const Settings& before, glm::vec3 boxOffset) {
    const glm::vec3 middle = s.grid.origin + boxOffset + 0.5f * s.grid.size;
    const float radius = 0.1f * std::min({s.grid.size.x, s.grid.size.y, s.grid.size.z});
    const auto shape = [&](Shape& x) {
        x.centre = middle;
        x.radius = radius;
        x.half = glm::vec3(radius);
    };
    if (s.emitters.size() > before.emitters.size()) {
        shape(s.emitters.back().shape);
        fillWithFluid(s.emitters.back(), before);
    }
    if (s.obstacles.size() > before.obstacles.size()) shape(s.obstacles.back().shape);
    if (s.probes.size() > before.probes.size()) {
        s.probes.back().at = middle;
        s.probes.back().file = fmt::format("probe{}.csv", s.probes.size() - 1);
    }
    if (s.initial.size() > before.initial.size()) {
        shape(s.initial.back().shape);
        fillWithFluid(s.initial.back(), before);
    }
}

}  // namespace

void ScenePanel::setBase(const Settings& scene) {
    Settings copy = scene;
    Snapshot snapshot;
    visitScene(snapshot, copy, {});
    base_ = std::move(snapshot.values);
    problem_.clear();
}

void ScenePanel::draw(Settings& settings, glm::vec3 boxOffset) {
    // A change of the settings from outside, for example a drag, replaces an invalid draft.
    if (problem_.empty() || settings != shown_) {
        shown_ = draft_ = settings;
        problem_.clear();
    }
    ImGui::SetNextItemWidth(-1.0f);
    ImGui::InputTextWithHint("##filter", "Search settings, for example radius", filter_, sizeof filter_);
    if (!problem_.empty()) {
        ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(1.0f, 0.6f, 0.35f, 1.0f));
        ImGui::TextWrapped("%s", problem_.c_str());
        ImGui::PopStyleColor();
        if (ImGui::Button("Discard changes")) return problem_.clear();
    }
    ImGui::BeginChild("keys");
    const Settings before = draft_;
    if (!editing_) placed_ = draft_;
    Editor editor(base_, filter_, placed_);
    if (filter_[0] != '\0') {
        visitScene(editor, draft_, {});
    } else {
        for (const std::string_view section : sceneSections()) {
            if (!ImGui::CollapsingHeader(std::string(section).c_str())) continue;
            editor.section = section;
            visitScene(editor, draft_, {});
        }
    }
    placeNew(draft_, before, boxOffset);
    editing_ = ImGui::IsAnyItemActive();
    ImGui::EndChild();
    if (!editor.problem.empty()) {
        problem_ = editor.problem;
        return;
    }
    settle(settings);
}

void ScenePanel::settle(Settings& settings) {
    if (draft_ == shown_) return problem_.clear();
    const std::vector<Problem> problems = validate(draft_);
    problem_ = problems.empty() ? "" : problems.front().key + ": " + problems.front().message;
    if (problems.empty()) settings = shown_ = draft_;
}

}  // namespace wisp::app
