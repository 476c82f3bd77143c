// SPDX-License-Identifier: MIT
// A Vulkan layer that makes calls fail, for tests of the shipped program. The loader finds the layer by VK_ADD_LAYER_PATH and enables it by
// VK_INSTANCE_LAYERS. It supports one instance and one device at a time. Environment variables select the faults:
//
//   WISP_FAULT=CALL:N:WHAT    The N-th call (from 1) of the function CALL fails; N+: all calls from the N-th on.
//                             CALL may be * for every function that is counted here.
//                             WHAT is the number of a VkResult that the call returns, or
//                             SIGINT: the process gets the signal, and the call continues, or
//                             HANG: the call never returns; the log gets the line "calls hanging 1" at once.
//   WISP_FAULT_WHEN=FILE      Calls are counted only after this file exists.
//   WISP_FAULT_LACKS=A,B      What devices do not support: features, extensions, formats, or other words that `lacks` tests below.
//   WISP_FAULT_LOG=FILE       Gets these lines at the end: "calls CALL COUNT" for the number of calls, "live CALL COUNT" for the number of
//                             objects that were not destroyed, "calls memory KIB" for the maximum resident memory.
//
// A lost device stays lost. Work that was submitted before has finished by then, so that it does not use memory that is being freed.
#include "tests/faults/fault.h"

#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <vector>

namespace wisp::test {
namespace {

using Next = PFN_vkVoidFunction;

// Functions that can return VK_ERROR_DEVICE_LOST.
constexpr std::string_view kTellLoss[] = {"vkQueueSubmit2",    "vkWaitSemaphores",     "vkGetSemaphoreCounterValue",
                                          "vkDeviceWaitIdle",  "vkQueueWaitIdle",      "vkGetQueryPoolResults",
                                          "vkQueuePresentKHR", "vkAcquireNextImageKHR"};

/// State of the layer. It is never destroyed, because threads of the program may still call the layer at exit.
struct LayerState {
    std::mutex mutex;
    Fault fault = readFault("WISP_FAULT");
    std::map<std::string, long, std::less<>> calls, live;
    bool lost = false;
    PFN_vkGetInstanceProcAddr instanceProc = nullptr;
    PFN_vkGetDeviceProcAddr deviceProc = nullptr;
    VkInstance instance = VK_NULL_HANDLE;
    VkDevice device = VK_NULL_HANDLE;
    std::map<std::string, Next, std::less<>> below;

