// SPDX-License-Identifier: MIT
#include "app/cli/commands.h"
#include "app/output/report.h"
#include "app/run/memory_plan.h"
#include "engine/device_choice.h"
#include "files/base/user_folders.h"

#include <fmt/format.h>

#include <algorithm>

namespace wisp::app {
namespace {

std::string versionText(std::uint32_t version) {
    return fmt::format("{}.{}.{}", version >> 22u & 0x7fu, version >> 12u & 0x3ffu, version & 0xfffu);  // bit layout of VK_MAKE_API_VERSION
}

Json toJson(const engine::DeviceReport& device) {
    Json features = Json::object();
    for (const auto& [name, has] : device.features) features[name] = has;
    return {{"index", device.index},
            {"name", device.name},
            {"driver", device.driver},
            {"type", device.type},
            {"vulkan", versionText(device.apiVersion)},
            {"memory_bytes", device.memory},
            {"max_image_3d", device.limits.maxImageDimension3D},
            {"max_storage_buffer_bytes", device.limits.maxStorageBufferRange},
            {"max_workgroup_invocations", device.limits.maxComputeWorkGroupInvocations},
            {"max_shared_memory_bytes", device.limits.maxComputeSharedMemorySize},
            {"timestamp_ns", device.limits.timestampPeriod},
            {"features", features},
            {"usable", device.refusals.empty()},
            {"refusals", device.refusals}};
}

void print(const engine::DeviceReport& device) {
    const VkPhysicalDeviceLimits& limits = device.limits;
    fmt::print("{}: {} ({}), {}, Vulkan {}\n", device.index, device.name, device.type, device.driver, versionText(device.apiVersion));
    fmt::print("   memory {}, 3D images up to {}^3, storage buffers up to {}\n", formatBytes(device.memory), limits.maxImageDimension3D,
               formatBytes(limits.maxStorageBufferRange));
    fmt::print("   work groups up to {} invocations with {} shared memory, timestamp period {} ns\n", limits.maxComputeWorkGroupInvocations,
               formatBytes(limits.maxComputeSharedMemorySize), limits.timestampPeriod);
    for (const auto& [name, has] : device.features) fmt::print("   {} {}\n", has ? "has" : "lacks", name);
    if (device.refusals.empty()) fmt::print("   usable\n");
    for (const std::string& reason : device.refusals) fmt::print("   refused: {}\n", reason);
}

}  // namespace

void info(bool json) {
    const std::vector<engine::DeviceReport> devices = engine::listDevices();
    if (json) {
        Json list = Json::array();
        for (const engine::DeviceReport& device : devices) list.push_back(toJson(device));
        fmt::print("{}\n", list.dump(2));
    } else {
        for (const engine::DeviceReport& device : devices) print(device);
        const std::filesystem::path cache = cacheFolder();
        fmt::print("pipeline cache: {}\n", cache.empty() ? "none: set HOME or XDG_CACHE_HOME" : cache.string());
    }
    if (std::none_of(devices.begin(), devices.end(), [](const auto& d) { return d.refusals.empty(); }))
        throw Failure(Exit::NoDevice, devices.empty()
                                          ? "no Vulkan device found: install a driver (mesa-vulkan-drivers contains one for CPUs)"
                                          : "no device is usable");
}

}  // namespace wisp::app
