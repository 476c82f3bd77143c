// SPDX-License-Identifier: MIT
#pragma once

#include "engine/device_report.h"

#include <vector>

namespace wisp::engine {

/// A physical device and its properties. Usable if report.refusals is empty.
struct Candidate {
    VkPhysicalDevice physical = VK_NULL_HANDLE;
    std::uint32_t queueFamily = 0;
    std::uint32_t timestampBits = 0;
    DeviceReport report;
};

/// Queries every device, in the loader's order.
std::vector<Candidate> inspectDevices(VkInstance instance, const DeviceOptions& options);

/// The best usable device that matches options.select. @throws Error NoDevice that lists every device and why it was rejected.
Candidate chooseDevice(VkInstance instance, const DeviceOptions& options);

/// Every device that the loader finds, usable or not. @throws Error NoDevice if there is no Vulkan loader.
std::vector<DeviceReport> listDevices();

bool hasDeviceExtension(VkPhysicalDevice physical, const char* name);

}  // namespace wisp::engine
