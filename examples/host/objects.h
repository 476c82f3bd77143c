// SPDX-License-Identifier: MIT
// Objects of Vulkan that destroy themselves, and the calls that make them.
#pragma once

#include <vulkan/vulkan.h>

#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

/// @throws std::runtime_error naming the call and its result.
void check(VkResult result, const char* call);

/// A handle that is destroyed with its owner.
template <class Handle>
class Owned {
public:
    Owned() = default;
    Owned(Handle handle, std::function<void(Handle)> destroy) : handle_(handle), destroy_(std::move(destroy)) {}
    Owned(Owned&& other) noexcept { *this = std::move(other); }
    Owned& operator=(Owned&& other) noexcept {
        std::swap(handle_, other.handle_);
        std::swap(destroy_, other.destroy_);
        return *this;
    }
    ~Owned() {
        if (handle_) destroy_(handle_);
    }
    operator Handle() const { return handle_; }
    const Handle* address() const { return &handle_; }

private:
    Handle handle_ = VK_NULL_HANDLE;
    std::function<void(Handle)> destroy_;
};

class Gpu;

struct Image {
    Owned<VkDeviceMemory> memory;
    Owned<VkImage> image;
    Owned<VkImageView> view;
};

struct Buffer {
    Owned<VkDeviceMemory> memory;
    Owned<VkBuffer> buffer;
    void* mapped = nullptr;  ///< all buffers are in host memory
};

Image makeImage(const Gpu& gpu, VkExtent2D size, VkFormat format, VkImageUsageFlags usage, VkSampleCountFlagBits samples);
Buffer makeBuffer(const Gpu& gpu, VkDeviceSize bytes, VkBufferUsageFlags usage);
Owned<VkImageView> makeView(const Gpu& gpu, VkImage image, VkFormat format);
Owned<VkSampler> makeSampler(const Gpu& gpu);
Owned<VkSemaphore> makeSemaphore(const Gpu& gpu, VkSemaphoreType type);

/// A pipeline for dynamic rendering with these shaders.
struct PipelineInfo {
    VkPipelineLayout layout = VK_NULL_HANDLE;
    std::span<const std::uint32_t> vertex, fragment;
    VkFormat colour = VK_FORMAT_UNDEFINED, depth = VK_FORMAT_UNDEFINED;
    VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
    bool hasVertices = false;  ///< those of world.h, tested against the depth; otherwise a triangle that covers the picture
};
Owned<VkPipeline> makePipeline(const Gpu& gpu, const PipelineInfo& info);

/// An image in one layout, and what uses it there.
struct Use {
    VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED;
    VkPipelineStageFlags2 stages = VK_PIPELINE_STAGE_2_NONE;
    VkAccessFlags2 accesses = VK_ACCESS_2_NONE;
};
void transition(VkCommandBuffer commands, VkImage image, const Use& from, const Use& to,
                VkImageAspectFlags aspect = VK_IMAGE_ASPECT_COLOR_BIT);
