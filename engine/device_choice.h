// SPDX-License-Identifier: MIT
#pragma once

#include "engine/device_features.h"
#include "engine/device_report.h"

#include <vector>

namespace wisp::engine {

/// A physical device and its properties. Usable if report.refusals is empty.
struct Candidate {
    VkPhysicalDevice physical = VK_NULL_HANDLE;
    std::uint32_t queueFamily = 0;
    std::uint32_t timestampBits = 0;
    DeviceFeatures features;  ///< the ones that the device supports
    DeviceReport report;
};

/// Queries one device.
Candidate inspectDevice(const InstanceFunctions& vk, VkPhysicalDevice physical, std::uint32_t index, const DeviceOptions& options);
/// Queries every device, in the loader's order.
std::vector<Candidate> inspectDevices(const InstanceFunctions& vk, VkInstance instance, const DeviceOptions& options);

/// The best usable device that matches options.select. @throws Error NoDevice that lists every device and why it was rejected.
Candidate chooseDevice(const InstanceFunctions& vk, VkInstance instance, const DeviceOptions& options);

/// Makes a queue of this family the one of the device. @throws Error NoDevice if it cannot run compute commands or has no timestamps.
void useQueue(const InstanceFunctions& vk, Candidate& candidate, std::uint32_t family);

/// Every device that the loader finds, usable or not. @throws Error NoDevice if there is no Vulkan loader.
std::vector<DeviceReport> listDevices();

bool hasDeviceExtension(const InstanceFunctions& vk, VkPhysicalDevice physical, const char* name);

}  // namespace wisp::engine
