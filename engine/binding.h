// SPDX-License-Identifier: MIT
#pragma once

#include "engine/recorder.h"

#include <vector>

namespace wisp::engine {

/// A shader's binding and the resource that it gets.
struct Match {
    const ShaderBinding* declared = nullptr;
    const Binding* given = nullptr;
};

/// Finds the resource for every name that the shader declares: first in `given`, where every name must be used exactly
/// once, then in `common`, where names may be left over.
/// @throws Error Shader that names the pass and the binding.
std::vector<Match> matchBindings(const Pipeline& pipeline, std::span<const Binding> given, std::span<const Binding> common);

/// What a dispatch must move at least: every resource that the shader uses once if it reads it, and once if it writes it.
std::uint64_t leastBytes(std::span<const Match> matches);

/// `range`: what a binding of a storage buffer may hold; larger ones go by their address.
void pushDescriptors(VkDeviceSize range, VkCommandBuffer commands, const Pipeline& pipeline, std::span<const Match> matches);

}  // namespace wisp::engine
