// SPDX-License-Identifier: MIT
#include "app/cli/commands.h"
#include "files/base/bytes.h"
#include "files/base/failure.h"
#include "files/base/json.h"
#include "files/base/user_folders.h"
#include "wisp/device.h"

#include <fmt/format.h>

#include <algorithm>

namespace wisp::app {
namespace {

std::string versionText(std::uint32_t version) {
    return fmt::format("{}.{}.{}", version >> 22u & 0x7fu, version >> 12u & 0x3ffu, version & 0xfffu);  // bit layout of VK_MAKE_API_VERSION
}

Json toJson(const DeviceInfo& device) {
    Json features = Json::object();
    for (const auto& [name, has] : device.features) features[name] = has;
    return {{"index", device.index},
            {"name", device.name},
            {"driver", device.driver},
            {"type", device.type},
            {"uuid", device.uuid},
            {"pci", device.pci},
            {"vulkan", versionText(device.apiVersion)},
            {"memory_bytes", device.memory},
            {"max_image_3d", device.maxImageSize3d},
            {"max_storage_buffer_bytes", device.maxStorageBuffer},
            {"max_workgroup_invocations", device.maxWorkGroupInvocations},
            {"max_shared_memory_bytes", device.maxSharedMemory},
            {"timestamp_ns", device.timestampPeriod},
            {"features", features},
            {"usable", device.refusals.empty()},
            {"refusals", device.refusals}};
}

void print(const DeviceInfo& device) {
    fmt::print("{}: {} ({}), {}, Vulkan {}\n", device.index, device.name, device.type, device.driver, versionText(device.apiVersion));
    if (!device.uuid.empty()) fmt::print("   UUID {}{}\n", device.uuid, device.pci.empty() ? "" : ", PCI address " + device.pci);
    fmt::print("   memory {}, 3D images up to {}^3, storage buffers up to {}\n", formatBytes(device.memory), device.maxImageSize3d,
               formatBytes(device.maxStorageBuffer));
    fmt::print("   work groups up to {} invocations with {} shared memory, timestamp period {} ns\n", device.maxWorkGroupInvocations,
               formatBytes(device.maxSharedMemory), device.timestampPeriod);
    for (const auto& [name, has] : device.features) fmt::print("   {} {}\n", has ? "has" : "lacks", name);
    if (device.refusals.empty()) fmt::print("   usable\n");
    for (const std::string& reason : device.refusals) fmt::print("   refused: {}\n", reason);
}

}  // namespace

void info(bool json) {
    const std::vector<DeviceInfo> devices = Device::list();
    if (json) {
        Json list = Json::array();
        for (const DeviceInfo& device : devices) list.push_back(toJson(device));
        fmt::print("{}\n", list.dump(2));
    } else {
        for (const DeviceInfo& device : devices) print(device);
        const std::filesystem::path cache = cacheFolder();
        fmt::print("pipeline cache: {}\n", cache.empty() ? "none: set HOME or XDG_CACHE_HOME" : cache.string());
    }
    if (std::none_of(devices.begin(), devices.end(), [](const auto& d) { return d.refusals.empty(); }))
        throw Failure(Exit::NoDevice, devices.empty()
                                          ? "no Vulkan device found: install a driver (mesa-vulkan-drivers contains one for CPUs)"
                                          : "no device is usable");
}

}  // namespace wisp::app
