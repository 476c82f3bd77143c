// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace wisp::engine {

/// The shader with these values, by constant_id, of its specialization constants. It has none any more, nor the
/// functions and branches that these values make unreachable. Bindings, names and arithmetic stay the same.
/// @throws Error Shader if SPIRV-Tools rejects the shader.
std::vector<std::uint32_t> specializedShader(std::span<const std::uint32_t> spirv, const std::map<std::uint32_t, std::uint32_t>& constants,
                                             const std::string& name);

/// As a compiler would optimize it: in addition calls are inlined, short loops with a known trip count are unrolled, and arithmetic is
/// simplified. @throws Error Shader if SPIRV-Tools rejects the shader.
std::vector<std::uint32_t> optimizedShader(std::span<const std::uint32_t> spirv, const std::map<std::uint32_t, std::uint32_t>& constants,
                                           const std::string& name);

}  // namespace wisp::engine
