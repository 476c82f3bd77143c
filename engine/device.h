// SPDX-License-Identifier: MIT
#pragma once

#include "engine/borrowed_device.h"
#include "engine/device_report.h"
#include "engine/memory.h"
#include "engine/samplers.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <vector>

namespace wisp::engine {

struct Candidate;
struct DeviceFeatures;
class Instance;

/// A value of a timeline semaphore; of a binary semaphore, which has none, 0.
struct SemaphorePoint {
    VkSemaphore semaphore = VK_NULL_HANDLE;
    std::uint64_t value = 0;
    bool operator==(const SemaphorePoint&) const = default;
};

/// A Vulkan 1.3 device and one compute queue, its own with an instance, or those of another program. Also owns what must outlive every
/// resource: the memory accounting, the timeline semaphore with the progress of the GPU, and the deferred deletions.
class Device {
public:
    /// @throws Error NoDevice with a line for every rejected device.
    explicit Device(const DeviceOptions& options = {});
    /// Uses the device of a host. Of the options, only those count that concern no creation of a device. @throws Error NoDevice that names
    /// every extension and feature that it lacks or did not enable.
    explicit Device(const BorrowedDevice& host, const DeviceOptions& options = {});
    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    [[nodiscard]] VkInstance instance() const;
    [[nodiscard]] VkDevice handle() const { return device_; }
    [[nodiscard]] VkPhysicalDevice physical() const { return physical_; }
    [[nodiscard]] const DeviceReport& report() const { return report_; }
    [[nodiscard]] const DeviceOptions& options() const { return options_; }
    [[nodiscard]] std::uint32_t queueFamily() const { return queueFamily_; }
    [[nodiscard]] VkQueue queue() const { return queue_; }
    [[nodiscard]] const Samplers& samplers() const { return samplers_; }
    [[nodiscard]] Memory& memory() { return *memory_; }
    [[nodiscard]] bool isBorrowed() const { return !instance_; }
    [[nodiscard]] bool isCpu() const { return report_.type == "cpu" && !options_.likeGpu; }

    /// Submits `commands`. Returns the serial that `completed` reaches once the GPU has executed them. Transfer commands (of a borrowed
    /// device: all commands) wait for `wait`. `signal` is signalled after all commands. Either semaphore may be null.
    std::uint64_t submit(VkCommandBuffer commands, const SemaphorePoint& wait = {}, const SemaphorePoint& signal = {});
    /// Counts commands that the host submits itself: `done` is signalled once the GPU has executed them. Returns their serial.
    std::uint64_t leaveToHost(const SemaphorePoint& done);
    [[nodiscard]] std::uint64_t submitted() const { return submitted_; }
    [[nodiscard]] std::uint64_t completed();
    /// What the next submit() signals once the GPU has executed its commands.
    [[nodiscard]] SemaphorePoint nextDone() const { return {timeline_, submitted_ + 1}; }
    [[nodiscard]] bool idle() noexcept;  ///< whether all submitted work is known to be complete; false for a lost device
    /// Blocks until `completed() >= serial`. @throws Error HostTimeout if the host has not submitted its commands in time.
    void wait(std::uint64_t serial);
    /// Blocks until the commands of the host are done. @throws Error HostTimeout.
    void waitForHost();
    /// Blocks until the device (of a borrowed device: all work submitted here) is idle, then runs the retired functions.
    void waitIdle();
    /// The same without errors and without running anything.
    void drain() noexcept;

    std::string lastPass;  ///< name of the last pass that was recorded; empty: none
    /// Checks the result of a call that reports a lost device. @throws Error, for a lost device with lastPass.
    void checkRun(VkResult result, const char* call) const;

    /// Runs `destroy` once the GPU has finished everything submitted so far and the recording in progress. Destructors call this function,
    /// so it must not throw: if host memory runs out, it waits for the device and runs `destroy` at once.
    template <class Destroy>
    void retire(Destroy destroy) noexcept {
        try {
            retired_.push_back({submitted_ + recordings, destroy});
        } catch (const std::bad_alloc&) {
            drain();
            destroy();
        }
    }
    void collect();  ///< runs the retired functions that are due

