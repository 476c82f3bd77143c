// SPDX-License-Identifier: MIT
#include "files/scene/table_override.h"

#include "files/base/fraction.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <span>

namespace wisp {
namespace {

bool isBareWord(std::string_view text) {
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; });
}

bool isIndex(std::string_view text) {
    return !text.empty() && text.size() < 6 && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

/// "emitter[0].radius" and "emitter.0.radius" both give {"emitter", "0", "radius"}. Returns an empty list for an invalid path.
std::vector<std::string> splitPath(std::string key) {
    for (std::size_t at = key.find('['); at != std::string::npos; at = key.find('[', at)) key[at] = '.';
    key.erase(std::remove(key.begin(), key.end(), ']'), key.end());
    std::vector<std::string> parts{""};
    for (const char c : key) {
        if (c == '.') parts.emplace_back();
        else parts.back() += c;
    }
    if (!std::all_of(parts.begin(), parts.end(), isBareWord)) parts.clear();
    return parts;
}

/// Source position for errors in an option, which has a name but no lines.
toml::source_region regionOf(const Override& o) {
    toml::source_region region;
    region.path = std::make_shared<const std::string>(o.option);
    return region;
}

/// Parses `path = value` as a table with one key. A bare word or a fraction, which are no TOML values, become a string, so that no quotes
/// are needed in a shell.
std::optional<toml::table> parseValue(const Override& o, std::span<const std::string> path) {
    const auto parse = [&](const std::string& value) -> std::optional<toml::table> {
        try {
            toml::table parsed = toml::parse(fmt::format("{} = {}", fmt::join(path, "."), value), o.option);
            if (parsed.size() == 1) return parsed;
        } catch (const toml::parse_error&) {}
        return std::nullopt;
    };
    if (auto parsed = parse(o.value)) return parsed;
    return isBareWord(o.value) || fractionOf(o.value) ? parse("\"" + o.value + "\"") : std::nullopt;
}

/// Returns an error message, or an empty string. `path` is the rest of the key path, starting at a child of `node`.
std::string assign(toml::node& node, const Override& o, std::span<const std::string> path) {
    const std::string& name = path.front();
    const bool last = path.size() == 1;
    toml::node* child = nullptr;
    if (toml::array* list = node.as_array()) {
        if (!isIndex(name) || std::stoul(name) >= list->size())
            return fmt::format("there is no element [{}] in a list of {}", name, list->size());
        child = list->get(std::stoul(name));
    } else {
        child = node.as_table()->get(name);
    }
    if (!last && child != nullptr && (child->is_table() || child->is_array())) return assign(*child, o, path.subspan(1));
    if (!last && std::any_of(path.begin() + 1, path.end(), isIndex)) return fmt::format("there is no list \"{}\"", name);

    // Moved, not copied, because a copy loses its source position.
    auto parsed = parseValue(o, path);
    if (!parsed) return fmt::format("\"{}\" is not a TOML value", o.value);
    parsed->get(name)->visit([&](auto& value) {
        if (toml::array* list = node.as_array()) list->replace(list->cbegin() + std::stol(name), std::move(value));
        else node.as_table()->insert_or_assign(name, std::move(value));
    });
    return {};
}

/// Adds a table to a list at the top of a scene. Returns an error message, or an empty string.
std::string append(toml::table& scene, const Override& o, std::span<const std::string> path) {
    if (path.size() != 1) return "is not a list of the scene, such as emitter or obstacle";
    auto parsed = parseValue(o, path);
    toml::table* element = parsed ? parsed->get(path.front())->as_table() : nullptr;
    if (!element) return fmt::format("\"{}\" is not a table, such as {{shape = \"sphere\"}}", o.value);
    const bool given = scene.contains(path.front());
    if (!given) scene.insert(path.front(), toml::array());
    toml::array* list = scene.get(path.front())->as_array();
    if (!list) return "is not a list of the scene, such as emitter or obstacle";
    element->is_inline(false);
    list->push_back(std::move(*element));
    return {};
}

}  // namespace

void applyOverrides(toml::table& table, const std::vector<Override>& overrides, SceneLog& log) {
    for (const Override& o : overrides) {
        const std::vector<std::string> path = splitPath(o.key);
        const std::string problem = path.empty() ? "is not a key path, such as flow.vorticity or emitter[0].radius"
                                    : o.append   ? append(table, o, path)
                                                 : assign(table, o, path);
        if (!problem.empty()) log.fail(o.key, regionOf(o), problem);
    }
}

}  // namespace wisp
