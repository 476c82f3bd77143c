// SPDX-License-Identifier: MIT
#pragma once

#include "engine/resources.h"
#include "engine/shader.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace wisp::engine {

/// A resource of which a pass accesses only some bytes. The byte counts only affect the traffic estimate: barriers cover all of it.
template <class Resource>
struct Part {
    const Resource& whole;
    std::uint64_t bytes;    ///< bytes read, if the pass reads the resource
    std::uint64_t written;  ///< bytes written, if the pass writes the resource
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
/// The pass accesses so few bytes that they are not counted, for example a field that is read only near solids.
template <class Resource>
Part<Resource> few(const Resource& resource) {
    return {resource, 0, 0};
}

/// A resource under the name that the shader gives it: {"velocityIn", image}.
struct Binding {
    std::string_view name;
    const Image* image = nullptr;
    const Buffer* buffer = nullptr;
    std::uint64_t read = ~std::uint64_t{0}, written = ~std::uint64_t{0};  ///< upper bounds [bytes]; default: the whole resource
    Binding(std::string_view n, const Image& i) : name(n), image(&i) {}
    Binding(std::string_view n, const Buffer& b) : name(n), buffer(&b) {}
    Binding(std::string_view n, const Part<Image>& p) : name(n), image(&p.whole), read(p.bytes), written(p.written) {}
    Binding(std::string_view n, const Part<Buffer>& p) : name(n), buffer(&p.whole), read(p.bytes), written(p.written) {}
};

/// A binding that the shader declares, and the resource bound to it.
struct Match {
    const ShaderBinding* declared = nullptr;
    const Binding* given = nullptr;
};

/// Finds the resource for every name that the shader declares: first in `given`, then in `common`. The shader must use every name of
/// `given` exactly once. Names of `common` may be unused.
/// @throws Error Shader that names the pass and the binding.
std::vector<Match> matchBindings(const Pipeline& pipeline, std::span<const Binding> given, std::span<const Binding> common);

/// Minimum memory traffic of a dispatch [bytes]. Every resource that the shader uses counts once if it is read and once if it is written.
std::uint64_t leastBytes(std::span<const Match> matches);

/// `range`: maxStorageBufferRange of the device [bytes]. Shaders access larger buffers by device address.
void pushDescriptors(VkDeviceSize range, VkCommandBuffer commands, const Pipeline& pipeline, std::span<const Match> matches);

}  // namespace wisp::engine
