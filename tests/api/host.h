// SPDX-License-Identifier: MIT
#pragma once

#include <wisp/device.h>

#include <vulkan/vulkan.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace wisp::test {

/// What a host leaves out when it creates its device.
struct HostOptions {
    bool features = true;  ///< those of Vulkan 1.2 and 1.3 that the library needs
    bool extensions = true;
};

/// A program with a Vulkan device of its own, with validation layers: an instance, a device, a queue and a timeline.
class Host {
public:
    explicit Host(const HostOptions& options = {});
    ~Host();
    Host(const Host&) = delete;
    Host& operator=(const Host&) = delete;

    /// For wisp::Device. Counts calls of lock, and fails if they are not in pairs.
    [[nodiscard]] DeviceRef ref();
    /// Records commands, and submits them with the next value of the timeline; `record` gets both.
    void submit(const std::function<void(VkCommandBuffer, std::uint64_t value)>& record);
    /// The same without submitting: the commands stay in `pending` until submitPending.
    void recordOnly(const std::function<void(VkCommandBuffer, std::uint64_t value)>& record);
    void submitPending();
    void wait();  ///< until everything submitted is done

    VkInstance instance = VK_NULL_HANDLE;
    VkPhysicalDevice physical = VK_NULL_HANDLE;
    VkDevice device = VK_NULL_HANDLE;
    VkQueue queue = VK_NULL_HANDLE;
    std::uint32_t family = 0;
    VkSemaphore timeline = VK_NULL_HANDLE;
    std::uint64_t value = 0;  ///< of the last submit
    int locks = 0;
    bool locked = false;
    std::vector<std::string> messages;  ///< of the validation layers

private:
    VkCommandBuffer newCommands();
    VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
    VkCommandPool pool_ = VK_NULL_HANDLE;
    std::vector<VkCommandBuffer> pending_;
    std::vector<std::string> extensions_;
    VkPhysicalDeviceVulkan13Features v13_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
    VkPhysicalDeviceVulkan12Features v12_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceFeatures2 features_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
};

/// An image of the host with a view, in memory of its own.
struct HostImage {
    HostImage(Host& host, std::uint32_t width, std::uint32_t height, VkFormat format, VkImageAspectFlags aspect, VkImageUsageFlags usage);
    ~HostImage();
    HostImage(const HostImage&) = delete;
    HostImage& operator=(const HostImage&) = delete;

    Host& host;
    VkImage image = VK_NULL_HANDLE;
    VkImageView view = VK_NULL_HANDLE;
    VkDeviceMemory memory = VK_NULL_HANDLE;
};

/// Memory of the host into which its commands copy a buffer.
struct HostBuffer {
    HostBuffer(Host& host, VkDeviceSize bytes);
    ~HostBuffer();
    HostBuffer(const HostBuffer&) = delete;
    HostBuffer& operator=(const HostBuffer&) = delete;

    void copy(VkCommandBuffer commands, VkBuffer from) const;
    template <class T>
    [[nodiscard]] std::vector<T> read() const {
        const T* const first = static_cast<const T*>(mapped);
        return {first, first + bytes / sizeof(T)};
    }

    Host& host;
    VkDeviceSize bytes;
    VkBuffer buffer = VK_NULL_HANDLE;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    void* mapped = nullptr;
};

}  // namespace wisp::test
