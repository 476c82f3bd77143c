// SPDX-License-Identifier: MIT
#include "files/base/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace wisp {

Json parseJson(const std::string& text) {
    static constexpr int kDeepest = 64;
    return Json::parse(text, [](int depth, Json::parse_event_t, const Json&) {
        if (depth > kDeepest) throw std::runtime_error(fmt::format("is nested more than {} levels deep", kDeepest));
        return true;
    });
}

namespace {

void appendPretty(std::string& text, const Json& json, std::size_t indent) {
    const bool plain = std::none_of(json.begin(), json.end(), [](const Json& v) { return v.is_structured(); });
    if (!json.is_structured() || json.empty() || (json.is_array() && plain)) {
        text += json.dump();
        return;
    }
    text += json.is_array() ? "[" : "{";
    const char* separator = "\n";
    for (const auto& [key, value] : json.items()) {
        text += separator + std::string(indent + 2, ' ');
        if (json.is_object()) text += Json(key).dump() + ": ";
        appendPretty(text, value, indent + 2);
        separator = ",\n";
    }
    text += "\n" + std::string(indent, ' ') + (json.is_array() ? "]" : "}");
}

}  // namespace

std::string prettyJson(const Json& json) {
    std::string text;
    appendPretty(text, json, 0);
    return text + "\n";
}

}  // namespace wisp
