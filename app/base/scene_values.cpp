// SPDX-License-Identifier: MIT
#include "app/base/scene_values.h"

#include <toml++/toml.h>

namespace wisp::app {
namespace {

Json jsonOf(const toml::node& node) {
    if (const auto* const array = node.as_array()) {
        Json list = Json::array();
        for (const toml::node& element : *array) list.push_back(jsonOf(element));
        return list;
    }
    if (const auto* const text = node.as_string()) return text->get();
    if (const auto* const number = node.as_integer()) return number->get();
    if (const auto* const number = node.as_floating_point()) return number->get();
    return node.as_boolean() != nullptr && node.as_boolean()->get();
}

}  // namespace

Json jsonValueOf(const Scene& scene, const std::string& key) { return jsonOf(*toml::parse("value = " + scene.get(key)).get("value")); }

}  // namespace wisp::app
