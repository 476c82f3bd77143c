// SPDX-License-Identifier: MIT
#include "app/base/key_values.h"

#include <algorithm>

namespace wisp::app {

std::optional<KeyValues> parseKeyValues(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) return std::nullopt;
    KeyValues parsed{text.substr(0, equals), {""}};
    int depth = 0;
    char quote = 0;  // 0: outside of quotes
    for (const char c : text.substr(equals + 1)) {
        if (quote != 0) quote = c == quote ? '\0' : quote;
        else if (c == '"' || c == '\'') quote = c;
        else depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
        if (c == ',' && depth == 0 && quote == 0) parsed.values.emplace_back();
        else parsed.values.back() += c;
    }
    if (std::ranges::any_of(parsed.values, &std::string::empty)) return std::nullopt;
    return parsed;
}

}  // namespace wisp::app
