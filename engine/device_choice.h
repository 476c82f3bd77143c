// SPDX-License-Identifier: MIT
#pragma once

#include "engine/device_report.h"

#include <vector>

namespace wisp::engine {

/// A physical device with what was found out about it; usable if report.refusals is empty.
struct Candidate {
    VkPhysicalDevice physical = VK_NULL_HANDLE;
    std::uint32_t queueFamily = 0;
    std::uint32_t timestampBits = 0;
    DeviceReport report;
};

/// Looks at every device, in the loader's order.
std::vector<Candidate> inspectDevices(VkInstance instance, const DeviceOptions& options);

/// The best usable one that fits options.select. @throws Error NoDevice that lists every device and its refusals.
Candidate chooseDevice(VkInstance instance, const DeviceOptions& options);

/// Every device that the loader shows, usable or not. @throws Error NoDevice if there is no Vulkan loader.
std::vector<DeviceReport> listDevices();

bool hasDeviceExtension(VkPhysicalDevice physical, const char* name);

}  // namespace wisp::engine
