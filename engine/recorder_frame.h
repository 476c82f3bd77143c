// SPDX-License-Identifier: MIT
// State of a frame in flight and helpers, shared by recorder.cpp and transfers.cpp.
#pragma once

#include "engine/device.h"
#include "engine/frame_timer.h"
#include "engine/resources.h"

#include <functional>
#include <span>
#include <vector>

namespace wisp::engine {

struct PendingRead {
    std::span<const std::byte> bytes;  ///< in mapped memory
    std::function<void(std::span<const std::byte>)> deliver;
};

inline bool isHazard(const AccessState& state, const Device::AccessClock& clock, bool reads, bool writes) {
    const bool written = state.write > clock.lastBarrier;
    const bool read = state.read > clock.lastBarrier;
    return (reads && written) || (writes && (read || written));
}

inline void touch(AccessState& state, const Device::AccessClock& clock, bool reads, bool writes) {
    if (reads) state.read = clock.now;
    if (!writes) return;
    state.write = clock.now;
    state.zero = false;
}

inline void memoryBarrier(const Functions& vk, VkCommandBuffer commands, const VkMemoryBarrier2& barrier) {
    VkDependencyInfo info{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
    info.memoryBarrierCount = 1;
    info.pMemoryBarriers = &barrier;
    vk.CmdPipelineBarrier2(commands, &info);
}

inline void clearImage(const Functions& vk, VkCommandBuffer commands, VkImage image, float value) {
    const VkClearColorValue colour{{value, value, value, value}};
    const VkImageSubresourceRange all{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    vk.CmdClearColorImage(commands, image, VK_IMAGE_LAYOUT_GENERAL, &colour, 1, &all);
}

/// The slot of one frame in flight.
struct RecorderFrame {
    Device& device;
    FrameTimer timer;
    VkCommandPool pool = VK_NULL_HANDLE;
    VkCommandBuffer own = VK_NULL_HANDLE;
    VkCommandBuffer commands = VK_NULL_HANDLE;  ///< the own one, or that of a host
    SemaphorePoint host;                        ///< of a frame of a host
    std::uint64_t batch = 0;
    std::uint64_t serial = 0;
    bool recording = false;
    FrameCpu cpu;
    bool pending = false;  ///< submitted, but results not yet delivered
    Buffer readback;
    std::size_t readbackUsed = 0;
    bool readsWritten = false;  ///< passes of this frame have written to host memory
    std::vector<PendingRead> deliveries;
    Buffer upload;
    std::size_t uploadUsed = 0;

    /// `readbackBytes`: see RecorderOptions.
    RecorderFrame(Device& d, Timing timing, bool statistics, VkDeviceSize readbackBytes) : device(d), timer(d, timing, statistics) {
        try {
            create(readbackBytes);
        } catch (...) {
            device.vk.DestroyCommandPool(device.handle(), pool, nullptr);
            throw;
        }
    }
    void create(VkDeviceSize readbackBytes) {
        if (readbackBytes > 0) readback = Buffer(device, {"readback", readbackBytes, Location::Readback});
        VkCommandPoolCreateInfo poolInfo{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
        poolInfo.queueFamilyIndex = device.queueFamily();
        check(device.vk.CreateCommandPool(device.handle(), &poolInfo, nullptr, &pool), "vkCreateCommandPool");
        VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
        info.commandPool = pool;
        info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
        info.commandBufferCount = 1;
        check(device.vk.AllocateCommandBuffers(device.handle(), &info, &own), "vkAllocateCommandBuffers");
        device.setName(VK_OBJECT_TYPE_COMMAND_POOL, pool, "frame");
        device.setName(VK_OBJECT_TYPE_COMMAND_BUFFER, own, "frame");
    }
    ~RecorderFrame() { device.vk.DestroyCommandPool(device.handle(), pool, nullptr); }
    RecorderFrame(const RecorderFrame&) = delete;
    RecorderFrame& operator=(const RecorderFrame&) = delete;
};

}  // namespace wisp::engine
