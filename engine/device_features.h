// SPDX-License-Identifier: MIT
#pragma once

#include "engine/functions.h"

#include <array>
#include <string>

namespace wisp::engine {

/// Features of a device that wisp uses.
struct DeviceFeatures {
    VkBool32 synchronization2 = VK_FALSE;
    VkBool32 maintenance4 = VK_FALSE;
    VkBool32 timelineSemaphore = VK_FALSE;
    VkBool32 scalarBlockLayout = VK_FALSE;
    VkBool32 hostQueryReset = VK_FALSE;
    VkBool32 bufferDeviceAddress = VK_FALSE;
    VkBool32 shaderStorageImageWriteWithoutFormat = VK_FALSE;
    // Optional:
    VkBool32 samplerFilterMinmax = VK_FALSE;
    VkBool32 pipelineStatisticsQuery = VK_FALSE;
};

struct NamedFeature {
    const char* name;
    VkBool32 DeviceFeatures::*value;
};

/// The features that every device must have.
inline constexpr std::array<NamedFeature, 7> kRequiredFeatures{{
    {"synchronization2", &DeviceFeatures::synchronization2},
    {"maintenance4", &DeviceFeatures::maintenance4},
    {"timelineSemaphore", &DeviceFeatures::timelineSemaphore},
    {"scalarBlockLayout", &DeviceFeatures::scalarBlockLayout},
    {"hostQueryReset", &DeviceFeatures::hostQueryReset},
    {"bufferDeviceAddress", &DeviceFeatures::bufferDeviceAddress},
    {"shaderStorageImageWriteWithoutFormat", &DeviceFeatures::shaderStorageImageWriteWithoutFormat},
}};

/// The features in a chain of Vulkan structs, in those of Vulkan 1.2 and 1.3 or in those of the extensions that became part of them.
DeviceFeatures featuresIn(const VkPhysicalDeviceFeatures2& chain);

/// Sets features in a chain, in the structs where they are; leaves all others as they are. Returns the names of the required features for
/// which the chain has no struct, separated by commas.
std::string setFeatures(VkPhysicalDeviceFeatures2& chain, const DeviceFeatures& features);

}  // namespace wisp::engine
