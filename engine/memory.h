// SPDX-License-Identifier: MIT
#pragma once

#include "engine/error.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace wisp::engine {

/// Where a buffer lives.
enum class Location {
    Gpu,       ///< device local
    Readback,  ///< host visible and cached; always mapped
    Upload,    ///< host visible; always mapped
};

/// One row of the memory report.
struct Allocation {
    std::string name;
    std::string layout;  ///< such as "129x65x65 rgba16f"
    VkDeviceSize bytes = 0;
    VkDeviceMemory memory = VK_NULL_HANDLE;  ///< null in plan mode
    std::uint32_t heap = 0;
};

/// Counts every byte that is allocated from the device, and checks the budget before each allocation. Each resource has its own
/// VkDeviceMemory: wisp creates only some tens of large resources, at start.
///
/// In plan mode images and buffers only record the memory that they would need. The code that builds a simulator then computes its memory
/// demand without allocating anything.
class Memory {
public:
    /// `budget`: VK_EXT_memory_budget is enabled. `isCpu`: device memory is host memory. `allocated` is called with each new allocation and
    /// the name of its resource.
    Memory(const Functions& vk, VkPhysicalDevice physical, VkDevice device, bool budget, bool isCpu,
           std::function<void(VkDeviceMemory, const std::string&)> allocated);

    void setPlanOnly(bool on) { planOnly_ = on; }
    [[nodiscard]] bool planOnly() const { return planOnly_; }

    /// Allocates for `requirements`. @throws Error OutOfMemory that gives needed and available memory.
    /// `shared`: the memory can be opened as a file descriptor, and belongs to this buffer alone; null: it cannot.
    VkDeviceMemory allocate(const VkMemoryRequirements& requirements, Location location, const std::string& name, const std::string& layout,
                            VkBuffer shared = VK_NULL_HANDLE);
    void release(VkDeviceMemory memory);
    void plan(VkDeviceSize bytes, const std::string& name, const std::string& layout);  ///< replaces allocate in plan mode

    [[nodiscard]] VkDeviceSize used() const { return used_; }  ///< bytes allocated now
    [[nodiscard]] VkDeviceSize peak() const { return peak_; }  ///< most bytes at once so far
    [[nodiscard]] VkDeviceSize planned() const;                ///< bytes planned since clearPlan
    [[nodiscard]] VkDeviceSize available() const;              ///< bytes left in the budget of the device
    [[nodiscard]] const std::vector<Allocation>& allocations() const { return live_; }
    [[nodiscard]] const std::vector<Allocation>& plan() const { return plan_; }
    void clearPlan() { plan_.clear(); }

private:
    [[nodiscard]] std::uint32_t chooseType(std::uint32_t typeBits, Location location) const;
    [[nodiscard]] VkDeviceSize availableIn(std::uint32_t heap) const;
    const Functions& vk_;
    VkPhysicalDevice physical_;
    VkDevice device_;
    std::function<void(VkDeviceMemory, const std::string&)> allocated_;
    bool planOnly_ = false;
    bool hasBudget_ = false;
    VkPhysicalDeviceMemoryProperties properties_{};
    VkDeviceSize hostFree_ = 0;  ///< free host memory at start [bytes], the limit of a software device
    VkDeviceSize used_ = 0, peak_ = 0;
    std::vector<Allocation> live_;
    std::vector<Allocation> plan_;
};

}  // namespace wisp::engine
