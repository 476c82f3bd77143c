// SPDX-License-Identifier: MIT
#pragma once

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES  // every call goes through the functions of its device
#endif
#include <vulkan/vulkan_core.h>

namespace wisp::engine {

// Commands without the prefix "vk". Those of extensions that are not enabled are null.
#define WISP_INSTANCE_FUNCTIONS(X)             \
    X(CreateDebugUtilsMessengerEXT)            \
    X(CreateDevice)                            \
    X(DestroyDebugUtilsMessengerEXT)           \
    X(DestroyInstance)                         \
    X(DestroySurfaceKHR)                       \
    X(EnumerateDeviceExtensionProperties)      \
    X(EnumeratePhysicalDevices)                \
    X(GetDeviceProcAddr)                       \
    X(GetPhysicalDeviceFeatures2)              \
    X(GetPhysicalDeviceFormatProperties)       \
    X(GetPhysicalDeviceImageFormatProperties)  \
    X(GetPhysicalDeviceMemoryProperties)       \
    X(GetPhysicalDeviceMemoryProperties2)      \
    X(GetPhysicalDeviceProperties)             \
    X(GetPhysicalDeviceProperties2)            \
    X(GetPhysicalDeviceQueueFamilyProperties)  \
    X(GetPhysicalDeviceSurfaceCapabilitiesKHR) \
    X(GetPhysicalDeviceSurfaceFormatsKHR)      \
    X(GetPhysicalDeviceSurfacePresentModesKHR) \
    X(GetPhysicalDeviceSurfaceSupportKHR)

#define WISP_DEVICE_FUNCTIONS(X)          \
    X(AcquireNextImageKHR)                \
    X(AllocateCommandBuffers)             \
    X(AllocateMemory)                     \
    X(BeginCommandBuffer)                 \
    X(BindBufferMemory)                   \
    X(BindImageMemory)                    \
    X(CmdBeginQuery)                      \
    X(CmdBindPipeline)                    \
    X(CmdClearColorImage)                 \
    X(CmdCopyBuffer)                      \
    X(CmdCopyBufferToImage)               \
    X(CmdCopyImage)                       \
    X(CmdCopyImageToBuffer)               \
    X(CmdDispatch)                        \
    X(CmdDispatchIndirect)                \
    X(CmdEndQuery)                        \
    X(CmdFillBuffer)                      \
    X(CmdPipelineBarrier2)                \
    X(CmdPushConstants)                   \
    X(CmdPushDescriptorSetKHR)            \
    X(CmdUpdateBuffer)                    \
    X(CmdWriteTimestamp2)                 \
    X(CreateBuffer)                       \
    X(CreateCommandPool)                  \
    X(CreateComputePipelines)             \
    X(CreateDescriptorSetLayout)          \
    X(CreateImage)                        \
    X(CreateImageView)                    \
    X(CreatePipelineCache)                \
    X(CreatePipelineLayout)               \
    X(CreateQueryPool)                    \
    X(CreateSampler)                      \
    X(CreateSemaphore)                    \
    X(CreateShaderModule)                 \
    X(CreateSwapchainKHR)                 \
    X(DestroyBuffer)                      \
    X(DestroyCommandPool)                 \
    X(DestroyDescriptorSetLayout)         \
    X(DestroyDevice)                      \
    X(DestroyImage)                       \
    X(DestroyImageView)                   \
    X(DestroyPipeline)                    \
    X(DestroyPipelineCache)               \
    X(DestroyPipelineLayout)              \
    X(DestroyQueryPool)                   \
    X(DestroySampler)                     \
    X(DestroySemaphore)                   \
    X(DestroyShaderModule)                \
    X(DestroySwapchainKHR)                \
    X(DeviceWaitIdle)                     \
    X(EndCommandBuffer)                   \
    X(FreeMemory)                         \
    X(GetBufferDeviceAddress)             \
    X(GetDeviceBufferMemoryRequirements)  \
    X(GetDeviceImageMemoryRequirements)   \
    X(GetDeviceQueue)                     \
    X(GetMemoryFdKHR)                     \
    X(GetPipelineCacheData)               \
    X(GetPipelineExecutablePropertiesKHR) \
    X(GetPipelineExecutableStatisticsKHR) \
    X(GetQueryPoolResults)                \
    X(GetSemaphoreCounterValue)           \
    X(GetSwapchainImagesKHR)              \
    X(MapMemory)                          \
    X(QueuePresentKHR)                    \
    X(QueueSubmit2)                       \
    X(QueueWaitIdle)                      \
    X(ResetCommandPool)                   \
    X(ResetQueryPool)                     \
    X(WaitSemaphores)

// Of VK_EXT_debug_utils. The loader gives them with an instance, and null if it did not enable the extension.
#define WISP_DEBUG_FUNCTIONS(X)   \
    X(CmdBeginDebugUtilsLabelEXT) \
    X(CmdEndDebugUtilsLabelEXT)   \
    X(SetDebugUtilsObjectNameEXT)

#define WISP_DECLARE(name) PFN_vk##name name = nullptr;

/// The Vulkan functions of an instance.
struct InstanceFunctions {
    PFN_vkGetInstanceProcAddr GetInstanceProcAddr = nullptr;
    WISP_INSTANCE_FUNCTIONS(WISP_DECLARE)
    WISP_DEBUG_FUNCTIONS(WISP_DECLARE)

    /// Looks every function up. `find`: of the Vulkan loader, or of a program that has its own.
    void load(VkInstance instance, PFN_vkGetInstanceProcAddr find);
};

/// The Vulkan functions of a device and its instance. Each device has its own: a process may have several, of several instances, and
/// found by several loaders if they belong to other programs.
struct Functions : InstanceFunctions {
    WISP_DEVICE_FUNCTIONS(WISP_DECLARE)

    void load(const InstanceFunctions& instance, VkDevice device);
};

#undef WISP_DECLARE

}  // namespace wisp::engine
