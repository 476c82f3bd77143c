// SPDX-License-Identifier: MIT
#include "files/scene/scene_writer.h"

#include "files/scene/scene_keys.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <glm/trigonometric.hpp>
#include <toml++/toml.h>

#include <cmath>
#include <map>
#include <sstream>
#include <type_traits>
#include <utility>

namespace wisp {
namespace {

/// The shortest text that is read as the same number.
std::string textOf(float x) {
    const std::string text = fmt::format("{}", x);
    return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

/// The shortest text in degrees that the reader converts to exactly these radians. If there is none, the nearest float.
std::string degreesOf(float radians) {
    const double exact = glm::degrees(static_cast<double>(radians));
    for (int digits = 1; digits < 9; ++digits) {
        const float degrees = std::stof(fmt::format("{:.{}g}", exact, digits));
        if (glm::radians(degrees) == radians) return textOf(degrees);
    }
    const auto nearest = static_cast<float>(exact);
    // The neighbours are tried as well, because the reader rounds twice.
    for (const float degrees : {nearest, std::nextafter(nearest, -HUGE_VALF), std::nextafter(nearest, HUGE_VALF)})
        if (glm::radians(degrees) == radians) return textOf(degrees);
    return textOf(nearest);
}

std::string textOf(bool x) { return x ? "true" : "false"; }
std::string textOf(std::uint32_t x) { return fmt::format("{}", x); }
std::string textOf(const std::string& x) {
    std::ostringstream text;
    text << toml::toml_formatter(toml::value<std::string>(x), toml::format_flags::none);
    return text.str();
}

template <class T, class Text>
std::string listOf(const T& v, Text&& text) {
    std::vector<std::string> parts;
    for (int i = 0; i < T::length(); ++i) parts.push_back(text(v[i]));
    return fmt::format("[{}]", fmt::join(parts, ", "));
}

std::string valueOf(Choice c, bool) { return *c.index < c.names->size() ? textOf((*c.names)[*c.index]) : ""; }
std::string valueOf(Words w, bool) {
    std::vector<std::string> words;
    for (std::size_t i = 0; i < w.names->size(); ++i)
        if ((*w.bits >> i & 1u) != 0) words.push_back(textOf((*w.names)[i]));
    return words.empty() ? "" : fmt::format("[{}]", fmt::join(words, ", "));
}
std::string valueOf(AutoNumber n, bool) { return *n.value == 0 ? textOf(std::string("auto")) : textOf(*n.value); }
template <class T>
std::string valueOf(const T* v, bool degrees) {
    if constexpr (std::is_same_v<T, float>) return degrees ? degreesOf(*v) : textOf(*v);
    else if constexpr (std::is_same_v<T, glm::vec3>) return listOf(*v, [&](float x) { return degrees ? degreesOf(x) : textOf(x); });
    else if constexpr (std::is_same_v<T, glm::vec2> || std::is_same_v<T, glm::uvec2> || std::is_same_v<T, glm::uvec3>)
        return listOf(*v, [](auto x) { return textOf(x); });
    else return textOf(*v);
}

template <class T>
std::string valueOf(const std::optional<T>* v, bool degrees) {
    return *v ? valueOf(&**v, degrees) : "";
}

/// Writes `[table]` headers and `key = value` lines. Values that equal `defaults` are omitted.
class SceneWriter : public SceneVisitor {
public:
    using Values = std::map<std::string, std::string>;  ///< by key path without list indices
    explicit SceneWriter(const Values& defaults) : defaults_(defaults) {}

    Values values;
    std::string text;

    bool key(const std::string& name, KeyValue value, const KeyInfo& about) override {
        const std::string word = valueText(value, about);
        const std::string path = path_ + name;
        values[path] = word;
        const auto standard = defaults_.find(path);
        if (word.empty() || (standard != defaults_.end() && standard->second == word)) return true;
        text += std::exchange(header_, {}) + inline_ + name + " = " + word + "\n";
        return true;
    }
    void table(const std::string& name, const std::function<void()>& keys) override {
        const bool outer = path_.empty();
        const std::string path = path_, before = inline_;
        path_ += name + ".";
        if (outer) header_ = fmt::format("\n[{}]\n", name);
        else inline_ += name + ".";
        keys();
        path_ = path;
        inline_ = before;
        if (outer) header_.clear();
    }
    void list(const std::string& name, const List& list) override {
        const std::string path = path_;
        path_ += name + ".";
        for (std::size_t i = 0; i < list.size; ++i) {
            text += std::exchange(header_, {}) + fmt::format("\n[[{}{}]]\n", path, name);
            list.keys(i);
        }
        path_ = path;
    }
    void fail(const std::string&, const std::string&) override {}

private:
    const Values& defaults_;
    // path_: path of the current table. header_: table header that is not yet written. inline_: prefix of keys in nested tables.
    std::string path_, header_, inline_;
};

/// Values of a default scene with one element in each list, as the reader creates them.
SceneWriter::Values defaultsFor(const Settings& settings) {
    Settings plain;
    plain.emitters.resize(1);
    plain.emitters[0].keys.resize(1);
    plain.obstacles.resize(1);
    plain.obstacles[0].keys.resize(1);
    plain.initial.resize(1);
    plain.probes.resize(1);
    plain.lights.resize(1);
    Settings other = plain;  // other kinds, which have keys that the default kinds lack
    for (Shape* shape : {&other.emitters[0].shape, &other.obstacles[0].shape, &other.initial[0].shape}) shape->kind = ShapeKind::Capsule;
    other.lights[0].kind = LightKind::Spot;
    other.view.field = ViewField::Density;
    const SceneWriter::Values none;
    SceneWriter writer(none);
    for (Settings* s : {&other, &plain}) visitScene(writer, *s, {});
    writer.values.erase("name");  // the default is the file name, so an empty name must be written as well
    const std::uint32_t iterations = defaultIterations(settings.pressure.solver);
    writer.values["pressure.iterations"] = iterations == 0 ? textOf(std::string("auto")) : textOf(iterations);
    return writer.values;
}

}  // namespace

std::string valueText(const KeyValue& value, const KeyInfo& about) {
    return std::visit([&](auto v) { return valueOf(v, about.kind == KeyInfo::Kind::Degrees); }, value);
}

std::string writeScene(const Settings& settings, const std::filesystem::path& folder) {
    const SceneWriter::Values defaults = defaultsFor(settings);
    SceneWriter writer(defaults);
    Settings copy = settings;
    visitScene(writer, copy, folder);
    return writer.text;
}

std::map<std::string, std::string> sceneValues(const Settings& settings) {
    const SceneWriter::Values none;
    SceneWriter writer(none);
    Settings copy = settings;
    visitScene(writer, copy, {});
    return {writer.values.begin(), writer.values.end()};
}

}  // namespace wisp
