// SPDX-License-Identifier: MIT
#pragma once

#include "objects.h"

#include <wisp/device.h>

#include <functional>
#include <mutex>
#include <string>
#include <vector>

/// What the validation layer reports. It outlives the Gpu, because the layer also reports objects that are left at the end.
class Messages {
public:
    void add(const char* message);
    /// @throws std::runtime_error with the first message, if there are any.
    void throwIfAny() const;

private:
    mutable std::mutex mutex_;
    std::vector<std::string> all_;
};

struct GpuOptions {
    Messages* messages = nullptr;                 ///< null: no validation layer
    std::vector<const char*> instanceExtensions;  ///< that a window needs
    /// Whether a queue family can present to the window; empty without a window.
    std::function<bool(VkInstance, VkPhysicalDevice, std::uint32_t)> presents;
};

/// Instance, device and queue of this program, with what wisp needs.
class Gpu {
public:
    /// @throws std::runtime_error naming why each device cannot be used.
    explicit Gpu(const GpuOptions& options);

    [[nodiscard]] VkInstance instance() const { return instance_; }
    [[nodiscard]] VkPhysicalDevice physical() const { return physical_; }
    [[nodiscard]] VkDevice device() const { return device_; }
    [[nodiscard]] VkQueue queue() const { return queue_; }
    [[nodiscard]] std::uint32_t family() const { return family_; }
    [[nodiscard]] std::string name() const;

    /// Lends the device to wisp, which must be gone before the Gpu.
    [[nodiscard]] wisp::Device lend();
    /// To hold for every use of the queue: wisp uses it, too.
    [[nodiscard]] std::mutex& queueMutex() { return queueMutex_; }
    void waitIdle();
    void pushDescriptors(VkCommandBuffer commands, VkPipelineLayout layout, std::span<const VkWriteDescriptorSet> writes) const;

private:
    void createInstance(const GpuOptions& options);
    void choose(const GpuOptions& options);
    void createDevice(bool window);

    Owned<VkInstance> instance_;
    Owned<VkDebugUtilsMessengerEXT> messenger_;
    VkPhysicalDevice physical_ = VK_NULL_HANDLE;
    std::uint32_t family_ = 0;
    std::vector<std::string> extensions_;
    VkPhysicalDeviceVulkan13Features features13_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
    VkPhysicalDeviceVulkan12Features features12_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceFeatures2 features_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    Owned<VkDevice> device_;
    VkQueue queue_ = VK_NULL_HANDLE;
    std::mutex queueMutex_;
    PFN_vkCmdPushDescriptorSetKHR pushDescriptorSet_ = nullptr;
};
