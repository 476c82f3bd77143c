// SPDX-License-Identifier: MIT
#include "engine/device_features.h"

#include <functional>

namespace wisp::engine {
namespace {

using Visit = std::function<void(VkBool32 DeviceFeatures::*, VkBool32&)>;

template <class Struct>
Struct& as(VkBaseOutStructure& any) {
    return reinterpret_cast<Struct&>(any);
}

/// Calls `visit` with every feature in one struct of a chain and the value there.
void visitStruct(VkBaseOutStructure& any, const Visit& visit) {
    using F = DeviceFeatures;
    switch (any.sType) {
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2: {
            VkPhysicalDeviceFeatures& core = as<VkPhysicalDeviceFeatures2>(any).features;
            visit(&F::shaderStorageImageWriteWithoutFormat, core.shaderStorageImageWriteWithoutFormat);
            visit(&F::pipelineStatisticsQuery, core.pipelineStatisticsQuery);
            break;
        }
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES: {
            auto& v12 = as<VkPhysicalDeviceVulkan12Features>(any);
            visit(&F::timelineSemaphore, v12.timelineSemaphore);
            visit(&F::scalarBlockLayout, v12.scalarBlockLayout);
            visit(&F::hostQueryReset, v12.hostQueryReset);
            visit(&F::bufferDeviceAddress, v12.bufferDeviceAddress);
            visit(&F::samplerFilterMinmax, v12.samplerFilterMinmax);
            break;
        }
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES: {
            auto& v13 = as<VkPhysicalDeviceVulkan13Features>(any);
            visit(&F::synchronization2, v13.synchronization2);
            visit(&F::maintenance4, v13.maintenance4);
            break;
        }
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES:
            visit(&F::synchronization2, as<VkPhysicalDeviceSynchronization2Features>(any).synchronization2);
            break;
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES:
            visit(&F::maintenance4, as<VkPhysicalDeviceMaintenance4Features>(any).maintenance4);
            break;
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES:
            visit(&F::timelineSemaphore, as<VkPhysicalDeviceTimelineSemaphoreFeatures>(any).timelineSemaphore);
            break;
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SCALAR_BLOCK_LAYOUT_FEATURES:
            visit(&F::scalarBlockLayout, as<VkPhysicalDeviceScalarBlockLayoutFeatures>(any).scalarBlockLayout);
            break;
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES:
            visit(&F::hostQueryReset, as<VkPhysicalDeviceHostQueryResetFeatures>(any).hostQueryReset);
            break;
        case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES:
            visit(&F::bufferDeviceAddress, as<VkPhysicalDeviceBufferDeviceAddressFeatures>(any).bufferDeviceAddress);
            break;
        default: break;
    }
}

void visitChain(VkPhysicalDeviceFeatures2& chain, const Visit& visit) {
    for (auto* any = reinterpret_cast<VkBaseOutStructure*>(&chain); any; any = any->pNext) visitStruct(*any, visit);
}

}  // namespace

DeviceFeatures featuresIn(const VkPhysicalDeviceFeatures2& chain) {
    DeviceFeatures found;
    // Only reads: the visitor is shared with setFeatures.
    visitChain(const_cast<VkPhysicalDeviceFeatures2&>(chain),
               [&](VkBool32 DeviceFeatures::*member, VkBool32& value) { found.*member |= value; });
    return found;
}

std::string setFeatures(VkPhysicalDeviceFeatures2& chain, const DeviceFeatures& features) {
    visitChain(chain, [&](VkBool32 DeviceFeatures::*member, VkBool32& value) { value |= features.*member; });
    const DeviceFeatures now = featuresIn(chain);
    std::string left;
    for (const auto& [name, member] : kRequiredFeatures)
        if (features.*member && !(now.*member)) left += (left.empty() ? "" : ", ") + std::string(name);
    return left;
}

}  // namespace wisp::engine
