// SPDX-License-Identifier: MIT
#include "app/base/scene_values.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <stdexcept>

namespace wisp::app {
namespace {

toml::table parsed(const Scene& scene, const std::string& key) { return toml::parse("value = " + scene.get(key)); }

template <class T>
T as(const toml::node& node, const std::string& key) {
    const auto value = node.value<T>();
    if (!value) throw std::logic_error(fmt::format("{} has another type", key));
    return *value;
}

template <class T>
std::vector<T> valuesOf(const Scene& scene, const std::string& key) {
    const toml::table table = parsed(scene, key);
    const toml::node& value = *table.get("value");
    const toml::array* const list = value.as_array();
    if (list == nullptr) return {as<T>(value, key)};
    std::vector<T> values;
    for (const toml::node& element : *list) values.push_back(as<T>(element, key));
    return values;
}

}  // namespace

bool truthOf(const Scene& scene, const std::string& key) { return valuesOf<bool>(scene, key).at(0); }

std::string textOf(const Scene& scene, const std::string& key) { return valuesOf<std::string>(scene, key).at(0); }

std::vector<std::string> textsOf(const Scene& scene, const std::string& key) { return valuesOf<std::string>(scene, key); }

std::vector<double> numbersOf(const Scene& scene, const std::string& key) { return valuesOf<double>(scene, key); }

}  // namespace wisp::app
