// SPDX-License-Identifier: MIT
#include "engine/device.h"

#include "engine/device_choice.h"
#include "engine/instance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <stdexcept>

namespace wisp::engine {

namespace {

// VK_KHR_calibrated_timestamps has two names. The EXT name is preferred: older validation layers do not know the KHR name.
constexpr const char* kOptionalExtensions[] = {VK_EXT_MEMORY_BUDGET_EXTENSION_NAME, VK_KHR_SWAPCHAIN_EXTENSION_NAME,
                                               VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME, VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME,
                                               "VK_KHR_calibrated_timestamps"};

bool contains(const std::vector<std::string>& list, std::string_view name) { return std::ranges::find(list, name) != list.end(); }

/// What the host did not enable, one reason each.
std::vector<std::string> missingIn(const BorrowedDevice& host, const DeviceFeatures& enabled) {
    std::vector<std::string> missing;
    if (!contains(host.extensions, VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME))
        missing.emplace_back("extension VK_KHR_push_descriptor is not enabled");
    for (const auto& [name, member] : kRequiredFeatures)
        if (!(enabled.*member)) missing.push_back(fmt::format("feature {} is not enabled", name));
    return missing;
}

}  // namespace

Device::Device(const DeviceOptions& options)
    : options_(options), instance_(std::make_unique<Instance>(options.validate)), debugUtils_(instance_->debugUtils()) {
    Candidate chosen = chooseDevice(instance_->vk(), instance_->handle(), options);
    const DeviceFeatures supported = chosen.features;
    choose(std::move(chosen));
    try {
        createDevice(supported);
        createObjects();
    } catch (...) {
        destroy();
        throw;
    }
}

Device::Device(const BorrowedDevice& host, const DeviceOptions& options) : options_(options) {
    options_.validate = false;  // messages go to the host
    if (!host.getInstanceProcAddr || !host.instance || !host.physical || !host.device || !host.queue)
        throw std::invalid_argument("a borrowed device needs vkGetInstanceProcAddr, instance, physical device, device and queue");
    borrowDevice(host);
    try {
        createObjects();
    } catch (...) {
        destroy();
        throw;
    }
}

Device::~Device() { destroy(); }

void Device::choose(Candidate chosen) {
    physical_ = chosen.physical;
    queueFamily_ = chosen.queueFamily;
    timestampBits_ = chosen.timestampBits;
    report_ = std::move(chosen.report);
}

void Device::borrowDevice(const BorrowedDevice& host) {
    InstanceFunctions instance;
    instance.load(host.instance, host.getInstanceProcAddr);
    Candidate chosen = inspectDevice(instance, host.physical, 0, options_);
    const VkPhysicalDeviceFeatures2 none{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    const DeviceFeatures enabled = featuresIn(host.features ? *host.features : none);
    for (std::string& reason : missingIn(host, enabled)) chosen.report.refusals.push_back(std::move(reason));
    if (!chosen.report.refusals.empty())
        throw Error(ErrorKind::NoDevice, fmt::format("{}: {}", chosen.report.name, fmt::join(chosen.report.refusals, "; ")));
    useQueue(instance, chosen, host.queueFamily);
    chosen.report.reductions = chosen.report.reductions && enabled.samplerFilterMinmax;
    chosen.report.statistics = chosen.report.statistics && enabled.pipelineStatisticsQuery;
    choose(std::move(chosen));
    host_ = host;
    host_.features = nullptr;  // it need not live longer than this call
    extensions_ = host.extensions;
    device_ = host.device;
    queue_ = host.queue;
    vk.load(instance, device_);
    debugUtils_ = vk.SetDebugUtilsObjectNameEXT != nullptr;
}

void Device::createDevice(const DeviceFeatures& supported) {
    VkPhysicalDeviceVulkan13Features v13{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
    VkPhysicalDeviceVulkan12Features v12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    v12.pNext = &v13;
    VkPhysicalDeviceFeatures2 features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &v12, {}};
    DeviceFeatures wanted = supported;
    wanted.samplerFilterMinmax = report_.reductions ? VK_TRUE : VK_FALSE;  // the formats must support it, too
    setFeatures(features, wanted);

    VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR executables{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR};
    executables.pipelineExecutableInfo = VK_TRUE;  // every device with the extension supports it

    std::vector<const char*> extensions{VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME};
    const auto has = [&](const char* name) { return hasDeviceExtension(instance_->vk(), physical_, name); };
    for (const char* optional : kOptionalExtensions) {
        const bool twice = optional == std::end(kOptionalExtensions)[-1] && has(VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME);
        if (has(optional) && !twice) extensions.push_back(optional);
    }
    if (options_.pipelineStatistics && has(VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME)) {
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
    check(instance_->vk().CreateDevice(physical_, &info, nullptr, &device_), "vkCreateDevice " + report_.name);
    vk.load(instance_->vk(), device_);
    vk.GetDeviceQueue(device_, queueFamily_, 0, &queue_);
    setName(VK_OBJECT_TYPE_DEVICE, device_, "wisp");
    setName(VK_OBJECT_TYPE_QUEUE, queue_, "compute");
}

void Device::createObjects() {
    VkSemaphoreTypeCreateInfo type{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
    type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
    const VkSemaphoreCreateInfo semaphore{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type, 0};
    check(vk.CreateSemaphore(device_, &semaphore, nullptr, &timeline_), "vkCreateSemaphore");

    setName(VK_OBJECT_TYPE_SEMAPHORE, timeline_, "frames done");

    samplers_.create(vk, device_, report_.reductions,
                     [this](VkSampler sampler, const char* name) { setName(VK_OBJECT_TYPE_SAMPLER, sampler, name); });
    const bool budget = hasExtension(VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
    memory_ = std::make_unique<Memory>(vk, physical_, device_, budget, isCpu(), [this](VkDeviceMemory memory, const std::string& name) {
        setName(VK_OBJECT_TYPE_DEVICE_MEMORY, memory, name);
        ++counters.allocations;
    });
}

void Device::destroy() noexcept {
    if (!device_) return;
    drain();
    runRetired(std::numeric_limits<std::uint64_t>::max());
    memory_.reset();
    samplers_.destroy(vk, device_);
    if (timeline_) vk.DestroySemaphore(device_, timeline_, nullptr);
    if (instance_) vk.DestroyDevice(device_, nullptr);
}

VkInstance Device::instance() const { return instance_ ? instance_->handle() : host_.instance; }

std::uint64_t Device::submit(VkCommandBuffer commands, const SemaphorePoint& wait, const SemaphorePoint& signal) {
    VkCommandBufferSubmitInfo buffer{VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO};
    buffer.commandBuffer = commands;
    const VkPipelineStageFlags2 waiting = isBorrowed() ? VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT : VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
    const auto point = [](const SemaphorePoint& p, VkPipelineStageFlags2 stages) {
        return VkSemaphoreSubmitInfo{VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, p.semaphore, p.value, stages, 0};
    };
    const VkSemaphoreSubmitInfo waits = point(wait, waiting);
    const VkSemaphoreSubmitInfo signals[] = {point({timeline_, submitted_ + 1}, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT),
                                             point(signal, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT)};
    VkSubmitInfo2 info{VK_STRUCTURE_TYPE_SUBMIT_INFO_2};
    info.commandBufferInfoCount = 1;
    info.pCommandBufferInfos = &buffer;
    info.waitSemaphoreInfoCount = wait.semaphore ? 1 : 0;
    info.pWaitSemaphoreInfos = &waits;
    info.signalSemaphoreInfoCount = signal.semaphore ? 2 : 1;
    info.pSignalSemaphoreInfos = signals;
    if (isBorrowed())
        flights_.push_back({submitted_ + 1, {timeline_, submitted_ + 1}});  // before the submit, which would be unknown if this threw
    if (host_.lock) host_.lock();
    const VkResult result = vk.QueueSubmit2(queue_, 1, &info, VK_NULL_HANDLE);
    if (host_.unlock) host_.unlock();
    if (result != VK_SUCCESS && isBorrowed()) flights_.pop_back();
    checkRun(result, "vkQueueSubmit2");
    ++submitted_;
    throwOnValidation();
    return submitted_;
}

void Device::checkRun(VkResult result, const char* call) const {
    if (result != VK_ERROR_DEVICE_LOST) return check(result, call);
    throw Error(ErrorKind::DeviceLost,
                fmt::format("{}: VK_ERROR_DEVICE_LOST: the device was lost; {}", call,
                            lastPass.empty() ? "no pass was recorded" : "the last pass recorded was " + lastPass),
                result);
}

std::uint64_t Device::leaveToHost(const SemaphorePoint& done) {
    flights_.push_back({submitted_ + 1, done});
    return ++submitted_;
}

std::uint64_t Device::valueOf(VkSemaphore semaphore) const {
    std::uint64_t value = 0;
    checkRun(vk.GetSemaphoreCounterValue(device_, semaphore, &value), "vkGetSemaphoreCounterValue");
    return value;
}

bool Device::reached(const Flight& flight) const { return valueOf(flight.done.semaphore) >= flight.done.value; }

std::uint64_t Device::completed() {
    if (!isBorrowed()) return valueOf(timeline_);
    while (!flights_.empty() && reached(flights_.front())) flights_.pop_front();
    return flights_.empty() ? submitted_ : flights_.front().serial - 1;
}

bool Device::idle() noexcept {
    try {
        return submitted_ == 0 || completed() >= submitted_;
    } catch (const std::exception&) {
        return false;
    }
}

void Device::wait(const Flight& flight) {
    const bool ofHost = flight.done.semaphore != timeline_;
    VkSemaphoreWaitInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
    info.semaphoreCount = 1;
    info.pSemaphores = &flight.done.semaphore;
    info.pValues = &flight.done.value;
    const std::uint64_t limit = ofHost ? static_cast<std::uint64_t>(host_.patience * 1e9) : std::numeric_limits<std::uint64_t>::max();
    const VkResult result = vk.WaitSemaphores(device_, &info, limit);
    if (result == VK_TIMEOUT)
        throw Error(ErrorKind::HostTimeout, fmt::format("commands that were recorded for the host have not run within {} s: it must submit "
                                                        "them, and its semaphore must reach {}",
                                                        host_.patience, flight.done.value));
    checkRun(result, "vkWaitSemaphores");
}

void Device::wait(std::uint64_t serial) {
    if (!isBorrowed()) return wait({serial, {timeline_, serial}});
    for (const Flight& flight : flights_)
        if (flight.serial <= serial) wait(flight);
}

void Device::waitForHost() {
    for (const Flight& flight : flights_)
        if (flight.done.semaphore != timeline_) wait(flight);
}

void Device::waitIdle() {
    ++counters.idleWaits;
    if (isBorrowed()) wait(submitted_);
    else checkRun(vk.DeviceWaitIdle(device_), "vkDeviceWaitIdle");
    collect();
    throwOnValidation();
}

void Device::drain() noexcept {
    if (!isBorrowed()) {
        vk.DeviceWaitIdle(device_);
        return;
    }
    try {
        wait(submitted_);
    } catch (const std::exception&) {  // the host never submitted its commands, so they do not run
    }
}

void Device::collect() { runRetired(completed()); }

void Device::runRetired(std::uint64_t done) {
    while (!retired_.empty() && retired_.front().serial <= done) {
        const auto destroy = std::move(retired_.front().destroy);  // may retire others
        retired_.pop_front();
        destroy();
    }
}

bool Device::hasExtension(std::string_view name) const { return contains(extensions_, name); }

void Device::setObjectName(VkObjectType type, std::uint64_t handle, const std::string& name) const {
    if (!debugUtils_) return;
    VkDebugUtilsObjectNameInfoEXT info{VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT};
    info.objectType = type;
    info.objectHandle = handle;
    info.pObjectName = name.c_str();
    vk.SetDebugUtilsObjectNameEXT(device_, &info);  // a failure is harmless: the object only has no name
}

std::vector<std::string> Device::validationMessages() const { return instance_ ? instance_->log().all() : std::vector<std::string>(); }

void Device::clearValidationMessages() {
    if (instance_) instance_->log().clear();
}

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
