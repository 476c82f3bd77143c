// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace wisp {

std::string formatBytes(std::uint64_t bytes);  ///< such as "12.34 MiB"

}  // namespace wisp
