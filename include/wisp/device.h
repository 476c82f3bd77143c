// SPDX-License-Identifier: MIT
#ifndef WISP_DEVICE_H
#define WISP_DEVICE_H

#include <wisp/error.h>
#include <wisp/profile.h>
#include <wisp/vulkan.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace wisp {

/// Which device the library opens for itself.
struct DeviceOptions {
    std::string select;               ///< index, UUID, PCI address or part of the name, see DeviceInfo; empty: the best one
    bool allowCpu = true;             ///< accept drivers that run on the CPU
    bool validate = false;            ///< enable the validation layers; any message of theirs is an error
    std::string cacheFolder;          ///< for compiled pipelines, kept between runs; empty: none
    bool pipelineStatistics = false;  ///< enable what PassWork::pipeline needs, if the driver has it
};

/// A Vulkan device of the program that uses the library, the host. It, and what `lock` and `unlock` use, must outlive
/// the Device that borrows it, and every object made with that one.
///
/// A host may use the queue from other threads, if it gives `lock` and `unlock`: the library calls them around each of its submits. Do
/// not hold the lock in a call of the library. It uses no other queue, and never waits for the whole device.
struct DeviceRef {
    GetInstanceProcAddr getInstanceProcAddr = nullptr;    ///< vkGetInstanceProcAddr
    VkInstance instance = nullptr;                        ///< of Vulkan 1.3
    VkPhysicalDevice physicalDevice = nullptr;            ///< that has what DeviceRequirements names
    VkDevice device = nullptr;                            ///< made with what DeviceRequirements names
    VkQueue queue = nullptr;                              ///< with compute and timestamps, see DeviceRequirements
    std::uint32_t queueFamily = 0;                        ///< of that queue
    std::function<void()> lock;                           ///< called before each use of the queue; empty: nobody else uses it meanwhile
    std::function<void()> unlock;                         ///< called after it
    std::vector<std::string> extensions;                  ///< the device extensions that are enabled
    const VkPhysicalDeviceFeatures2* features = nullptr;  ///< the chain of features that are enabled; read by the constructor only
    double patience = 60.0;  ///< longest wait for commands that the host submits itself [s]; then Error HostTimeout
};

/// What a host must enable when it creates its device. The queue of the DeviceRef must be of a family with VK_QUEUE_COMPUTE_BIT, and with
/// timestamps: timestampValidBits of its VkQueueFamilyProperties is not 0.
struct WISP_API DeviceRequirements {
    /// @param getInstanceProcAddr vkGetInstanceProcAddr
    /// @param instance of Vulkan 1.3
    /// @param physicalDevice a device of `instance`
    /// @throws Error NoDevice naming everything that the device lacks.
    DeviceRequirements(GetInstanceProcAddr getInstanceProcAddr, VkInstance instance, VkPhysicalDevice physicalDevice);

    static constexpr std::uint32_t apiVersion = (1u << 22) | (3u << 12);  ///< Vulkan 1.3, for the instance

    std::vector<const char*> extensions;  ///< of the device: required ones, and optional ones that it has
    /// Sets the required features, and optional ones that the device has, in a chain with VkPhysicalDeviceVulkan12Features and
    /// VkPhysicalDeviceVulkan13Features, or the structs of the extensions that became part of them. Leaves all others as they are.
    /// @throws Error Argument naming the features for which the chain has no struct.
    void enable(VkPhysicalDeviceFeatures2& chain) const;

private:
    std::uint32_t optional_ = 0;
};

