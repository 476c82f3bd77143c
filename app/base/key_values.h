// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace wisp::app {

/// A scene key and some of its values, in the syntax of `--set`.
struct KeyValues {
    std::string key;
    std::vector<std::string> values;
};

/// Parses "KEY=VALUE,VALUE,...". Commas within brackets, braces and quotes belong to a value. Returns std::nullopt if the key or a value is
/// missing.
std::optional<KeyValues> parseKeyValues(const std::string& text);

}  // namespace wisp::app
