// SPDX-License-Identifier: MIT
#include "gpu.h"

#include <array>
#include <cstdlib>
#include <cstring>

namespace {

constexpr const char* kValidation = "VK_LAYER_KHRONOS_validation";

bool hasLayer(const char* name) {
    std::uint32_t count = 0;
    check(vkEnumerateInstanceLayerProperties(&count, nullptr), "vkEnumerateInstanceLayerProperties");
    std::vector<VkLayerProperties> layers(count);
    check(vkEnumerateInstanceLayerProperties(&count, layers.data()), "vkEnumerateInstanceLayerProperties");
    for (const VkLayerProperties& layer : layers)
        if (std::strcmp(layer.layerName, name) == 0) return true;
    return false;
}

/// The first family that draws, computes, and presents if there is a window. wisp needs timestamps.
int findFamily(const GpuOptions& options, VkInstance instance, VkPhysicalDevice physical) {
    constexpr VkQueueFlags kWanted = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    std::uint32_t count = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families.data());
    for (std::uint32_t n = 0; n < count; ++n) {
        if ((families[n].queueFlags & kWanted) != kWanted || families[n].timestampValidBits == 0) continue;
        if (!options.presents || options.presents(instance, physical, n)) return static_cast<int>(n);
    }
    return -1;
}

/// The better, the lower.
int rank(VkPhysicalDeviceType type) {
    constexpr std::array kOrder{VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU,
                                VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU, VK_PHYSICAL_DEVICE_TYPE_CPU};
    int n = 0;
    while (n < static_cast<int>(kOrder.size()) && kOrder[static_cast<std::size_t>(n)] != type) ++n;
    return n;
}

}  // namespace

void Messages::add(const char* message) {
    const std::lock_guard lock(mutex_);
    all_.emplace_back(message);
}

void Messages::throwIfAny() const {
    const std::lock_guard lock(mutex_);
    if (!all_.empty())
        throw std::runtime_error(std::to_string(all_.size()) + " message(s) of the validation layer; the first: " + all_.front());
}

Gpu::Gpu(const GpuOptions& options) {
    createInstance(options);
    choose(options);
    createDevice(static_cast<bool>(options.presents));
}

