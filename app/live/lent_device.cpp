// SPDX-License-Identifier: MIT
#include "app/live/lent_device.h"

#include <volk.h>

#include <exception>

namespace wisp::app {
namespace {

/// Signals what commands would signal that are never submitted.
void giveUp(engine::Device& device, const engine::SemaphorePoint& done) noexcept {
    try {
        if (device.submitted() >= done.value) return;
        device.wait(device.submitted());  // a timeline may only grow
    } catch (const std::exception&) {     // a lost device
    }
    VkSemaphoreSignalInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO};
    info.semaphore = done.semaphore;
    info.value = done.value;
    const auto signal = reinterpret_cast<PFN_vkSignalSemaphore>(vkGetInstanceProcAddr(device.instance(), "vkSignalSemaphore"));
    if (signal) (void)signal(device.handle(), &info);  // fails for a lost device, whose waits fail as well
}

}  // namespace

engine::DeviceOptions engineOptions(const DeviceOptions& o) {
    return {.select = o.select, .allowCpu = o.allowCpu, .validate = o.validate, .cacheFolder = o.cacheFolder};
}

Device libraryOn(const engine::Device& device, PFN_vkGetInstanceProcAddr functions) {
    const auto find = reinterpret_cast<GetInstanceProcAddr>(functions ? functions : vkGetInstanceProcAddr);
    const DeviceRequirements needs(find, device.instance(), device.physical());
    VkPhysicalDeviceVulkan13Features v13{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
    VkPhysicalDeviceVulkan12Features v12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    v12.pNext = &v13;
    VkPhysicalDeviceFeatures2 features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &v12, {}};
    needs.enable(features);  // the device was made with all that it has of them
    DeviceRef ref{.getInstanceProcAddr = find,
                  .instance = device.instance(),
                  .physicalDevice = device.physical(),
                  .device = device.handle(),
                  .queue = device.queue(),
                  .queueFamily = device.queueFamily(),
                  .features = &features};
    for (const char* extension : needs.extensions)
        if (device.hasExtension(extension)) ref.extensions.emplace_back(extension);
    return Device(ref, device.options().cacheFolder);
}

Error errorOf(const engine::Error& error) {
    const auto code = [&] {
        switch (error.kind()) {
            case engine::ErrorKind::NoDevice: return ErrorCode::NoDevice;
            case engine::ErrorKind::OutOfMemory: return ErrorCode::OutOfMemory;
            case engine::ErrorKind::DeviceLost: return ErrorCode::DeviceLost;
            case engine::ErrorKind::HostTimeout: return ErrorCode::HostTimeout;
            case engine::ErrorKind::Shader: return ErrorCode::Internal;
            case engine::ErrorKind::Validation: return ErrorCode::Validation;
            case engine::ErrorKind::Vulkan: break;
        }
        return ErrorCode::Vulkan;
    };
    return {code(), error.what()};
}

HostCommands lend(engine::Recorder& recorder) {
    const engine::HostFrame frame = recorder.lend();
    return {.commands = frame.commands, .timeline = frame.done.semaphore, .value = frame.done.value};
}

std::uint64_t submitFrame(engine::Recorder& recorder, const std::function<void()>& record) {
    recorder.begin();
    const engine::SemaphorePoint done = recorder.lend().done;
    try {
        record();
        return recorder.submit();
    } catch (...) {
        giveUp(recorder.device(), done);
        throw;
    }
}

}  // namespace wisp::app
