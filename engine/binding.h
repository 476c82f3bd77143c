// SPDX-License-Identifier: MIT
#pragma once

#include "engine/resources.h"
#include "engine/shader.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace wisp::engine {

/// A resource and the bytes of it that a pass accesses. They only affect the traffic estimate: barriers cover the whole resource.
template <class Resource>
struct Counted {
    const Resource& resource;
    std::uint64_t read;     ///< [bytes], if the pass reads the resource
    std::uint64_t written;  ///< [bytes], if the pass writes the resource
};

/// How much of a resource a pass accesses. A resource that is bound without one counts as a whole.
struct Traffic {
    static Counted<Image> texels(const Image& image, std::uint64_t count) {
        return {image, count * image.texelBytes(), count * image.texelBytes()};
    }
    static Counted<Buffer> bytes(const Buffer& buffer, std::uint64_t count) { return {buffer, count, count}; }
    static Counted<Buffer> bytes(const Buffer& buffer, std::uint64_t read, std::uint64_t written) { return {buffer, read, written}; }
    template <class Resource>
    static Counted<Resource> all(const Resource& resource) {
        return {resource, ~std::uint64_t{0}, ~std::uint64_t{0}};
    }
    /// So few bytes that they do not count, for example of a field that is read only near solids.
    template <class Resource>
    static Counted<Resource> none(const Resource& resource) {
        return {resource, 0, 0};
    }
};

/// A resource under the name that the shader gives it: {"velocityIn", image}.
struct Binding {
    std::string_view name;
    const Image* image = nullptr;
    const Buffer* buffer = nullptr;
    std::uint64_t read = ~std::uint64_t{0}, written = ~std::uint64_t{0};  ///< upper bounds [bytes]; default: the whole resource
    Binding(std::string_view n, const Image& i) : name(n), image(&i) {}
    Binding(std::string_view n, const Buffer& b) : name(n), buffer(&b) {}
    Binding(std::string_view n, const Counted<Image>& c) : name(n), image(&c.resource), read(c.read), written(c.written) {}
    Binding(std::string_view n, const Counted<Buffer>& c) : name(n), buffer(&c.resource), read(c.read), written(c.written) {}
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
void pushDescriptors(const Device& device, VkCommandBuffer commands, const Pipeline& pipeline, std::span<const Match> matches);

}  // namespace wisp::engine
