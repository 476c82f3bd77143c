// SPDX-License-Identifier: MIT
#pragma once

#include "engine/functions.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace wisp::engine {

/// A Vulkan 1.3 device of another program, the host, which outlives the Device that borrows it.
struct BorrowedDevice {
    PFN_vkGetInstanceProcAddr getInstanceProcAddr = nullptr;
    VkInstance instance = VK_NULL_HANDLE;
    VkPhysicalDevice physical = VK_NULL_HANDLE;
    VkDevice device = VK_NULL_HANDLE;
    VkQueue queue = VK_NULL_HANDLE;  ///< with compute, on which all commands of the borrower run
    std::uint32_t queueFamily = 0;
    std::function<void()> lock, unlock;                   ///< called around every use of the queue; empty: nobody else uses it meanwhile
    std::vector<std::string> extensions;                  ///< the enabled device extensions
    const VkPhysicalDeviceFeatures2* features = nullptr;  ///< the chain with which the device was created
    double patience = 60.0;                               ///< how long a wait for commands of the host may take [s]
};

}  // namespace wisp::engine
