// SPDX-License-Identifier: MIT
#include "tests/api/host.h"

#include <stdexcept>
#include <utility>

namespace wisp::test {
namespace {

void check(VkResult result, const char* call) {
    if (result != VK_SUCCESS) throw std::runtime_error(std::string(call) + " failed: " + std::to_string(result));
}

VKAPI_ATTR VkBool32 VKAPI_CALL onMessage(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                         const VkDebugUtilsMessengerCallbackDataEXT* data, void* messages) {
    static_cast<std::vector<std::string>*>(messages)->emplace_back(data->pMessage);
    return VK_FALSE;
}

VkInstance makeInstance() {
    const VkValidationFeatureEnableEXT sync = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
    VkValidationFeaturesEXT validation{VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT};
    validation.enabledValidationFeatureCount = 1;
    validation.pEnabledValidationFeatures = &sync;
    VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
    application.apiVersion = DeviceRequirements::apiVersion;
    const char* const layers[] = {"VK_LAYER_KHRONOS_validation"};
    const char* const extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME, VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME};
    VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, &validation};
    info.pApplicationInfo = &application;
    info.enabledLayerCount = 1;
    info.ppEnabledLayerNames = layers;
    info.enabledExtensionCount = 2;
    info.ppEnabledExtensionNames = extensions;
    VkInstance instance = VK_NULL_HANDLE;
    check(vkCreateInstance(&info, nullptr, &instance), "vkCreateInstance");
    return instance;
}

}  // namespace

Host::Host(const HostOptions& options) : instance(makeInstance()) {
    VkDebugUtilsMessengerCreateInfoEXT messenger{VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
    messenger.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
    messenger.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
    messenger.pfnUserCallback = onMessage;
    messenger.pUserData = &messages;
    const auto create = reinterpret_cast<PFN_vkCreateDebugUtilsMessengerEXT>(
        vkGetInstanceProcAddr(instance, "vkCreateDebugUtilsMessengerEXT"));
    check(create(instance, &messenger, nullptr, &messenger_), "vkCreateDebugUtilsMessengerEXT");

    std::uint32_t one = 1;
    if (const VkResult found = vkEnumeratePhysicalDevices(instance, &one, &physical); found != VK_INCOMPLETE)
        check(found, "vkEnumeratePhysicalDevices");
    const DeviceRequirements needs(vkGetInstanceProcAddr, instance, physical);
    v12_.pNext = &v13_;
    features_.pNext = &v12_;
    if (options.features) needs.enable(features_);
    if (options.extensions) extensions_.assign(needs.extensions.begin(), needs.extensions.end());
    v12_.timelineSemaphore = VK_TRUE;  // used here, too
    v13_.synchronization2 = VK_TRUE;
    std::vector<const char*> names;
    for (const std::string& name : extensions_) names.push_back(name.c_str());
    const float priority = 1.0f;
    VkDeviceQueueCreateInfo queues{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
    queues.queueCount = 1;  // lavapipe and GPUs have graphics and compute in family 0
    queues.pQueuePriorities = &priority;
    VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &features_};
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queues;
    info.enabledExtensionCount = static_cast<std::uint32_t>(names.size());
    info.ppEnabledExtensionNames = names.data();
    check(vkCreateDevice(physical, &info, nullptr, &device), "vkCreateDevice");
    vkGetDeviceQueue(device, family, 0, &queue);

    const VkSemaphoreTypeCreateInfo type{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO, nullptr, VK_SEMAPHORE_TYPE_TIMELINE, 0};
    const VkSemaphoreCreateInfo semaphore{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type, 0};
    check(vkCreateSemaphore(device, &semaphore, nullptr, &timeline), "vkCreateSemaphore");
    const VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, nullptr, 0, family};
    check(vkCreateCommandPool(device, &pool, nullptr, &pool_), "vkCreateCommandPool");
}

Host::~Host() {
    vkDeviceWaitIdle(device);
    vkDestroyCommandPool(device, pool_, nullptr);
    vkDestroySemaphore(device, timeline, nullptr);
    vkDestroyDevice(device, nullptr);
    const auto destroy = reinterpret_cast<PFN_vkDestroyDebugUtilsMessengerEXT>(
        vkGetInstanceProcAddr(instance, "vkDestroyDebugUtilsMessengerEXT"));
    destroy(instance, messenger_, nullptr);
    vkDestroyInstance(instance, nullptr);
}

DeviceRef Host::ref() {
    DeviceRef ref;
    ref.getInstanceProcAddr = vkGetInstanceProcAddr;
    ref.instance = instance;
    ref.physicalDevice = physical;
    ref.device = device;
    ref.queue = queue;
    ref.queueFamily = family;
    ref.lock = [this] {
        if (std::exchange(locked, true)) throw std::runtime_error("the queue is locked twice");
        ++locks;
    };
    ref.unlock = [this] { locked = false; };
    ref.extensions = extensions_;
    ref.features = &features_;
    return ref;
}

