// SPDX-License-Identifier: MIT
#include "engine/binding.h"

#include "engine/device.h"

#include <fmt/format.h>

#include <algorithm>

namespace wisp::engine {

namespace {

[[noreturn]] void fail(const Pipeline& pipeline, std::string_view binding, const std::string& message) {
    throw Error(ErrorKind::Shader, fmt::format("pass {}: binding {} {}", pipeline.name, binding, message));
}

const Binding* find(std::span<const Binding> list, std::string_view name) {
    const auto found = std::find_if(list.begin(), list.end(), [&](const Binding& b) { return b.name == name; });
    return found == list.end() ? nullptr : &*found;
}

bool isImage(const ShaderBinding& b) {
    return b.type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE || b.type == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE ||
           b.type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
}

void checkImage(const Pipeline& p, const ShaderBinding& b, const Image& image) {
    if (!image) fail(p, b.name, "was given an image that was never created");
    if (image.desc().flat != b.flat)
        fail(p, b.name, fmt::format("is a {} image in the shader, but {} is not", b.flat ? "2D" : "3D", image.desc().name));
    if (b.format != VK_FORMAT_UNDEFINED && b.format != image.desc().format) {
        fail(p, b.name,
             fmt::format("has VkFormat {} in the shader, but image {} has VkFormat {}", static_cast<int>(b.format), image.desc().name,
                         static_cast<int>(image.desc().format)));
    }
}

void checkBuffer(const Pipeline& p, const ShaderBinding& b, const Buffer& buffer) {
    if (!buffer) fail(p, b.name, "was given a buffer that was never created");
    if (b.pushOffset >= 0 && buffer.address() == 0)
        fail(p, b.name,
             fmt::format("is a buffer address in the shader, but buffer {} has none: set BufferDesc::byAddress", buffer.desc().name));
    if (buffer.bytes() < b.bytes) {
        fail(p, b.name,
             fmt::format("is a uniform block of {} bytes, but buffer {} has only {}", b.bytes, buffer.desc().name, buffer.bytes()));
    }
}

void checkKind(const Pipeline& p, const ShaderBinding& b, const Binding& given) {
    if (isImage(b) != (given.image != nullptr))
        fail(p, b.name, isImage(b) ? "is an image, but was given a buffer" : "is a buffer, but was given an image");
    if (given.image) {
        checkImage(p, b, *given.image);
    } else {
        checkBuffer(p, b, *given.buffer);
    }
}

}  // namespace

std::vector<Match> matchBindings(const Pipeline& pipeline, std::span<const Binding> given, std::span<const Binding> common) {
    const auto& declared = pipeline.interface.bindings;
    for (const Binding& g : given) {
        const auto isThis = [&](const auto& other) { return other.name == g.name; };
        if (std::none_of(declared.begin(), declared.end(), isThis))
            fail(pipeline, g.name, "was given, but the shader declares no such name");
        if (std::count_if(given.begin(), given.end(), isThis) > 1) fail(pipeline, g.name, "was given twice");
    }
    std::vector<Match> matches;
    matches.reserve(declared.size());
    for (const ShaderBinding& b : declared) {
        const Binding* resource = find(given, b.name);
        if (!resource) resource = find(common, b.name);
        if (!resource && b.active) fail(pipeline, b.name, "is missing");
        if (!resource) continue;
        checkKind(pipeline, b, *resource);
        matches.push_back({&b, resource});
    }
    return matches;
}

std::uint64_t leastBytes(std::span<const Match> matches) {
    const auto bytesOf = [](const Match& m, std::uint64_t Binding::*counted) {
        if (!m.declared->active) return std::uint64_t{0};
        const std::uint64_t whole = m.given->image           ? m.given->image->bytes()
                                    : m.declared->bytes != 0 ? m.declared->bytes
                                                             : m.given->buffer->bytes();
        return std::min(whole, m.given->*counted);
    };
    const auto same = [](const Match& a, const Match& b) { return a.given->image == b.given->image && a.given->buffer == b.given->buffer; };
    // A resource bound under several names counts once, with the largest byte count among its names.
    const auto most = [&](const Match& m, bool ShaderBinding::*does, std::uint64_t Binding::*counted) {
        std::uint64_t bytes = m.declared->*does ? bytesOf(m, counted) : 0;
        for (const Match& other : matches) {
            if (!same(m, other) || !(other.declared->*does)) continue;
            if (&other < &m) return std::uint64_t{0};
            bytes = std::max(bytes, bytesOf(other, counted));
        }
        return m.declared->*does ? bytes : 0;
    };
    std::uint64_t sum = 0;
    for (const Match& m : matches)
        sum += most(m, &ShaderBinding::reads, &Binding::read) + most(m, &ShaderBinding::writes, &Binding::written);
    return sum;
}

void pushDescriptors(const Device& device, VkCommandBuffer commands, const Pipeline& pipeline, std::span<const Match> matches) {
    if (matches.empty()) return;
    const VkDeviceSize range = device.report().limits.maxStorageBufferRange;
    std::vector<VkDescriptorImageInfo> images(matches.size());
    std::vector<VkDescriptorBufferInfo> buffers(matches.size());
    std::vector<VkWriteDescriptorSet> writes;
    writes.reserve(matches.size());
    for (std::size_t i = 0; i < matches.size(); ++i) {
        const auto& [declared, given] = matches[i];
        if (declared->pushOffset >= 0) continue;
        VkWriteDescriptorSet& write = writes.emplace_back(VkWriteDescriptorSet{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET});
        write.dstBinding = declared->binding;
        write.descriptorCount = 1;
        write.descriptorType = declared->type;
        if (given->image) {
            images[i] = {VK_NULL_HANDLE, given->image->view(), given->image->layout()};  // immutable samplers are in the set layout
            write.pImageInfo = &images[i];
        } else {
            // A uniform block is bound with its own size: the whole buffer may exceed maxUniformBufferRange.
            buffers[i] = {given->buffer->handle(), 0, declared->bytes != 0 ? declared->bytes : std::min(given->buffer->bytes(), range)};
            write.pBufferInfo = &buffers[i];
        }
    }
    if (writes.empty()) return;
    device.vk.CmdPushDescriptorSetKHR(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.layout, 0,
                                      static_cast<std::uint32_t>(writes.size()), writes.data());
}

}  // namespace wisp::engine
