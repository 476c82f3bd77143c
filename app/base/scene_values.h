// SPDX-License-Identifier: MIT
#pragma once

#include "files/base/json.h"
#include "wisp/scene.h"

#include <string>

namespace wisp::app {

/// The value of a key that is given, or has a default: a truth value, a number, a text, or a list of them. @throws Error Scene if there is
/// no such key.
Json jsonValueOf(const Scene& scene, const std::string& key);

/// The same as a `T`: bool, a number, std::string, std::array, or Json for any of them.
template <class T>
T valueOf(const Scene& scene, const std::string& key) {
    return jsonValueOf(scene, key).get<T>();
}

}  // namespace wisp::app
