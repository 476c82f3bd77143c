// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wisp {

/// Suggestion for a misspelt word: the candidate with the smallest edit distance, which is at most a third of the length of `word` plus 1.
/// Returns an empty string if there is none.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace wisp
