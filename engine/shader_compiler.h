// SPDX-License-Identifier: MIT
#pragma once

#include "engine/error.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace wisp::engine {

/// Compiles a .comp file at run time with the options of the build. Searches includes in `folder`, then in the folder of the including
/// file, then in the folder `include` next to `folder`, which contains the public headers.
/// @throws Error Shader with the compiler's message.
std::vector<std::uint32_t> compileShader(const std::filesystem::path& file, const std::filesystem::path& folder);

}  // namespace wisp::engine
