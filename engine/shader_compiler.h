// SPDX-License-Identifier: MIT
#pragma once

#include "engine/error.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace wisp::engine {

/// Compiles a .comp at run time as the build does; includes are looked up in `folder`, beside what includes them, and in the folder
/// `include` beside `folder`, where programs find what is theirs, too.
/// @throws Error Shader with the compiler's message.
std::vector<std::uint32_t> compileShader(const std::filesystem::path& file, const std::filesystem::path& folder);

}  // namespace wisp::engine