void Gpu::createInstance(const GpuOptions& options) {
    std::vector<const char*> extensions = options.instanceExtensions, layers;
    if (options.messages) {
        if (!hasLayer(kValidation)) throw std::runtime_error(std::string(kValidation) + " is not installed");
        layers.push_back(kValidation);
        extensions.insert(extensions.end(), {VK_EXT_DEBUG_UTILS_EXTENSION_NAME, VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME});
        // Checks the synchronization of submits with each other, which older layers offer only here.
        setenv("VK_LAYER_ENABLES", "VALIDATION_CHECK_ENABLE_SYNCHRONIZATION_VALIDATION_QUEUE_SUBMIT", 0);
    }
    const VkValidationFeatureEnableEXT synchronization = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
    VkValidationFeaturesEXT features{VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT};
    features.enabledValidationFeatureCount = 1;
    features.pEnabledValidationFeatures = &synchronization;
    VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
    application.pApplicationName = "host";
    application.apiVersion = wisp::DeviceRequirements::apiVersion;
    VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    info.pNext = options.messages ? &features : nullptr;
    info.pApplicationInfo = &application;
    info.enabledLayerCount = static_cast<std::uint32_t>(layers.size());
    info.ppEnabledLayerNames = layers.data();
    info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
    info.ppEnabledExtensionNames = extensions.data();
    VkInstance made = VK_NULL_HANDLE;
    const VkResult result = vkCreateInstance(&info, nullptr, &made);
    if (result == VK_ERROR_INCOMPATIBLE_DRIVER) throw std::runtime_error("no Vulkan driver is installed, or none can be loaded");
    check(result, "vkCreateInstance");
    instance_ = {made, [](VkInstance i) { vkDestroyInstance(i, nullptr); }};
    if (!options.messages) return;

    VkDebugUtilsMessengerCreateInfoEXT wanted{VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
    wanted.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
    wanted.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
    wanted.pUserData = options.messages;
    wanted.pfnUserCallback = [](VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                const VkDebugUtilsMessengerCallbackDataEXT* data, void* user) -> VkBool32 {
        static_cast<Messages*>(user)->add(data->pMessage);
        return VK_FALSE;
    };
    const auto create = reinterpret_cast<PFN_vkCreateDebugUtilsMessengerEXT>(vkGetInstanceProcAddr(made, "vkCreateDebugUtilsMessengerEXT"));
    const auto destroy = reinterpret_cast<PFN_vkDestroyDebugUtilsMessengerEXT>(
        vkGetInstanceProcAddr(made, "vkDestroyDebugUtilsMessengerEXT"));
    VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
    check(create(made, &wanted, nullptr, &messenger), "vkCreateDebugUtilsMessengerEXT");
    messenger_ = {messenger, [made, destroy](VkDebugUtilsMessengerEXT m) { destroy(made, m, nullptr); }};
}

void Gpu::choose(const GpuOptions& options) {
    std::uint32_t count = 0;
    check(vkEnumeratePhysicalDevices(instance_, &count, nullptr), "vkEnumeratePhysicalDevices");
    std::vector<VkPhysicalDevice> devices(count);
    check(vkEnumeratePhysicalDevices(instance_, &count, devices.data()), "vkEnumeratePhysicalDevices");
    std::string refusals;
    int best = 0;
    for (const VkPhysicalDevice candidate : devices) {
        VkPhysicalDeviceProperties properties;
        vkGetPhysicalDeviceProperties(candidate, &properties);
        try {
            const wisp::DeviceRequirements needs(vkGetInstanceProcAddr, instance_, candidate);
        } catch (const wisp::Error& e) {
            refusals += std::string("\n  ") + e.what();
            continue;
        }
        const int found = findFamily(options, instance_, candidate);
        if (found < 0) refusals += std::string("\n  ") + properties.deviceName + ": no queue that draws, computes and presents";
        else if (!physical_ || rank(properties.deviceType) < best) {
            physical_ = candidate;
            family_ = static_cast<std::uint32_t>(found);
            best = rank(properties.deviceType);
        }
    }
    if (!physical_) throw std::runtime_error("no Vulkan device can be used:" + (refusals.empty() ? "\n  there is none" : refusals));
}

void Gpu::createDevice(bool window) {
    const wisp::DeviceRequirements needs(vkGetInstanceProcAddr, instance_, physical_);
    features12_.pNext = &features13_;
    features_.pNext = &features12_;
    features13_.dynamicRendering = VK_TRUE;  // for this program; every device of Vulkan 1.3 has it
    needs.enable(features_);
    std::vector<const char*> names = needs.extensions;
    if (window) names.push_back(VK_KHR_SWAPCHAIN_EXTENSION_NAME);
    extensions_.assign(names.begin(), names.end());

    const float priority = 1.0f;
    VkDeviceQueueCreateInfo queue{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
    queue.queueFamilyIndex = family_;
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &features_};
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue;
    info.enabledExtensionCount = static_cast<std::uint32_t>(names.size());
    info.ppEnabledExtensionNames = names.data();
    VkDevice made = VK_NULL_HANDLE;
    check(vkCreateDevice(physical_, &info, nullptr, &made), "vkCreateDevice");
    device_ = {made, [](VkDevice d) { vkDestroyDevice(d, nullptr); }};
    vkGetDeviceQueue(made, family_, 0, &queue_);
    pushDescriptorSet_ = reinterpret_cast<PFN_vkCmdPushDescriptorSetKHR>(vkGetDeviceProcAddr(made, "vkCmdPushDescriptorSetKHR"));
}

wisp::Device Gpu::lend() {
    wisp::DeviceRef host;
    host.getInstanceProcAddr = vkGetInstanceProcAddr;
    host.instance = instance_;
    host.physicalDevice = physical_;
    host.device = device_;
    host.queue = queue_;
    host.queueFamily = family_;
    host.lock = [this] { queueMutex_.lock(); };
    host.unlock = [this] { queueMutex_.unlock(); };
    host.extensions = extensions_;
    host.features = &features_;
    return wisp::Device(host);
}

std::string Gpu::name() const {
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(physical_, &properties);
    return properties.deviceName;
}

void Gpu::waitIdle() {
    const std::lock_guard lock(queueMutex_);
    check(vkDeviceWaitIdle(device_), "vkDeviceWaitIdle");
}

void Gpu::pushDescriptors(VkCommandBuffer commands, VkPipelineLayout layout, std::span<const VkWriteDescriptorSet> writes) const {
    pushDescriptorSet_(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, static_cast<std::uint32_t>(writes.size()), writes.data());
}