    template <class Function>
    Function next(std::string_view name) {
        return reinterpret_cast<Function>(below.find(name)->second);
    }
    std::optional<VkResult> strike(std::string_view call);
};

LayerState& layerState() {
    static LayerState* const w = new LayerState;
    return *w;
}

std::optional<VkResult> LayerState::strike(std::string_view call) {
    const std::lock_guard lock(mutex);
    ++calls[std::string(call)];
    const bool tells = std::find(std::begin(kTellLoss), std::end(kTellLoss), call) != std::end(kTellLoss);
    const bool struck = fault.strikes(call);
    const bool loses = struck && fault.what == VK_ERROR_DEVICE_LOST;
    if (loses && device) next<PFN_vkDeviceWaitIdle>("vkDeviceWaitIdle")(device);
    lost = lost || loses;
    if (lost && tells) return VK_ERROR_DEVICE_LOST;
    if (struck && fault.signal == 0) return static_cast<VkResult>(fault.what);
    return std::nullopt;
}

bool lacks(std::string_view what) {
    const char* const given = std::getenv("WISP_FAULT_LACKS");
    std::istringstream words(given ? given : "");
    for (std::string word; std::getline(words, word, ',');)
        if (word == what) return true;
    return false;
}

template <std::size_t N>
struct Text {
    char text[N];
    constexpr Text(const char (&t)[N]) { std::copy_n(t, N, text); }
};

/// Replaces a function that may fail. `made`: it creates an object in its last argument.
template <Text name, bool made, class Function>
struct Hook;
template <Text name, bool made, class... A>
struct Hook<name, made, VkResult(VKAPI_PTR*)(A...)> {
    static VKAPI_ATTR VkResult VKAPI_CALL call(A... a) {
        if (const auto result = layerState().strike(name.text)) return *result;
        const VkResult result = layerState().next<VkResult(VKAPI_PTR*)(A...)>(name.text)(a...);
        const std::lock_guard lock(layerState().mutex);
        if (made && result == VK_SUCCESS) ++layerState().live[name.text];
        return result;
    }
};

/// Replaces the function that destroys an object created by `creator`.
template <Text name, Text creator, class Function>
struct DestroyHook;
template <Text name, Text creator, class Parent, class Handle>
struct DestroyHook<name, creator, void(VKAPI_PTR*)(Parent, Handle, const VkAllocationCallbacks*)> {
    static VKAPI_ATTR void VKAPI_CALL call(Parent parent, Handle handle, const VkAllocationCallbacks* allocator) {
        layerState().next<void(VKAPI_PTR*)(Parent, Handle, const VkAllocationCallbacks*)>(name.text)(parent, handle, allocator);
        const std::lock_guard lock(layerState().mutex);
        if (handle) --layerState().live[creator.text];
    }
};

// --- Missing features of devices --------------------------------------------------------------------------------------------------------

VKAPI_ATTR void VKAPI_CALL features(VkPhysicalDevice physical, VkPhysicalDeviceFeatures2* all) {
    layerState().next<PFN_vkGetPhysicalDeviceFeatures2>("vkGetPhysicalDeviceFeatures2")(physical, all);
    const auto mask = [](VkBool32& has, const char* name) {
        if (lacks(name)) has = VK_FALSE;
    };
    mask(all->features.shaderStorageImageWriteWithoutFormat, "shaderStorageImageWriteWithoutFormat");
    for (auto* s = static_cast<VkBaseOutStructure*>(all->pNext); s; s = s->pNext) {
        if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES) {
            auto* v13 = reinterpret_cast<VkPhysicalDeviceVulkan13Features*>(s);
            mask(v13->synchronization2, "synchronization2");
            mask(v13->maintenance4, "maintenance4");
        }
        if (s->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES) continue;
        auto* v12 = reinterpret_cast<VkPhysicalDeviceVulkan12Features*>(s);
        mask(v12->timelineSemaphore, "timelineSemaphore");
        mask(v12->scalarBlockLayout, "scalarBlockLayout");
        mask(v12->hostQueryReset, "hostQueryReset");
        mask(v12->bufferDeviceAddress, "bufferDeviceAddress");
    }
}

VKAPI_ATTR void VKAPI_CALL properties(VkPhysicalDevice physical, VkPhysicalDeviceProperties* p) {
    layerState().next<PFN_vkGetPhysicalDeviceProperties>("vkGetPhysicalDeviceProperties")(physical, p);
    if (lacks("vulkan1.3")) p->apiVersion = VK_API_VERSION_1_2;
    if (lacks("invocations")) p->limits.maxComputeWorkGroupInvocations = 128;
    if (lacks("shared memory")) p->limits.maxComputeSharedMemorySize = 16384;
}

VKAPI_ATTR void VKAPI_CALL properties2(VkPhysicalDevice physical, VkPhysicalDeviceProperties2* p) {
    layerState().next<PFN_vkGetPhysicalDeviceProperties2>("vkGetPhysicalDeviceProperties2")(physical, p);
    for (auto* s = static_cast<VkBaseOutStructure*>(p->pNext); s; s = s->pNext)
        if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES && lacks("subgroup arithmetic"))
            reinterpret_cast<VkPhysicalDeviceSubgroupProperties*>(s)->supportedOperations &= ~static_cast<VkSubgroupFeatureFlags>(
                VK_SUBGROUP_FEATURE_ARITHMETIC_BIT);
}

VKAPI_ATTR void VKAPI_CALL formatProperties(VkPhysicalDevice physical, VkFormat format, VkFormatProperties* p) {
    layerState().next<PFN_vkGetPhysicalDeviceFormatProperties>("vkGetPhysicalDeviceFormatProperties")(physical, format, p);
    if (format == VK_FORMAT_R16G16B16A16_SFLOAT && lacks("rgba16f"))
        p->optimalTilingFeatures &= ~static_cast<VkFormatFeatureFlags>(VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT);
}

