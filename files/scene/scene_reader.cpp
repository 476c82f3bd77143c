// SPDX-License-Identifier: MIT
#include "files/scene/scene_reader.h"

#include "files/base/fraction.h"
#include "files/base/nearest.h"
#include "files/scene/scene_override.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <tuple>
#include <type_traits>

namespace wisp {
namespace {

/// Describes a value for a message: `the string "abc"`, `the number 1.5`.
std::string describe(const toml::node& node) {
    if (const auto* s = node.as_string()) return fmt::format("the string \"{}\"", s->get());
    if (const auto* i = node.as_integer()) return fmt::format("the whole number {}", i->get());
    if (const auto* f = node.as_floating_point()) return fmt::format("the number {}", f->get());
    if (const auto* b = node.as_boolean()) return b->get() ? "true" : "false";
    if (const auto* a = node.as_array()) return fmt::format("a list of {}", a->size());
    if (node.is_table()) return "a table";
    return "a date or time";
}

bool convert(const toml::node& node, float& out) {
    const auto number = node.is_number() ? node.value<double>() : std::nullopt;
    if (number) out = static_cast<float>(*number);
    return number.has_value();
}

bool convert(const toml::node& node, std::uint32_t& out) {
    const auto number = node.is_integer() ? node.value<std::int64_t>() : std::nullopt;
    if (!number || *number < 0 || *number > std::numeric_limits<std::uint32_t>::max()) return false;
    out = static_cast<std::uint32_t>(*number);
    return true;
}

constexpr std::string_view kWhole = "a whole number from 0 to 4294967295";

/// What is wrong with a number of a list. The range that a key allows is for `validate` to say.
template <class Number>
std::string wrongNumber(const toml::node& node) {
    const std::string found = fmt::format("is {}", describe(node));
    if (std::is_floating_point_v<Number>) return found + ", must be a number";
    if (!node.is_integer()) return found + ", must be a whole number";
    return found + (node.value_or(std::int64_t{0}) < 0 ? ", must not be negative" : ", which is too large");
}

}  // namespace

bool liesIn(std::string_view path, std::string_view within) {
    return path.starts_with(within) && (path.size() == within.size() || path[within.size()] == '.' || path[within.size()] == '[');
}

toml::table parseToml(std::string_view text, const std::string& file, bool lines) {
    try {
        return toml::parse(text, file);
    } catch (const toml::parse_error& e) {
        const toml::source_position at = e.source().begin;
        throw SceneFailure({{file, lines ? at.line : 0, lines ? at.column : 0, {}, std::string(e.description())}});
    }
}

SceneError SceneLog::position(const toml::source_region& source) const {
    const std::string& file = source.path ? *source.path : file_;
    if (file == kUnnamedOption) return {};
    if (file.starts_with("--")) return {file, 0, 0, {}, {}};  // an option has no lines
    if (!lines_ && file == file_) return {file, 0, 0, {}, {}};
    return {file, source.begin.line, source.begin.column, {}, {}};
}

void SceneLog::fail(const std::string& key, const toml::source_region& where, std::string message) {
    SceneError error = position(where);
    error.key = key;
    error.message = std::move(message);
    errors_.push_back(std::move(error));
}

void SceneLog::failAt(const std::string& key, std::string message) {
    SceneError error{file_, lines_ ? 1u : 0u, lines_ ? 1u : 0u, {}, {}};
    for (std::string path = key; !path.empty(); path.erase(std::min(path.find_last_of(".["), path.size()))) {
        if (const auto found = positions_.find(path); found != positions_.end()) {
            error = found->second;
            break;
        }
        if (path.find_first_of(".[") == std::string::npos) break;
    }
    error.key = key;
    error.message = std::move(message);
    errors_.push_back(std::move(error));
}

bool SceneLog::failed(const std::string& key) const {
    return std::any_of(errors_.begin(), errors_.end(), [&](const SceneError& e) { return e.key == key; });
}

bool SceneLog::failedIn(const std::string& table) const {
    return std::any_of(errors_.begin(), errors_.end(), [&](const SceneError& e) { return liesIn(e.key, table); });
}

std::vector<SceneError> SceneLog::sorted() const {
    std::vector<SceneError> errors = errors_;
    const auto rank = [&](const SceneError& e) { return std::tuple(e.file != file_, e.line, e.column); };
    std::stable_sort(errors.begin(), errors.end(), [&](const SceneError& a, const SceneError& b) { return rank(a) < rank(b); });
    return errors;
}

const toml::node* Section::take(const std::string& key) {
    known_.push_back(key);
    const toml::node* node = table_->get(key);
    if (node != nullptr) log_.written(join(key), *node);
    return node;
}

void Section::wrongType(const std::string& key, const toml::node& found, std::string_view expected) {
    log_.fail(join(key), found.source(), fmt::format("is {}, must be {}", describe(found), expected));
}

bool Section::read(const std::string& key, bool& out) {
    const toml::node* node = take(key);
    if (node == nullptr) return false;
    if (const auto value = node->value_exact<bool>()) {
        out = *value;
        return true;
    }
    wrongType(key, *node, "true or false");
    return false;
}

bool Section::read(const std::string& key, float& out) {
    const toml::node* node = take(key);
    if (node == nullptr) return false;
    if (convert(*node, out)) return true;
    wrongType(key, *node, "a number");
    return false;
}

bool Section::readRate(const std::string& key, float& out) {
    const toml::node* node = take(key);
    if (node == nullptr) return false;
    const auto text = node->value_exact<std::string>();
    const auto fraction = text ? fractionOf(*text) : std::nullopt;
    if (fraction) out = static_cast<float>(*fraction);
    if (fraction || convert(*node, out)) return true;
    wrongType(key, *node, "a number, or a fraction such as \"24000/1001\"");
    return false;
}

bool Section::read(const std::string& key, std::uint32_t& out) {
    const toml::node* node = take(key);
    if (node == nullptr) return false;
    if (convert(*node, out)) return true;
    wrongType(key, *node, kWhole);
    return false;
}

bool Section::readAutoNumber(const std::string& key, std::uint32_t& out) {
    const toml::node* node = take(key);
    if (node == nullptr) return false;
    std::uint32_t number = 0;
    const bool isAuto = node->value_exact<std::string>() == "auto";
    if (isAuto || (convert(*node, number) && number > 0)) {
        out = number;
        return true;
    }
    wrongType(key, *node, "\"auto\" or a whole number from 1 to 4294967295");
    return false;
}

bool Section::read(const std::string& key, std::string& out) {
    const toml::node* node = take(key);
    if (node == nullptr) return false;
    if (const auto value = node->value_exact<std::string>()) {
        out = *value;
        return true;
    }
    wrongType(key, *node, "a string");
    return false;
}

template <class Vector>
bool Section::readVector(const std::string& key, Vector& out, std::string_view expected) {
    const toml::node* node = take(key);
    if (node == nullptr) return false;
    const toml::array* list = node->as_array();
    if (list == nullptr || list->size() != static_cast<std::size_t>(Vector::length())) {
        wrongType(key, *node, expected);
        return false;
    }
    Vector value{};
    for (int i = 0; i < Vector::length(); ++i) {
        const toml::node& component = (*list)[static_cast<std::size_t>(i)];
        if (!convert(component, value[i])) {
            log_.fail(join(key), component.source(),
                      fmt::format("component {} {}", i, wrongNumber<typename Vector::value_type>(component)));
            return false;
        }
    }
    out = value;
    return true;
}

bool Section::read(const std::string& key, glm::vec2& out) { return readVector(key, out, "a list of 2 numbers"); }
bool Section::read(const std::string& key, glm::vec3& out) { return readVector(key, out, "a list of 3 numbers"); }
bool Section::read(const std::string& key, glm::uvec2& out) { return readVector(key, out, "a list of 2 whole numbers"); }
bool Section::read(const std::string& key, glm::uvec3& out) { return readVector(key, out, "a list of 3 whole numbers"); }

namespace {

std::string noneOf(const std::string& word, const std::vector<std::string>& names) {
    const std::string guess = nearest(word, names);
    return fmt::format("is \"{}\", must be one of: {}{}", word, fmt::join(names, ", "),
                       guess.empty() ? "" : fmt::format("; did you mean \"{}\"?", guess));
}

}  // namespace

bool Section::readWords(const std::string& key, std::uint32_t& bits, const std::vector<std::string>& names) {
    const toml::node* node = take(key);
    if (node == nullptr) return false;
    const toml::array* list = node->as_array();
    if (list == nullptr || list->empty()) {
        log_.fail(join(key), node->source(), fmt::format("is {}, must be a list of some of: {}", describe(*node), fmt::join(names, ", ")));
        return false;
    }
    std::uint32_t read = 0;
    for (const toml::node& element : *list) {
        const auto word = element.value_exact<std::string>();
        const auto found = std::ranges::find(names, word.value_or(""));
        if (!word || found == names.end()) {
            log_.fail(join(key), element.source(),
                      word ? noneOf(*word, names)
                           : fmt::format("has {}, must be a list of some of: {}", describe(element), fmt::join(names, ", ")));
            return false;
        }
        read |= 1u << static_cast<unsigned>(found - names.begin());
    }
    bits = read;
    return true;
}

bool Section::choose(const std::string& key, std::size_t& index, const std::vector<std::string>& names) {
    std::string word;
    if (!read(key, word)) return false;
    const auto found = std::ranges::find(names, word);
    if (found == names.end()) {
        fail(key, noneOf(word, names));
        return false;
    }
    index = static_cast<std::size_t>(found - names.begin());
    return true;
}

const toml::table* Section::childTable(const std::string& key) {
    const toml::node* node = take(key);
    if (node == nullptr) return nullptr;
    if (!node->is_table()) wrongType(key, *node, "a table");
    return node->as_table();
}

const toml::array* Section::childArray(const std::string& key) {
    const toml::node* node = take(key);
    if (node == nullptr) return nullptr;
    if (!node->is_array()) wrongType(key, *node, fmt::format("a list of tables, each beginning with [[{}]]", join(key)));
    return node->as_array();
}

const toml::table* Section::element(const toml::array& list, std::size_t index, const std::string& path) {
    const toml::node& node = list[index];
    log_.written(path, node);
    if (!node.is_table()) log_.fail(path, node.source(), fmt::format("is {}, must be a table", describe(node)));
    return node.as_table();
}

void Section::fail(const std::string& key, std::string message) { log_.fail(join(key), table_->get(key)->source(), std::move(message)); }

void Section::finish() {
    for (const auto& [key, node] : *table_) {
        const std::string name(key.str());
        if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
        const std::string guess = nearest(name, known_);
        // Position of the key. In an option only the value has a position.
        const toml::source_region& where = key.source().begin.line != 0 ? key.source() : node.source();
        log_.fail(join(name), where,
                  guess.empty() ? fmt::format("unknown key, must be one of: {}", fmt::join(known_, ", "))
                                : fmt::format("unknown key; did you mean \"{}\"?", guess));
    }
}

}  // namespace wisp
