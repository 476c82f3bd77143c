// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace wisp::engine {

/// Replaces the specialization constants of a shader by these values, given by constant_id, or by their defaults. Folds what is constant
/// then, and removes functions and branches that are unreachable. Bindings, names and results stay the same. `name` is the shader's, for
/// messages.
/// @throws Error Shader if the shader is truncated, or if SPIRV-Tools rejects it.
std::vector<std::uint32_t> specializedShader(std::span<const std::uint32_t> spirv, const std::map<std::uint32_t, std::uint32_t>& constants,
                                             const std::string& name);

/// As specializedShader, and then as a compiler would optimize it: calls are inlined, short loops with a known trip count are unrolled, and
/// arithmetic is simplified. @throws as specializedShader.
std::vector<std::uint32_t> optimizedShader(std::span<const std::uint32_t> spirv, const std::map<std::uint32_t, std::uint32_t>& constants,
                                           const std::string& name);

}  // namespace wisp::engine
