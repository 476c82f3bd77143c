// SPDX-License-Identifier: MIT
#include "engine/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <numeric>
#include <utility>

namespace wisp::engine {

namespace {

/// Memory that the host can still allocate without swapping [bytes].
VkDeviceSize hostFreeBytes() {
    std::ifstream file("/proc/meminfo");
    std::string key;
    std::string unit;
    VkDeviceSize kibibytes = 0;
    while (file >> key >> kibibytes && std::getline(file, unit)) {
        if (key == "MemAvailable:") return kibibytes * 1024;
    }
    return std::numeric_limits<VkDeviceSize>::max();
}

VkDeviceSize minus(VkDeviceSize a, VkDeviceSize b) { return a > b ? a - b : 0; }

double mebibytes(VkDeviceSize bytes) { return static_cast<double>(bytes) / (1024.0 * 1024.0); }

}  // namespace

Memory::Memory(const Functions& vk, VkPhysicalDevice physical, VkDevice device, bool budget, bool isCpu,
               std::function<void(VkDeviceMemory, const std::string&)> allocated)
    : vk_(vk),
      physical_(physical),
      device_(device),
      allocated_(std::move(allocated)),
      hasBudget_(budget),
      hostFree_(isCpu ? hostFreeBytes() : std::numeric_limits<VkDeviceSize>::max()) {
    vk_.GetPhysicalDeviceMemoryProperties(physical, &properties_);
}

std::uint32_t Memory::chooseType(std::uint32_t typeBits, Location location) const {
    constexpr VkMemoryPropertyFlags kMapped = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkMemoryPropertyFlags needed = 0;
    VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    if (location != Location::Gpu) needed = wanted = kMapped;
    if (location == Location::Readback) wanted |= VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
    for (const VkMemoryPropertyFlags flags : {wanted, needed}) {
        for (std::uint32_t i = 0; i < properties_.memoryTypeCount; ++i) {
            if ((typeBits >> i & 1u) && (properties_.memoryTypes[i].propertyFlags & flags) == flags) return i;
        }
    }
    throw Error(ErrorKind::OutOfMemory, "the device has no memory type for this resource");
}

VkDeviceSize Memory::availableIn(std::uint32_t heap) const {
    VkDeviceSize used = 0;
    for (const Allocation& a : live_) used += a.heap == heap ? a.bytes : 0;
    VkDeviceSize free = minus(properties_.memoryHeaps[heap].size, used);
    if (hasBudget_) {
        VkPhysicalDeviceMemoryBudgetPropertiesEXT budget{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT};
        VkPhysicalDeviceMemoryProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2, &budget, {}};
        vk_.GetPhysicalDeviceMemoryProperties2(physical_, &properties);
        free = std::min(free, minus(budget.heapBudget[heap], budget.heapUsage[heap]));
    }
    // On a software device, allocated pages stay free until they are touched. Subtracting from the free memory at start is more reliable
    // than reading the free memory now.
    return std::min(free, minus(hostFree_, used_));
}

VkDeviceSize Memory::available() const { return availableIn(properties_.memoryTypes[chooseType(~0u, Location::Gpu)].heapIndex); }

VkDeviceMemory Memory::allocate(const VkMemoryRequirements& requirements, Location location, const std::string& name,
                                const std::string& layout, VkBuffer shared) {
    const std::uint32_t type = chooseType(requirements.memoryTypeBits, location);
    const std::uint32_t heap = properties_.memoryTypes[type].heapIndex;
    const VkDeviceSize free = availableIn(heap);
    if (requirements.size > free) {
        throw Error(ErrorKind::OutOfMemory, fmt::format("{}: needs {:.1f} MiB, {:.1f} MiB are available ({:.1f} MiB in use)", name,
                                                        mebibytes(requirements.size), mebibytes(free), mebibytes(used_)));
    }
    live_.push_back({name, layout, requirements.size, VK_NULL_HANDLE, heap});  // before the allocation, which would leak if this threw
    VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    const VkMemoryAllocateFlagsInfo addressed{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO, nullptr, VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT,
                                              0};
    if (location != Location::Upload) info.pNext = &addressed;
    VkMemoryDedicatedAllocateInfo dedicated{VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO, info.pNext, VK_NULL_HANDLE, shared};
    const VkExportMemoryAllocateInfo exported{VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO, &dedicated,
                                              VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
    if (shared) info.pNext = &exported;
    info.allocationSize = requirements.size;
    info.memoryTypeIndex = type;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    const VkResult result = vk_.AllocateMemory(device_, &info, nullptr, &memory);
    if (result != VK_SUCCESS) {
        live_.pop_back();
        check(result, fmt::format("{}: needs {:.1f} MiB, {:.1f} MiB seemed to be available ({:.1f} MiB in use), but the driver refused",
                                  name, mebibytes(requirements.size), mebibytes(free), mebibytes(used_)));
    }
    live_.back().memory = memory;
    used_ += requirements.size;
    peak_ = std::max(peak_, used_);
    allocated_(memory, name);
    return memory;
}

void Memory::release(VkDeviceMemory memory) {
    if (!memory) return;
    const auto row = std::find_if(live_.begin(), live_.end(), [&](const Allocation& a) { return a.memory == memory; });
    used_ -= row->bytes;
    live_.erase(row);
    vk_.FreeMemory(device_, memory, nullptr);
}

void Memory::plan(VkDeviceSize bytes, const std::string& name, const std::string& layout) {
    plan_.push_back({name, layout, bytes, VK_NULL_HANDLE, 0});
}

VkDeviceSize Memory::planned() const {
    return std::accumulate(plan_.begin(), plan_.end(), VkDeviceSize{0},
                           [](VkDeviceSize sum, const Allocation& a) { return sum + a.bytes; });
}

}  // namespace wisp::engine