VkCommandBuffer Host::newCommands() {
    const VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, pool_, VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                           1};
    VkCommandBuffer commands = VK_NULL_HANDLE;
    check(vkAllocateCommandBuffers(device, &info, &commands), "vkAllocateCommandBuffers");
    return commands;
}

void Host::recordOnly(const std::function<void(VkCommandBuffer, std::uint64_t)>& record) {
    const VkCommandBuffer commands = newCommands();
    const VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    check(vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
    record(commands, value + pending_.size() + 1);
    check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    pending_.push_back(commands);
}

void Host::submitPending() {
    for (const VkCommandBuffer commands : std::exchange(pending_, {})) {
        const VkCommandBufferSubmitInfo buffer{VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, nullptr, commands, 0};
        const VkSemaphoreSubmitInfo signal{VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, timeline, ++value,
                                           VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,    0};
        VkSubmitInfo2 info{VK_STRUCTURE_TYPE_SUBMIT_INFO_2};
        info.commandBufferInfoCount = 1;
        info.pCommandBufferInfos = &buffer;
        info.signalSemaphoreInfoCount = 1;
        info.pSignalSemaphoreInfos = &signal;
        check(vkQueueSubmit2(queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit2");
    }
}

void Host::submit(const std::function<void(VkCommandBuffer, std::uint64_t)>& record) {
    recordOnly(record);
    submitPending();
}

void Host::wait() {
    const VkSemaphoreWaitInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO, nullptr, 0, 1, &timeline, &value};
    check(vkWaitSemaphores(device, &info, ~0ull), "vkWaitSemaphores");
}

HostImage::HostImage(Host& h, std::uint32_t width, std::uint32_t height, VkFormat format, VkImageAspectFlags aspect,
                     VkImageUsageFlags usage)
    : host(h) {
    VkImageCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
    info.imageType = VK_IMAGE_TYPE_2D;
    info.format = format;
    info.extent = {width, height, 1};
    info.mipLevels = info.arrayLayers = 1;
    info.samples = VK_SAMPLE_COUNT_1_BIT;
    info.usage = usage;
    check(vkCreateImage(host.device, &info, nullptr, &image), "vkCreateImage");
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(host.device, image, &needs);
    VkMemoryAllocateInfo allocation{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, nullptr, needs.size, 0};
    while ((needs.memoryTypeBits >> allocation.memoryTypeIndex & 1u) == 0) ++allocation.memoryTypeIndex;
    check(vkAllocateMemory(host.device, &allocation, nullptr, &memory), "vkAllocateMemory");
    check(vkBindImageMemory(host.device, image, memory, 0), "vkBindImageMemory");
    VkImageViewCreateInfo of{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
    of.image = image;
    of.viewType = VK_IMAGE_VIEW_TYPE_2D;
    of.format = format;
    of.subresourceRange = {aspect, 0, 1, 0, 1};
    check(vkCreateImageView(host.device, &of, nullptr, &view), "vkCreateImageView");
}

HostImage::~HostImage() {
    vkDestroyImageView(host.device, view, nullptr);
    vkDestroyImage(host.device, image, nullptr);
    vkFreeMemory(host.device, memory, nullptr);
}

HostBuffer::HostBuffer(Host& h, VkDeviceSize size) : host(h), bytes(size) {
    VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
    info.size = bytes;
    info.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    check(vkCreateBuffer(host.device, &info, nullptr, &buffer), "vkCreateBuffer");
    VkMemoryRequirements needs{};
    vkGetBufferMemoryRequirements(host.device, buffer, &needs);
    VkPhysicalDeviceMemoryProperties types{};
    vkGetPhysicalDeviceMemoryProperties(host.physical, &types);
    constexpr VkMemoryPropertyFlags kWanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    std::uint32_t type = 0;
    while ((needs.memoryTypeBits & (1u << type)) == 0 || (types.memoryTypes[type].propertyFlags & kWanted) != kWanted) ++type;
    const VkMemoryAllocateInfo allocation{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, nullptr, needs.size, type};
    check(vkAllocateMemory(host.device, &allocation, nullptr, &memory), "vkAllocateMemory");
    check(vkBindBufferMemory(host.device, buffer, memory, 0), "vkBindBufferMemory");
    check(vkMapMemory(host.device, memory, 0, VK_WHOLE_SIZE, 0, &mapped), "vkMapMemory");
}

HostBuffer::~HostBuffer() {
    vkDestroyBuffer(host.device, buffer, nullptr);
    vkFreeMemory(host.device, memory, nullptr);
}

void HostBuffer::copy(VkCommandBuffer commands, VkBuffer from) const {
    const VkBufferCopy all{0, 0, bytes};
    vkCmdCopyBuffer(commands, from, buffer, 1, &all);
    const VkMemoryBarrier barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_HOST_READ_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

}  // namespace wisp::test
