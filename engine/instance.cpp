// SPDX-License-Identifier: MIT
#include "engine/instance.h"

#include <fmt/format.h>
#include <volk.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace wisp::engine {

namespace {

constexpr const char* kValidationLayer = "VK_LAYER_KHRONOS_validation";

void loadVulkan() {
    if (volkInitialize() != VK_SUCCESS) {
        throw Error(ErrorKind::NoDevice,
                    "no Vulkan loader: libvulkan.so.1 not found (Debian: install libvulkan1 and mesa-vulkan-drivers or the GPU's driver)");
    }
    if (volkGetInstanceVersion() < VK_API_VERSION_1_3) {
        throw Error(ErrorKind::NoDevice, "the Vulkan loader is older than 1.3; install a newer libvulkan1");
    }
}

std::vector<VkExtensionProperties> instanceExtensions(const char* layer) {
    std::uint32_t count = 0;
    check(vkEnumerateInstanceExtensionProperties(layer, &count, nullptr), "vkEnumerateInstanceExtensionProperties");
    std::vector<VkExtensionProperties> found(count);
    check(vkEnumerateInstanceExtensionProperties(layer, &count, found.data()), "vkEnumerateInstanceExtensionProperties");
    return found;
}

bool contains(const std::vector<VkExtensionProperties>& list, const char* name) {
    return std::any_of(list.begin(), list.end(), [&](const auto& e) { return std::strcmp(e.extensionName, name) == 0; });
}

bool hasValidationLayer() {
    std::uint32_t count = 0;
    check(vkEnumerateInstanceLayerProperties(&count, nullptr), "vkEnumerateInstanceLayerProperties");
    std::vector<VkLayerProperties> layers(count);
    check(vkEnumerateInstanceLayerProperties(&count, layers.data()), "vkEnumerateInstanceLayerProperties");
    return std::any_of(layers.begin(), layers.end(), [](const auto& l) { return std::strcmp(l.layerName, kValidationLayer) == 0; });
}

VKAPI_ATTR VkBool32 VKAPI_CALL onMessage(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                         const VkDebugUtilsMessengerCallbackDataEXT* data, void* log) {
    const std::string message = data->pMessage, id = data->pMessageIdName ? data->pMessageIdName : "";
    // Newer layers no longer begin the message with its identifier.
    static_cast<MessageLog*>(log)->add(message.find(id) == std::string::npos ? fmt::format("[ {} ] {}", id, message) : message);
    return VK_FALSE;
}

VkDebugUtilsMessengerCreateInfoEXT messengerInfo(MessageLog& log) {
    VkDebugUtilsMessengerCreateInfoEXT info{VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
    info.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
    // No general messages: the loader uses them to report drivers that it could not open. No performance messages: the layer asks for
    // transfer layouts for copies, but images stay in VK_IMAGE_LAYOUT_GENERAL, which costs nothing on current GPUs.
    info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
    info.pfnUserCallback = onMessage;
    info.pUserData = &log;
    return info;
}

}  // namespace

void MessageLog::add(std::string message) {
    const std::lock_guard lock(mutex_);
    messages_.push_back(std::move(message));
}

void MessageLog::clear() {
    const std::lock_guard lock(mutex_);
    messages_.clear();
}

std::vector<std::string> MessageLog::all() const {
    const std::lock_guard lock(mutex_);
    return messages_;
}

Instance::Instance(bool validate) {
    loadVulkan();
    std::vector<const char*> layers;
    std::vector<const char*> extensions;
    const auto available = instanceExtensions(nullptr);
    debugUtils_ = contains(available, VK_EXT_DEBUG_UTILS_EXTENSION_NAME);

    if (validate) {
        if (!hasValidationLayer()) {
            throw Error(ErrorKind::Validation,
                        "validation requested, but VK_LAYER_KHRONOS_validation is not installed (Debian: vulkan-validationlayers)");
        }
        layers.push_back(kValidationLayer);
        extensions.push_back(VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME);
        debugUtils_ = true;  // the layer provides it
        // These parts of synchronization validation can only be enabled through the environment: hazards across submits in layers of
        // Vulkan 1.3, accesses by shaders in layers of 1.4. Values set by the user are kept.
        setenv("VK_LAYER_ENABLES", "VALIDATION_CHECK_ENABLE_SYNCHRONIZATION_VALIDATION_QUEUE_SUBMIT", 0);
        setenv("VK_KHRONOS_VALIDATION_SYNCVAL_SHADER_ACCESSES_HEURISTIC", "1", 0);
    }
    if (debugUtils_) extensions.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
    // A window needs these extensions; without a window they are harmless. VK_KHR_wayland_surface is left out: without a Wayland server
    // Mesa writes to stderr.
    for (const char* name : {"VK_KHR_surface", "VK_KHR_xcb_surface", "VK_KHR_xlib_surface"}) {
        if (contains(available, name)) extensions.push_back(name);
    }

    const VkValidationFeatureEnableEXT enabled = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
    VkValidationFeaturesEXT features{VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT};
    features.enabledValidationFeatureCount = 1;
    features.pEnabledValidationFeatures = &enabled;

    VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
    application.pApplicationName = "wisp";
    application.apiVersion = VK_API_VERSION_1_3;
    VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    info.pNext = validate ? &features : nullptr;
    info.pApplicationInfo = &application;
    info.enabledLayerCount = static_cast<std::uint32_t>(layers.size());
    info.ppEnabledLayerNames = layers.data();
    info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
    info.ppEnabledExtensionNames = extensions.data();
    check(vkCreateInstance(&info, nullptr, &instance_), "vkCreateInstance");
    vk_.load(instance_, vkGetInstanceProcAddr);
    if (validate) {
        const auto messenger = messengerInfo(log_);
        const VkResult result = vk_.CreateDebugUtilsMessengerEXT(instance_, &messenger, nullptr, &messenger_);
        if (result != VK_SUCCESS) vk_.DestroyInstance(instance_, nullptr);
        check(result, "vkCreateDebugUtilsMessengerEXT");
    }
}

Instance::~Instance() {
    if (messenger_) vk_.DestroyDebugUtilsMessengerEXT(instance_, messenger_, nullptr);
    if (instance_) vk_.DestroyInstance(instance_, nullptr);
}

}  // namespace wisp::engine
