// SPDX-License-Identifier: MIT
#include "files/base/fraction.h"

#include <charconv>
#include <cstdint>

namespace wisp {

std::optional<double> fractionOf(std::string_view text) {
    const char* const end = text.data() + text.size();
    std::uint32_t above = 0, below = 0;
    const auto first = std::from_chars(text.data(), end, above);
    if (first.ec != std::errc() || first.ptr == end || *first.ptr != '/') return std::nullopt;
    const auto second = std::from_chars(first.ptr + 1, end, below);
    if (second.ec != std::errc() || second.ptr != end || below == 0) return std::nullopt;
    return static_cast<double>(above) / below;
}

}  // namespace wisp
