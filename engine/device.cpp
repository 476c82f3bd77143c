// SPDX-License-Identifier: MIT
#include "engine/device.h"

#include "engine/device_choice.h"
#include "engine/instance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace wisp::engine {

Device::Device(const DeviceOptions& options)
    : options_(options), instance_(std::make_unique<Instance>(options.validate)), debugUtils_(instance_->debugUtils()) {
    Candidate chosen = chooseDevice(instance_->handle(), options);
    physical_ = chosen.physical;
    queueFamily_ = chosen.queueFamily;
    timestampBits_ = chosen.timestampBits;
    report_ = std::move(chosen.report);
    try {
        createDevice();
        createObjects();
    } catch (...) {
        destroy();
        throw;
    }
}

Device::~Device() { destroy(); }

void Device::createDevice() {
    VkPhysicalDeviceVulkan13Features v13{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
    v13.synchronization2 = VK_TRUE;
    v13.maintenance4 = VK_TRUE;
    VkPhysicalDeviceVulkan12Features v12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    v12.pNext = &v13;
    v12.timelineSemaphore = VK_TRUE;
    v12.scalarBlockLayout = VK_TRUE;
    v12.hostQueryReset = VK_TRUE;
    v12.bufferDeviceAddress = VK_TRUE;
    v12.samplerFilterMinmax = report_.reductions ? VK_TRUE : VK_FALSE;
    VkPhysicalDeviceFeatures2 features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &v12, {}};
    features.features.shaderStorageImageWriteWithoutFormat = VK_TRUE;
    features.features.pipelineStatisticsQuery = report_.statistics ? VK_TRUE : VK_FALSE;

    VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR executables{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR};
    executables.pipelineExecutableInfo = VK_TRUE;  // every device with the extension supports it

    std::vector<const char*> extensions{VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME};
    // The extension has two names. The EXT name is preferred: older validation layers do not know the KHR name.
    const bool old = hasDeviceExtension(physical_, VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME);
    for (const char* optional : {VK_EXT_MEMORY_BUDGET_EXTENSION_NAME, VK_KHR_SWAPCHAIN_EXTENSION_NAME,
                                 old ? VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME : "VK_KHR_calibrated_timestamps"}) {
        if (hasDeviceExtension(physical_, optional)) extensions.push_back(optional);
    }
    if (options_.pipelineStatistics && hasDeviceExtension(physical_, VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME)) {
        extensions.push_back(VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME);
        v13.pNext = &executables;
    }

    extensions_.assign(extensions.begin(), extensions.end());

    const float priority = 1.0f;
    VkDeviceQueueCreateInfo queue{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
    queue.queueFamilyIndex = queueFamily_;
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
    info.pNext = &features;
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue;
    info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
    info.ppEnabledExtensionNames = extensions.data();
    check(vkCreateDevice(physical_, &info, nullptr, &device_), "vkCreateDevice " + report_.name);
    vkGetDeviceQueue(device_, queueFamily_, 0, &queue_);
    setName(VK_OBJECT_TYPE_DEVICE, device_, "wisp");
    setName(VK_OBJECT_TYPE_QUEUE, queue_, "compute");
}

void Device::createObjects() {
    VkSemaphoreTypeCreateInfo type{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
    type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
    const VkSemaphoreCreateInfo semaphore{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type, 0};
    check(vkCreateSemaphore(device_, &semaphore, nullptr, &timeline_), "vkCreateSemaphore");

    setName(VK_OBJECT_TYPE_SEMAPHORE, timeline_, "frames done");

    samplers_.create(device_, report_.reductions,
                     [this](VkSampler sampler, const char* name) { setName(VK_OBJECT_TYPE_SAMPLER, sampler, name); });
    memory_ = std::make_unique<Memory>(physical_, device_, isCpu(), [this](VkDeviceMemory memory, const std::string& name) {
        setName(VK_OBJECT_TYPE_DEVICE_MEMORY, memory, name);
        ++counters.allocations;
    });
}

void Device::destroy() noexcept {
    if (!device_) return;
    vkDeviceWaitIdle(device_);
    for (auto& retired : retired_) retired.destroy();
    retired_.clear();
    memory_.reset();
    samplers_.destroy(device_);
    vkDestroySemaphore(device_, timeline_, nullptr);
    vkDestroyDevice(device_, nullptr);
}

VkInstance Device::instance() const { return instance_->handle(); }

std::uint64_t Device::submit(VkCommandBuffer commands, VkSemaphore wait, VkSemaphore signal) {
    VkCommandBufferSubmitInfo buffer{VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO};
    buffer.commandBuffer = commands;
    const VkSemaphoreSubmitInfo waits{VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, wait, 0, VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, 0};
    const VkSemaphoreSubmitInfo signals[] = {
        {VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, timeline_, submitted_ + 1, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, 0},
        {VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, signal, 0, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, 0}};
    VkSubmitInfo2 info{VK_STRUCTURE_TYPE_SUBMIT_INFO_2};
    info.commandBufferInfoCount = 1;
    info.pCommandBufferInfos = &buffer;
    info.waitSemaphoreInfoCount = wait ? 1 : 0;
    info.pWaitSemaphoreInfos = &waits;
    info.signalSemaphoreInfoCount = signal ? 2 : 1;
    info.pSignalSemaphoreInfos = signals;
    check(vkQueueSubmit2(queue_, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit2");
    ++submitted_;
    throwOnValidation();
    return submitted_;
}

std::uint64_t Device::completed() const {
    std::uint64_t value = 0;
    check(vkGetSemaphoreCounterValue(device_, timeline_, &value), "vkGetSemaphoreCounterValue");
    return value;
}

bool Device::idle() const noexcept {
    std::uint64_t value = 0;
    return submitted_ == 0 || (vkGetSemaphoreCounterValue(device_, timeline_, &value) == VK_SUCCESS && value >= submitted_);
}

void Device::wait(std::uint64_t serial) {
    VkSemaphoreWaitInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
    info.semaphoreCount = 1;
    info.pSemaphores = &timeline_;
    info.pValues = &serial;
    check(vkWaitSemaphores(device_, &info, std::numeric_limits<std::uint64_t>::max()), "vkWaitSemaphores");
}

void Device::waitIdle() {
    ++counters.idleWaits;
    check(vkDeviceWaitIdle(device_), "vkDeviceWaitIdle");
    collect();
    throwOnValidation();
}

void Device::collect() {
    const std::uint64_t done = completed();
    while (!retired_.empty() && retired_.front().serial <= done) {
        const auto destroy = std::move(retired_.front().destroy);
        retired_.pop_front();
        destroy();
    }
}

bool Device::hasExtension(std::string_view name) const {
    return std::find(extensions_.begin(), extensions_.end(), name) != extensions_.end();
}

void Device::setObjectName(VkObjectType type, std::uint64_t handle, const std::string& name) const {
    if (!debugUtils_) return;
    VkDebugUtilsObjectNameInfoEXT info{VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT};
    info.objectType = type;
    info.objectHandle = handle;
    info.pObjectName = name.c_str();
    vkSetDebugUtilsObjectNameEXT(device_, &info);  // a failure is harmless: the object only has no name
}

std::vector<std::string> Device::validationMessages() const { return instance_->log().all(); }

void Device::clearValidationMessages() { instance_->log().clear(); }

void Device::throwOnValidation() const {
    if (!options_.validate) return;
    const auto messages = validationMessages();
    if (messages.empty()) return;
    throw Error(ErrorKind::Validation, fmt::format("{} validation message(s); the first: {}", messages.size(), messages.front()));
}

double Device::milliseconds(std::uint64_t begin, std::uint64_t end) const {
    return static_cast<double>((end - begin) & timestampMask()) * static_cast<double>(report_.limits.timestampPeriod) * 1e-6;
}

std::int64_t Device::nanoseconds(std::uint64_t begin, std::uint64_t end) const {
    const std::uint64_t mask = timestampMask(), ahead = (end - begin) & mask, back = (begin - end) & mask;
    const double period = static_cast<double>(report_.limits.timestampPeriod);
    return ahead <= back ? std::llround(static_cast<double>(ahead) * period) : -std::llround(static_cast<double>(back) * period);
}

}  // namespace wisp::engine