VKAPI_ATTR void VKAPI_CALL queueFamilies(VkPhysicalDevice physical, std::uint32_t* count, VkQueueFamilyProperties* families) {
    layerState().next<PFN_vkGetPhysicalDeviceQueueFamilyProperties>("vkGetPhysicalDeviceQueueFamilyProperties")(physical, count, families);
    for (std::uint32_t i = 0; families && i < *count && lacks("timestamps"); ++i) families[i].timestampValidBits = 0;
}

VKAPI_ATTR VkResult VKAPI_CALL deviceExtensions(VkPhysicalDevice physical, const char* layer, std::uint32_t* count,
                                                VkExtensionProperties* list) {
    if (layer && std::strcmp(layer, "VK_LAYER_WISP_faults") == 0) return *count = 0, VK_SUCCESS;
    if (const auto result = layerState().strike("vkEnumerateDeviceExtensionProperties")) return *result;
    const auto next = layerState().next<PFN_vkEnumerateDeviceExtensionProperties>("vkEnumerateDeviceExtensionProperties");
    std::uint32_t all = 0;
    next(physical, layer, &all, nullptr);
    std::vector<VkExtensionProperties> found(all);
    if (const VkResult result = next(physical, layer, &all, found.data()); result != VK_SUCCESS) return result;
    std::erase_if(found, [](const VkExtensionProperties& e) { return lacks(e.extensionName); });
    if (list) std::copy_n(found.begin(), std::min<std::size_t>(*count, found.size()), list);
    const VkResult result = list && *count < found.size() ? VK_INCOMPLETE : VK_SUCCESS;
    *count = list ? std::min(*count, static_cast<std::uint32_t>(found.size())) : static_cast<std::uint32_t>(found.size());
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL physicalDevices(VkInstance instance, std::uint32_t* count, VkPhysicalDevice* list) {
    if (const auto result = layerState().strike("vkEnumeratePhysicalDevices")) return *result;
    if (lacks("devices")) return *count = 0, VK_SUCCESS;
    return layerState().next<PFN_vkEnumeratePhysicalDevices>("vkEnumeratePhysicalDevices")(instance, count, list);
}

// --- The layer chain --------------------------------------------------------------------------------------------------------------------

void writeLog() {
    LayerState& w = layerState();
    const std::lock_guard lock(w.mutex);
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    std::string text = "calls memory " + std::to_string(usage.ru_maxrss) + "\n";
    for (const auto& [name, count] : w.calls) text += "calls " + name + " " + std::to_string(count) + "\n";
    for (const auto& [name, count] : w.live)
        if (count != 0) text += "live " + name + " " + std::to_string(count) + "\n";
    appendToLog(text);
}

template <class Info>
Info* linkOf(const void* chain, VkStructureType type) {
    for (const auto* s = static_cast<const VkBaseInStructure*>(chain); s; s = s->pNext) {
        auto* info = const_cast<Info*>(reinterpret_cast<const Info*>(s));
        if (s->sType == type && info->function == VK_LAYER_LINK_INFO) return info;
    }
    return nullptr;
}

VKAPI_ATTR VkResult VKAPI_CALL createInstance(const VkInstanceCreateInfo* info, const VkAllocationCallbacks* allocator,
                                              VkInstance* instance);
VKAPI_ATTR VkResult VKAPI_CALL createDevice(VkPhysicalDevice physical, const VkDeviceCreateInfo* info,
                                            const VkAllocationCallbacks* allocator, VkDevice* device);

VKAPI_ATTR void VKAPI_CALL destroyInstance(VkInstance instance, const VkAllocationCallbacks* allocator) {
    layerState().next<PFN_vkDestroyInstance>("vkDestroyInstance")(instance, allocator);
    const std::lock_guard lock(layerState().mutex);
    --layerState().live["vkCreateInstance"];
}

VKAPI_ATTR void VKAPI_CALL destroyDevice(VkDevice device, const VkAllocationCallbacks* allocator) {
    if (!device) return;
    layerState().next<PFN_vkDestroyDevice>("vkDestroyDevice")(device, allocator);
    const std::lock_guard lock(layerState().mutex);
    layerState().device = VK_NULL_HANDLE;
    --layerState().live["vkCreateDevice"];
}

struct Entry {
    std::string_view name;
    Next function;
    bool ofDevice;
};

template <class Function>
Next plain(Function function) {
    return reinterpret_cast<Next>(function);
}

using CreateSurface = VkResult(VKAPI_PTR*)(VkInstance, const void*, const VkAllocationCallbacks*, VkSurfaceKHR*);

#define WISP_INSTANCE(name, function) \
    Entry { #name, plain(function), false }
#define WISP_MAY_FAIL(name) \
    Entry { #name, plain(Hook <#name, false, PFN_##name>::call), true }
#define WISP_OBJECT(create, destroy)                                                \
    Entry{#create, plain(Hook<#create, true, PFN_##create>::call), true}, Entry {   \
#destroy, plain(DestroyHook <#destroy, #create, PFN_##destroy>::call), true \
    }

const std::vector<Entry>& entries() {
    static const std::vector<Entry> all{
        WISP_INSTANCE(vkCreateInstance, createInstance),
        WISP_INSTANCE(vkDestroyInstance, destroyInstance),
        WISP_INSTANCE(vkCreateDevice, createDevice),
        WISP_INSTANCE(vkEnumeratePhysicalDevices, physicalDevices),
        WISP_INSTANCE(vkEnumerateDeviceExtensionProperties, deviceExtensions),
        WISP_INSTANCE(vkGetPhysicalDeviceFeatures2, features),
        WISP_INSTANCE(vkGetPhysicalDeviceProperties, properties),
        WISP_INSTANCE(vkGetPhysicalDeviceProperties2, properties2),
        WISP_INSTANCE(vkGetPhysicalDeviceFormatProperties, formatProperties),
        WISP_INSTANCE(vkGetPhysicalDeviceQueueFamilyProperties, queueFamilies),
        WISP_INSTANCE(vkGetPhysicalDeviceImageFormatProperties,
                      (Hook<"vkGetPhysicalDeviceImageFormatProperties", false, PFN_vkGetPhysicalDeviceImageFormatProperties>::call)),
        // The structures of the window systems are only passed on, so their headers are not needed.
        WISP_INSTANCE(vkCreateXcbSurfaceKHR, (Hook<"vkCreateXcbSurfaceKHR", false, CreateSurface>::call)),
        WISP_INSTANCE(vkCreateXlibSurfaceKHR, (Hook<"vkCreateXlibSurfaceKHR", false, CreateSurface>::call)),
        Entry{"vkDestroyDevice", plain(destroyDevice), true},
        WISP_OBJECT(vkAllocateMemory, vkFreeMemory),
        WISP_OBJECT(vkCreateImage, vkDestroyImage),
        WISP_OBJECT(vkCreateBuffer, vkDestroyBuffer),
        WISP_OBJECT(vkCreateImageView, vkDestroyImageView),
        WISP_OBJECT(vkCreateSampler, vkDestroySampler),
        WISP_OBJECT(vkCreateSemaphore, vkDestroySemaphore),
        WISP_OBJECT(vkCreateCommandPool, vkDestroyCommandPool),
        WISP_OBJECT(vkCreateQueryPool, vkDestroyQueryPool),
        WISP_OBJECT(vkCreateShaderModule, vkDestroyShaderModule),
        WISP_OBJECT(vkCreateDescriptorSetLayout, vkDestroyDescriptorSetLayout),
        WISP_OBJECT(vkCreatePipelineLayout, vkDestroyPipelineLayout),
        WISP_OBJECT(vkCreatePipelineCache, vkDestroyPipelineCache),
        WISP_OBJECT(vkCreateComputePipelines, vkDestroyPipeline),  // wisp creates one pipeline per call
        WISP_MAY_FAIL(vkBindImageMemory),
        WISP_MAY_FAIL(vkBindBufferMemory),
        WISP_MAY_FAIL(vkMapMemory),
        WISP_MAY_FAIL(vkAllocateCommandBuffers),
        WISP_MAY_FAIL(vkResetCommandPool),
        WISP_MAY_FAIL(vkBeginCommandBuffer),
        WISP_MAY_FAIL(vkEndCommandBuffer),
        WISP_MAY_FAIL(vkQueueSubmit2),
        WISP_MAY_FAIL(vkWaitSemaphores),
        WISP_MAY_FAIL(vkGetSemaphoreCounterValue),
        WISP_MAY_FAIL(vkDeviceWaitIdle),
        WISP_MAY_FAIL(vkQueueWaitIdle),
        WISP_MAY_FAIL(vkGetQueryPoolResults),
        WISP_MAY_FAIL(vkGetPipelineCacheData),
        WISP_MAY_FAIL(vkGetCalibratedTimestampsEXT),
        WISP_MAY_FAIL(vkSetDebugUtilsObjectNameEXT),
        WISP_MAY_FAIL(vkQueuePresentKHR),
        WISP_MAY_FAIL(vkAcquireNextImageKHR),
    };
    return all;
}

const Entry* find(std::string_view name) {
    const auto found = std::find_if(entries().begin(), entries().end(), [&](const Entry& e) { return e.name == name; });
    return found == entries().end() ? nullptr : &*found;
}

VKAPI_ATTR VkResult VKAPI_CALL createInstance(const VkInstanceCreateInfo* info, const VkAllocationCallbacks* allocator,
                                              VkInstance* instance) {
    static const int once = std::atexit(writeLog);
    (void)once;
    LayerState& w = layerState();
    if (const auto result = w.strike("vkCreateInstance")) return *result;
    auto* const link = linkOf<VkLayerInstanceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
    w.instanceProc = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    const VkResult result = reinterpret_cast<PFN_vkCreateInstance>(w.instanceProc(nullptr, "vkCreateInstance"))(info, allocator, instance);
    if (result != VK_SUCCESS) return result;
    const std::lock_guard lock(w.mutex);
    ++w.live["vkCreateInstance"];
    w.instance = *instance;
    for (const Entry& e : entries())
        if (!e.ofDevice) w.below[std::string(e.name)] = w.instanceProc(*instance, e.name.data());
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL createDevice(VkPhysicalDevice physical, const VkDeviceCreateInfo* info,
                                            const VkAllocationCallbacks* allocator, VkDevice* device) {
    LayerState& w = layerState();
    if (const auto result = w.strike("vkCreateDevice")) return *result;
    auto* const link = linkOf<VkLayerDeviceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
    w.deviceProc = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    const VkResult result = w.next<PFN_vkCreateDevice>("vkCreateDevice")(physical, info, allocator, device);
    if (result != VK_SUCCESS) return result;
    const std::lock_guard lock(w.mutex);
    ++w.live["vkCreateDevice"];
    w.device = *device;
    for (const Entry& e : entries())
        if (e.ofDevice) w.below[std::string(e.name)] = w.deviceProc(*device, e.name.data());
    return result;
}

VKAPI_ATTR Next VKAPI_CALL getDeviceProc(VkDevice device, const char* name) {
    const Entry* const entry = find(name);
    const Next below = layerState().deviceProc(device, name);
    if (std::strcmp(name, "vkGetDeviceProcAddr") == 0) return plain(getDeviceProc);
    return entry && entry->ofDevice && below ? entry->function : below;
}

VKAPI_ATTR Next VKAPI_CALL getInstanceProc(VkInstance instance, const char* name) {
    if (std::strcmp(name, "vkGetInstanceProcAddr") == 0) return plain(getInstanceProc);
    if (std::strcmp(name, "vkGetDeviceProcAddr") == 0) return plain(getDeviceProc);
    const Entry* const entry = find(name);
    if (entry && (!entry->ofDevice || (instance && layerState().instanceProc(instance, name)))) return entry->function;
    return instance ? layerState().instanceProc(instance, name) : nullptr;
}

}  // namespace
}  // namespace wisp::test

extern "C" __attribute__((visibility("default"))) VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* version) {
    version->loaderLayerInterfaceVersion = 2;
    version->pfnGetInstanceProcAddr = wisp::test::getInstanceProc;
    version->pfnGetDeviceProcAddr = wisp::test::getDeviceProc;
    version->pfnGetPhysicalDeviceProcAddr = nullptr;
    return VK_SUCCESS;
}
