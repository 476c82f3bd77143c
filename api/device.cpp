// SPDX-License-Identifier: MIT
#include "wisp/device.h"

#include "api/device_impl.h"
#include "api/guarded.h"
#include "engine/device_choice.h"
#include "engine/device_peaks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

namespace wisp {
namespace {

constexpr std::uint32_t kReductions = 1, kStatistics = 2;  // bits of DeviceRequirements::optional_

PFN_vkGetInstanceProcAddr finder(GetInstanceProcAddr find) { return reinterpret_cast<PFN_vkGetInstanceProcAddr>(find); }

engine::BorrowedDevice borrowed(const DeviceRef& host) {
    return {.getInstanceProcAddr = finder(host.getInstanceProcAddr),
            .instance = host.instance,
            .physical = host.physicalDevice,
            .device = host.device,
            .queue = host.queue,
            .queueFamily = host.queueFamily,
            .lock = host.lock,
            .unlock = host.unlock,
            .extensions = host.extensions,
            .features = host.features,
            .patience = host.patience};
}

void requireLocks(const DeviceRef& host) {
    if (static_cast<bool>(host.lock) != static_cast<bool>(host.unlock))
        throw Error(ErrorCode::Argument, "DeviceRef: lock and unlock are a pair: give both or none");
    if (!(host.patience >= 0.0))
        throw Error(ErrorCode::Argument, fmt::format("DeviceRef: patience is {} s; must be 0 or more", host.patience));
}

}  // namespace

DeviceRequirements::DeviceRequirements(GetInstanceProcAddr getInstanceProcAddr, VkInstance instance, VkPhysicalDevice physicalDevice) {
    guarded([&] {
        if (!getInstanceProcAddr || !instance || !physicalDevice)
            throw Error(ErrorCode::Argument, "DeviceRequirements needs vkGetInstanceProcAddr, an instance and a physical device");
        engine::InstanceFunctions vk;
        vk.load(instance, finder(getInstanceProcAddr));
        const engine::Candidate c = engine::inspectDevice(vk, physicalDevice, 0, {});
        if (!c.report.refusals.empty())
            throw Error(ErrorCode::NoDevice, fmt::format("{}: {}", c.report.name, fmt::join(c.report.refusals, "; ")));
        extensions.push_back(VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME);
        for (const char* optional : {VK_EXT_MEMORY_BUDGET_EXTENSION_NAME, VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME})
            if (engine::hasDeviceExtension(vk, physicalDevice, optional)) extensions.push_back(optional);
        optional_ = (c.report.reductions ? kReductions : 0) | (c.report.statistics ? kStatistics : 0);
    });
}

void DeviceRequirements::enable(VkPhysicalDeviceFeatures2& chain) const {
    guarded([&] {
        engine::DeviceFeatures wanted;
        for (const auto& [name, member] : engine::kRequiredFeatures) wanted.*member = VK_TRUE;
        wanted.samplerFilterMinmax = (optional_ & kReductions) != 0 ? VK_TRUE : VK_FALSE;
        wanted.pipelineStatisticsQuery = (optional_ & kStatistics) != 0 ? VK_TRUE : VK_FALSE;
        if (const std::string left = engine::setFeatures(chain, wanted); !left.empty())
            throw Error(ErrorCode::Argument, fmt::format("the chain has no struct for {}: add VkPhysicalDeviceVulkan12Features and "
                                                         "VkPhysicalDeviceVulkan13Features",
                                                         left));
    });
}

Device::Device(const DeviceOptions& o) {
    guarded([&] {
        impl_ = std::make_shared<Impl>(engine::DeviceOptions{.select = o.select,
                                                             .allowCpu = o.allowCpu,
                                                             .validate = o.validate,
                                                             .cacheFolder = o.cacheFolder,
                                                             .pipelineStatistics = o.pipelineStatistics});
    });
}

Device::Device(const DeviceRef& host, const std::string& cacheFolder) {
    guarded([&] {
        requireLocks(host);
        impl_ = std::make_shared<Impl>(borrowed(host), engine::DeviceOptions{.cacheFolder = cacheFolder});
    });
}

Device::~Device() = default;
Device::Device(Device&&) noexcept = default;
Device& Device::operator=(Device&&) noexcept = default;

std::vector<DeviceInfo> Device::list() {
    return guarded([] {
        std::vector<DeviceInfo> list;
        for (const engine::DeviceReport& r : engine::listDevices()) {
            const VkPhysicalDeviceLimits& limits = r.limits;
            DeviceInfo info{.index = r.index,
                            .name = r.name,
                            .driver = r.driver,
                            .type = r.type,
                            .uuid = r.uuid,
                            .pci = r.pci,
                            .apiVersion = r.apiVersion,
                            .memory = r.memory,
                            .maxImageSize3d = limits.maxImageDimension3D,
                            .maxWorkGroupInvocations = limits.maxComputeWorkGroupInvocations,
                            .maxSharedMemory = limits.maxComputeSharedMemorySize,
                            .maxStorageBuffer = limits.maxStorageBufferRange,
                            .timestampPeriod = limits.timestampPeriod,
                            .refusals = r.refusals};
            for (const auto& [name, has] : r.features) info.features.emplace_back(name, has);
            list.push_back(std::move(info));
        }
        return list;
    });
}

std::vector<MemoryUse> memoryUse(const std::vector<engine::Allocation>& rows) {
    std::vector<MemoryUse> list;
    for (const engine::Allocation& row : rows) list.push_back({row.name, row.layout, row.bytes});
    return list;
}

std::string Device::name() const { return impl_->device.report().name; }
std::string Device::driver() const { return impl_->device.report().driver; }
bool Device::isCpu() const { return impl_->device.report().type == "cpu"; }

std::array<std::uint8_t, 16> Device::uuid() const {
    VkPhysicalDeviceIDProperties id{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES};
    VkPhysicalDeviceProperties2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &id, {}};
    impl_->device.vk.GetPhysicalDeviceProperties2(impl_->device.physical(), &all);
    std::array<std::uint8_t, 16> uuid{};
    std::ranges::copy(id.deviceUUID, uuid.begin());
    return uuid;
}

