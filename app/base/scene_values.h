// SPDX-License-Identifier: MIT
#pragma once

#include "files/base/json.h"
#include "wisp/scene.h"

#include <string>

namespace wisp::app {

/// The value of a key that is given, or has a default: numbers, truth values, texts and lists of them are the same in TOML and in JSON.
/// `T`: bool, a number, std::string, std::array, or Json for any of them. @throws Error Scene if there is no such key.
template <class T>
T valueOf(const Scene& scene, const std::string& key) {
    return Json::parse(scene.get(key)).get<T>();
}

}  // namespace wisp::app
