// SPDX-License-Identifier: MIT
// The handles of Vulkan that the interface uses, without Vulkan's own headers, with which these declarations agree in either order. On
// 64-bit platforms only.
#ifndef WISP_VULKAN_H
#define WISP_VULKAN_H

struct VkPhysicalDeviceFeatures2;
typedef struct VkInstance_T* VkInstance;
typedef struct VkPhysicalDevice_T* VkPhysicalDevice;
typedef struct VkDevice_T* VkDevice;
typedef struct VkQueue_T* VkQueue;
typedef struct VkCommandBuffer_T* VkCommandBuffer;
typedef struct VkSemaphore_T* VkSemaphore;
typedef struct VkImage_T* VkImage;
typedef struct VkImageView_T* VkImageView;
typedef struct VkBuffer_T* VkBuffer;

namespace wisp {

/// PFN_vkGetInstanceProcAddr.
using GetInstanceProcAddr = void (*(*)(VkInstance, const char*))();

}  // namespace wisp

#endif
