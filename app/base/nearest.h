// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wisp::app {

/// "did you mean" for a misspelt word: the nearest candidate within a third of its length; empty: none.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace wisp::app
