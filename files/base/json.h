// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace wisp {

using Json = nlohmann::ordered_json;

/// Parses untrusted JSON. @throws Json::exception, or std::runtime_error if the nesting is too deep for recursive functions.
Json parseJson(const std::string& text);

/// Indented JSON. Arrays of plain values stay on one line. Ends with a newline.
std::string prettyJson(const Json& json);

}  // namespace wisp
