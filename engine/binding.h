// SPDX-License-Identifier: MIT
#pragma once

#include "engine/resources.h"
#include "engine/shader.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace wisp::engine {

/// A resource of which a pass touches some bytes only, as the accounting has it; barriers are for the whole.
template <class Resource>
struct Part {
    const Resource& whole;
    std::uint64_t bytes;    ///< read, if it reads
    std::uint64_t written;  ///< likewise
};
inline Part<Image> part(const Image& image, std::uint64_t texels) {
    return {image, texels * image.texelBytes(), texels * image.texelBytes()};
}
inline Part<Buffer> part(const Buffer& buffer, std::uint64_t bytes) { return {buffer, bytes, bytes}; }
inline Part<Buffer> part(const Buffer& buffer, std::uint64_t read, std::uint64_t written) { return {buffer, read, written}; }
template <class Resource>
Part<Resource> whole(const Resource& resource) {
    return {resource, ~std::uint64_t{0}, ~std::uint64_t{0}};
}
/// So little of it that it counts nothing: what is looked at near solids, say.
template <class Resource>
Part<Resource> few(const Resource& resource) {
    return {resource, 0, 0};
}

/// A resource under the name that the shader gives it: {"velocityIn", image}.
struct Binding {
    std::string_view name;
    const Image* image = nullptr;
    const Buffer* buffer = nullptr;
    std::uint64_t read = ~std::uint64_t{0}, written = ~std::uint64_t{0};  ///< bytes that the pass does at most; all of them as a rule
    Binding(std::string_view n, const Image& i) : name(n), image(&i) {}
    Binding(std::string_view n, const Buffer& b) : name(n), buffer(&b) {}
    Binding(std::string_view n, const Part<Image>& p) : name(n), image(&p.whole), read(p.bytes), written(p.written) {}
    Binding(std::string_view n, const Part<Buffer>& p) : name(n), buffer(&p.whole), read(p.bytes), written(p.written) {}
};

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
