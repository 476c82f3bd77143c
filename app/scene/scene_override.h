// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace wisp::app {

/// A scene key set from outside the file. `value` is TOML, or a bare word that stands for a string.
struct Override {
    std::string option;  ///< how messages call it: "--set emitter.0.radius=-1"
    std::string key;     ///< "emitter.0.radius" or "emitter[0].radius"
    std::string value;
};

/// Splits "key.path=value". @throws Failure Usage if there is no '='.
Override parseOverride(const std::string& text);

}  // namespace wisp::app
