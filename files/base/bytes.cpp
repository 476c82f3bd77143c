// SPDX-License-Identifier: MIT
#include "files/base/bytes.h"

#include <fmt/format.h>

namespace wisp {

std::string formatBytes(std::uint64_t bytes) {
    const auto value = static_cast<double>(bytes);
    return bytes < 1ull << 30 ? fmt::format("{:.2f} MiB", value / (1 << 20)) : fmt::format("{:.2f} GiB", value / (1 << 30));
}

}  // namespace wisp