/// A Vulkan device of this machine, usable or not.
struct DeviceInfo {
    std::uint32_t index = 0;  ///< for DeviceOptions::select
    std::string name;         ///< of the device
    std::string driver;       ///< its name and version
    std::string type;         ///< discrete, integrated, virtual, cpu or other
    /// By which nvidia-smi and other programs know the device too, such as "8a3f0c12-5d67-4e89-a0b1-c2d3e4f50617". `select` takes it with
    /// or without the dashes, and with "GPU-" in front, as nvidia-smi prints it. Empty: the device has none.
    std::string uuid;
    /// Such as "0000:65:00.0". `select` takes it without the domain, "65:00.0", too. Empty: the device has none.
    std::string pci;
    std::uint32_t apiVersion = 0;                        ///< as in VkPhysicalDeviceProperties
    std::uint64_t memory = 0;                            ///< [bytes]
    std::uint32_t maxImageSize3d = 0;                    ///< texels along an edge of a 3D image
    std::uint32_t maxWorkGroupInvocations = 0;           ///< threads of a work group
    std::uint32_t maxSharedMemory = 0;                   ///< of a work group [bytes]
    std::uint64_t maxStorageBuffer = 0;                  ///< [bytes]
    float timestampPeriod = 0.0f;                        ///< [ns]
    std::vector<std::pair<std::string, bool>> features;  ///< that wisp needs, and whether the device has them
    std::vector<std::string> refusals;                   ///< why it cannot be used; empty: it can
};

/// Memory of one image or buffer.
struct MemoryUse {
    std::string name;         ///< of the image or buffer
    std::string layout;       ///< such as "129x65x65 rgba16f"
    std::uint64_t bytes = 0;  ///< allocated
};

/// A device that simulates and draws: one that the library opens, or that of the host. Several simulations may share one, also on
/// several threads: their calls then run one after the other.
class WISP_API Device {
public:
    /// Opens a device. @throws Error NoDevice with a line for every device that cannot be used.
    explicit Device(const DeviceOptions& options = {});
    /// Borrows the device of the host. @throws Error NoDevice naming everything that it lacks or has not enabled; Error Argument if a
    /// handle is null.
    explicit Device(const DeviceRef& host, const std::string& cacheFolder = {});
    ~Device();
    Device(Device&&) noexcept;
    Device& operator=(Device&&) noexcept;

    /// Every device that the loader finds. @throws Error NoDevice if there is no Vulkan loader.
    [[nodiscard]] static std::vector<DeviceInfo> list();

    [[nodiscard]] std::string name() const;    ///< of the device
    [[nodiscard]] std::string driver() const;  ///< its name and version
    [[nodiscard]] bool isCpu() const;          ///< whether the driver runs on the CPU
    /// VkPhysicalDeviceIDProperties::deviceUUID, by which other interfaces find the same device: CUDA with cuDeviceGetUuid.
    [[nodiscard]] std::array<std::uint8_t, 16> uuid() const;
    [[nodiscard]] std::uint64_t memoryUsed() const;       ///< [bytes], by all objects of the library on this device
    [[nodiscard]] std::uint64_t memoryAvailable() const;  ///< [bytes]
    [[nodiscard]] std::vector<MemoryUse> memory() const;  ///< what memoryUsed() consists of

    /// Saves the pipelines that are compiled so far to DeviceOptions::cacheFolder for the next run. The destructor saves later ones.
    /// @return a line about them for a log
    std::string savePipelines();
    /// For those who change wisp's shaders: reloadShaders() recompiles shaders of this folder, that of the sources, after they were saved.
    /// @throws Error Argument if it is not a folder.
    void watchShaders(const std::string& folder);
    /// Recompiles shaders that have changed since the last call. One that fails to compile keeps its old pipeline. Use it between the calls
    /// of simulations. @return messages: "name: reloaded", or those of the compiler
    std::vector<std::string> reloadShaders();
    /// @throws Error Validation with the first message of the validation layers so far, if there is one (DeviceOptions::validate).
    void checkValidation() const;

    /// Measures how fast the device copies, computes and samples, in about 50 ms; on slow devices in about 50 ms for each of the four.
    /// While other work runs on the device, the numbers are too small. @throws Error.
    [[nodiscard]] DevicePeaks peaks() const;
    /// Measures DevicePeaks::samples alone, in a tenth of the time: whether a device is much too slow.
    [[nodiscard]] double peakSamples() const;
    /// Whether Simulation::inspect tells PassWork::pipeline: DeviceOptions::pipelineStatistics, of a driver that has
    /// VK_KHR_pipeline_executable_properties.
    [[nodiscard]] bool hasPipelineStatistics() const;

    struct Impl;
    [[nodiscard]] const std::shared_ptr<Impl>& impl() const { return impl_; }  ///< for the library itself

private:
    std::shared_ptr<Impl> impl_;
};

}  // namespace wisp

#endif