    /// Names an object for validation messages and debuggers. Does nothing without VK_EXT_debug_utils.
    template <class Handle>
    void setName(VkObjectType type, Handle handle, const std::string& name) const {
        setObjectName(type, reinterpret_cast<std::uint64_t>(handle), name);
    }
    [[nodiscard]] bool hasDebugUtils() const { return debugUtils_; }
    /// Whether this device extension is supported and enabled.
    [[nodiscard]] bool hasExtension(std::string_view name) const;

    /// Messages of the validation layers so far; `throwOnValidation` throws with the first of them.
    [[nodiscard]] std::vector<std::string> validationMessages() const;
    void clearValidationMessages();
    void throwOnValidation() const;

    Functions vk;  ///< the Vulkan functions of this device; tests replace some

    /// Counters that must not change inside a frame loop (see tests/gpu).
    struct Counters {
        std::uint64_t allocations = 0;
        std::uint64_t pipelines = 0;
        std::uint64_t pipelineHits = 0;  ///< pipelines that the driver reports as cache hits (engine/pipeline_cache.h)
        std::uint64_t idleWaits = 0;
    };
    Counters counters;

    /// Logical time of recorded accesses, from which the recorder derives barriers (see recorder.cpp).
    struct AccessClock {
        std::uint64_t now = 1;             ///< counts recorded commands
        std::uint64_t lastBarrier = 1;     ///< value of `now` at the last global barrier
        std::uint64_t lastOfCommands = 1;  ///< the same at the last barrier that also covered the commands of listed units
        bool transfers = true;             ///< whether a transfer was recorded since that barrier
    };
    AccessClock accessClock;
    std::uint32_t recordings = 0;  ///< recorders between begin and submit; `retire` waits for their frames too

    /// Milliseconds between two timestamps of this queue, which may have wrapped around.
    [[nodiscard]] double milliseconds(std::uint64_t begin, std::uint64_t end) const;
    /// The same in nanoseconds; negative if `end` is earlier than `begin`.
    [[nodiscard]] std::int64_t nanoseconds(std::uint64_t begin, std::uint64_t end) const;

private:
    void setObjectName(VkObjectType type, std::uint64_t handle, const std::string& name) const;
    [[nodiscard]] std::uint64_t timestampMask() const { return timestampBits_ >= 64 ? ~0ull : (1ull << timestampBits_) - 1; }
    void choose(Candidate chosen);
    void createDevice(const DeviceFeatures& supported);
    void borrowDevice(const BorrowedDevice& host);
    void createObjects();
    void destroy() noexcept;
    DeviceOptions options_;
    DeviceReport report_;
    std::unique_ptr<Instance> instance_;  ///< null if the device is borrowed
    BorrowedDevice host_;                 ///< empty if it is not
    VkPhysicalDevice physical_ = VK_NULL_HANDLE;
    VkDevice device_ = VK_NULL_HANDLE;
    VkQueue queue_ = VK_NULL_HANDLE;
    std::uint32_t queueFamily_ = 0;
    VkSemaphore timeline_ = VK_NULL_HANDLE;
    Samplers samplers_;
    std::uint32_t timestampBits_ = 64;
    bool debugUtils_ = false;
    std::vector<std::string> extensions_;  ///< the enabled ones
    std::uint64_t submitted_ = 0;
    /// Work of a borrowed device that may not be complete. The semaphores of the host and of this device count on their own.
    struct Flight {
        std::uint64_t serial;
        SemaphorePoint done;
    };
    std::deque<Flight> flights_;
    [[nodiscard]] std::uint64_t valueOf(VkSemaphore semaphore) const;
    [[nodiscard]] bool reached(const Flight& flight) const;
    void wait(const Flight& flight);
    struct Retired {
        std::uint64_t serial;
        std::function<void()> destroy;
    };
    std::deque<Retired> retired_;
    void runRetired(std::uint64_t done);
    std::unique_ptr<Memory> memory_;
};

}  // namespace wisp::engine