std::uint64_t Device::memoryUsed() const {
    const std::lock_guard lock(impl_->mutex);
    return impl_->device.memory().used();
}

std::vector<MemoryUse> Device::memory() const {
    const std::lock_guard lock(impl_->mutex);
    return guarded([&] { return memoryUse(impl_->device.memory().allocations()); });
}

std::string Device::savePipelines() {
    const std::lock_guard lock(impl_->mutex);
    return guarded([&] { return impl_->shaders.save(); });
}

void Device::watchShaders(const std::string& folder) {
    const std::lock_guard lock(impl_->mutex);
    guarded([&] {
        if (!std::filesystem::is_directory(folder)) throw Error(ErrorCode::Argument, fmt::format("{}: is not a folder", folder));
        impl_->shaders.watch(folder);
    });
}

std::vector<std::string> Device::reloadShaders() {
    const std::lock_guard lock(impl_->mutex);
    return guarded([&] { return impl_->shaders.reload(); });
}

void Device::checkValidation() const {
    guarded([&] { impl_->device.throwOnValidation(); });
}

std::uint64_t Device::memoryAvailable() const {
    const std::lock_guard lock(impl_->mutex);
    return guarded([&] { return impl_->device.memory().available(); });
}

DevicePeaks Device::peaks() const {
    const std::lock_guard lock(impl_->mutex);
    return guarded([&] {
        const engine::DevicePeaks p = engine::measureDevicePeaks(impl_->device);
        return DevicePeaks{p.copy, p.copiedByShader, p.operations, p.samples, p.fetches};
    });
}

double Device::peakSamples() const {
    const std::lock_guard lock(impl_->mutex);
    return guarded([&] { return engine::measureSamples(impl_->device); });
}

bool Device::hasPipelineStatistics() const {
    // Of a host it is unknown whether it enabled the feature with the extension.
    return impl_->device.options().pipelineStatistics && impl_->device.hasExtension(VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME);
}

}  // namespace wisp
