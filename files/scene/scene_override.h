// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace wisp {

/// Name of an override that has none in messages.
inline constexpr const char* kUnnamedOption = "--";

/// A scene key that is set outside the file. `value` is a TOML value, or a word without quotes for a string.
struct Override {
    std::string option;  ///< name in messages, such as "--set emitter.0.radius=-1"; kUnnamedOption: none
    std::string key;     ///< such as "emitter.0.radius" or "emitter[0].radius"
    std::string value;
    bool append = false;  ///< adds the value, a table, to the list `key`
};

}  // namespace wisp
