// SPDX-License-Identifier: MIT
#include "engine/gpu_clock.h"

#include "engine/device.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <vector>

namespace wisp::engine {
namespace {

// VK_KHR_calibrated_timestamps uses the structures of the EXT version. Vulkan headers before 1.3.270 do not define the KHR names.
template <class Function>
Function instanceFunction(const Device& device, const char* name) {
    return reinterpret_cast<Function>(device.vk.GetInstanceProcAddr(device.instance(), name));
}

bool hasBothClocks(const Device& device, PFN_vkGetPhysicalDeviceCalibrateableTimeDomainsEXT list) {
    if (!list) return false;
    std::uint32_t count = 0;
    check(list(device.physical(), &count, nullptr), "vkGetPhysicalDeviceCalibrateableTimeDomains");
    std::vector<VkTimeDomainEXT> domains(count);
    check(list(device.physical(), &count, domains.data()), "vkGetPhysicalDeviceCalibrateableTimeDomains");
    const auto has = [&](VkTimeDomainEXT domain) { return std::find(domains.begin(), domains.end(), domain) != domains.end(); };
    return has(VK_TIME_DOMAIN_DEVICE_EXT) && has(VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT);
}

PFN_vkGetCalibratedTimestampsEXT findFunction(const Device& device) {
    using List = PFN_vkGetPhysicalDeviceCalibrateableTimeDomainsEXT;
    for (const bool khr : {false, true}) {
        if (!device.hasExtension(khr ? "VK_KHR_calibrated_timestamps" : VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME)) continue;
        const char* const list = khr ? "vkGetPhysicalDeviceCalibrateableTimeDomainsKHR" : "vkGetPhysicalDeviceCalibrateableTimeDomainsEXT";
        if (!hasBothClocks(device, instanceFunction<List>(device, list))) continue;
        const char* const get = khr ? "vkGetCalibratedTimestampsKHR" : "vkGetCalibratedTimestampsEXT";
        return reinterpret_cast<PFN_vkGetCalibratedTimestampsEXT>(device.vk.GetDeviceProcAddr(device.handle(), get));
    }
    return nullptr;
}

/// A command buffer that only writes a timestamp.
struct Probe {
    Device& owner;
    VkDevice device;
    VkQueryPool queries = VK_NULL_HANDLE;
    VkCommandPool pool = VK_NULL_HANDLE;
    VkCommandBuffer commands = VK_NULL_HANDLE;

    explicit Probe(Device& d) : owner(d), device(d.handle()) {
        try {
            create(d);
        } catch (...) {
            destroy();
            throw;
        }
    }
    ~Probe() { destroy(); }
    Probe(const Probe&) = delete;
    Probe& operator=(const Probe&) = delete;

    void create(Device& d) {
        VkQueryPoolCreateInfo query{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
        query.queryType = VK_QUERY_TYPE_TIMESTAMP;
        query.queryCount = 1;
        check(owner.vk.CreateQueryPool(device, &query, nullptr, &queries), "vkCreateQueryPool");
        owner.vk.ResetQueryPool(device, queries, 0, 1);
        VkCommandPoolCreateInfo poolInfo{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
        poolInfo.queueFamilyIndex = d.queueFamily();
        check(owner.vk.CreateCommandPool(device, &poolInfo, nullptr, &pool), "vkCreateCommandPool");
        const VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, pool,
                                               VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
        check(owner.vk.AllocateCommandBuffers(device, &info, &commands), "vkAllocateCommandBuffers");
        d.setName(VK_OBJECT_TYPE_QUERY_POOL, queries, "clock probe");
        d.setName(VK_OBJECT_TYPE_COMMAND_POOL, pool, "clock probe");
        d.setName(VK_OBJECT_TYPE_COMMAND_BUFFER, commands, "clock probe");
        const VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
        check(owner.vk.BeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
        owner.vk.CmdWriteTimestamp2(commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, queries, 0);
        check(owner.vk.EndCommandBuffer(commands), "vkEndCommandBuffer");
    }
    void destroy() noexcept {
        // The commands may still be running if the wait failed.
        owner.retire([d = &owner, p = pool, q = queries] {
            d->vk.DestroyCommandPool(d->handle(), p, nullptr);
            d->vk.DestroyQueryPool(d->handle(), q, nullptr);
        });
    }

    [[nodiscard]] std::uint64_t ticks() const {
        std::uint64_t value = 0;
        check(owner.vk.GetQueryPoolResults(device, queries, 0, 1, sizeof value, &value, sizeof value,
                                           VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
              "vkGetQueryPoolResults");
        return value;
    }
};

}  // namespace

std::int64_t hostNow() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

GpuClock::GpuClock(Device& device, bool estimate) : device_(device), get_(estimate ? nullptr : findFunction(device)) {
    get_ ? calibrate() : this->estimate();
}

void GpuClock::calibrate() {
    if (!get_) return;
    constexpr auto kType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT;
    const std::array<VkCalibratedTimestampInfoEXT, 2> clocks{
        {{kType, nullptr, VK_TIME_DOMAIN_DEVICE_EXT}, {kType, nullptr, VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT}}};
    std::array<std::uint64_t, 2> now{};
    std::uint64_t deviation = 0;
    check(get_(device_.handle(), 2, clocks.data(), now.data(), &deviation), "vkGetCalibratedTimestamps");
    ticks_ = now[0];
    host_ = static_cast<std::int64_t>(now[1]);
    deviation_ = static_cast<std::int64_t>(deviation);
}

/// Uses the shortest of several round trips: other work has delayed it least.
void GpuClock::estimate() {
    for (int attempt = 0; attempt < 4; ++attempt) {
        const Probe probe(device_);
        const std::int64_t before = hostNow();
        device_.wait(device_.submit(probe.commands));
        const std::int64_t after = hostNow();
        if (attempt > 0 && after - before >= deviation_) continue;
        deviation_ = after - before;
        host_ = after;
        ticks_ = probe.ticks();
    }
}

std::int64_t GpuClock::hostTime(std::uint64_t ticks) const { return host_ + device_.nanoseconds(ticks_, ticks); }

}  // namespace wisp::engine
