// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

namespace wisp {

/// The value of a fraction of whole numbers such as "24000/1001", as frame rates are given. None for any other text.
std::optional<double> fractionOf(std::string_view text);

}  // namespace wisp
