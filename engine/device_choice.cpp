// SPDX-License-Identifier: MIT
#include "engine/device_choice.h"

#include "engine/device_selection.h"
#include "engine/instance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace wisp::engine {

namespace {

std::string typeName(VkPhysicalDeviceType type) {
    switch (type) {
        case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU: return "discrete";
        case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU: return "integrated";
        case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU: return "virtual";
        case VK_PHYSICAL_DEVICE_TYPE_CPU: return "cpu";
        default: return "other";
    }
}

std::string uuidText(const std::uint8_t (&uuid)[VK_UUID_SIZE]) {
    std::string text;
    for (std::size_t i = 0; i < VK_UUID_SIZE; ++i)
        text += fmt::format("{}{:02x}", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", uuid[i]);
    return text;
}

/// By which other programs know the device. Functions of a device before Vulkan 1.1 cannot tell.
void identify(const InstanceFunctions& vk, Candidate& c) {
    if (c.report.apiVersion < VK_API_VERSION_1_1) return;
    VkPhysicalDevicePCIBusInfoPropertiesEXT pci{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PCI_BUS_INFO_PROPERTIES_EXT};
    const bool hasPci = hasDeviceExtension(vk, c.physical, VK_EXT_PCI_BUS_INFO_EXTENSION_NAME);
    VkPhysicalDeviceIDProperties id{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES};
    if (hasPci) id.pNext = &pci;
    VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &id, {}};
    vk.GetPhysicalDeviceProperties2(c.physical, &properties);
    c.report.uuid = uuidText(id.deviceUUID);
    if (hasPci) c.report.pci = fmt::format("{:04x}:{:02x}:{:02x}.{:x}", pci.pciDomain, pci.pciBus, pci.pciDevice, pci.pciFunction);
}

void describe(const InstanceFunctions& vk, Candidate& c) {
    VkPhysicalDeviceProperties basic;
    vk.GetPhysicalDeviceProperties(c.physical, &basic);
    c.report.name = basic.deviceName;
    c.report.type = typeName(basic.deviceType);
    c.report.apiVersion = basic.apiVersion;
    c.report.limits = basic.limits;
    if (basic.apiVersion >= VK_API_VERSION_1_2) {
        VkPhysicalDeviceDriverProperties driver{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
        VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &driver, {}};
        vk.GetPhysicalDeviceProperties2(c.physical, &properties);
        c.report.driver = fmt::format("{} {}", driver.driverName, driver.driverInfo);
    }
    VkPhysicalDeviceMemoryProperties memory;
    vk.GetPhysicalDeviceMemoryProperties(c.physical, &memory);
    for (std::uint32_t i = 0; i < memory.memoryHeapCount; ++i) {
        if (memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) {
            c.report.memory = std::max(c.report.memory, memory.memoryHeaps[i].size);
        }
    }
}

std::vector<VkQueueFamilyProperties> queueFamilies(const InstanceFunctions& vk, VkPhysicalDevice physical) {
    std::uint32_t count = 0;
    vk.GetPhysicalDeviceQueueFamilyProperties(physical, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    vk.GetPhysicalDeviceQueueFamilyProperties(physical, &count, families.data());
    return families;
}

/// Prefers a family with graphics support, so that the same queue can present to a window.
void findQueue(const InstanceFunctions& vk, Candidate& c) {
    const std::vector<VkQueueFamilyProperties> families = queueFamilies(vk, c.physical);
    constexpr VkQueueFlags kPreferences[] = {VK_QUEUE_COMPUTE_BIT | VK_QUEUE_GRAPHICS_BIT, VK_QUEUE_COMPUTE_BIT};
    for (const VkQueueFlags wanted : kPreferences) {
        for (std::uint32_t i = 0; i < families.size(); ++i) {
            if ((families[i].queueFlags & wanted) != wanted || families[i].timestampValidBits == 0) continue;
            c.queueFamily = i;
            c.timestampBits = families[i].timestampValidBits;
            return;
        }
    }
    c.report.refusals.emplace_back("no compute queue with timestamps");
}

void checkFeatures(const InstanceFunctions& vk, Candidate& c) {
    VkPhysicalDeviceVulkan13Features v13{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
    VkPhysicalDeviceVulkan12Features v12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    v12.pNext = &v13;
    VkPhysicalDeviceFeatures2 features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &v12, {}};
    vk.GetPhysicalDeviceFeatures2(c.physical, &features);
    c.features = featuresIn(features);
    const auto need = [&](VkBool32 has, const char* name) {
        c.report.features.push_back({name, has != VK_FALSE});
        if (!has) c.report.refusals.push_back(fmt::format("feature {} is missing", name));
    };
    for (const auto& [name, member] : kRequiredFeatures) need(c.features.*member, name);
    VkPhysicalDeviceSubgroupProperties subgroups{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES};
    VkPhysicalDevicePushDescriptorPropertiesKHR pushed{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PUSH_DESCRIPTOR_PROPERTIES_KHR};
    subgroups.pNext = &pushed;
    VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &subgroups, {}};
    vk.GetPhysicalDeviceProperties2(c.physical, &properties);
    c.report.maxPushDescriptors = pushed.maxPushDescriptors;
    const bool reduces = (subgroups.supportedOperations & VK_SUBGROUP_FEATURE_ARITHMETIC_BIT) != 0 &&
                         (subgroups.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0;
    need(reduces ? VK_TRUE : VK_FALSE, "subgroup arithmetic");
    c.report.reductions = c.features.samplerFilterMinmax != VK_FALSE;
    c.report.statistics = c.features.pipelineStatisticsQuery != VK_FALSE;
    const bool pushes = hasDeviceExtension(vk, c.physical, VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME);
    c.report.features.push_back({VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME, pushes});
    if (!pushes) c.report.refusals.emplace_back("extension VK_KHR_push_descriptor is missing");
}

// Limits that the largest work group needs. The minimums required by Vulkan are lower.
void checkLimits(Candidate& c) {
    const VkPhysicalDeviceLimits& limits = c.report.limits;
    const auto need = [&](std::uint32_t has, std::uint32_t least, const char* what) {
        if (has < least) c.report.refusals.push_back(fmt::format("{} {}, needed {}", what, has, least));
    };
    need(limits.maxComputeWorkGroupInvocations, 1024, "invocations of a work group:");
    need(limits.maxComputeWorkGroupSize[0], 1024, "invocations of a work group along x:");
    need(limits.maxComputeSharedMemorySize, 32768, "bytes of shared memory of a work group:");
}

void checkFormats(const InstanceFunctions& vk, Candidate& c) {
    struct Needed {
        VkFormat format;
        const char* name;
        bool reduced = true;  // used with min and max samplers, if the device supports them
    };
    constexpr Needed kFormats[] = {
        {VK_FORMAT_R16G16B16A16_SFLOAT, "rgba16f"},
        {VK_FORMAT_R32G32B32A32_SFLOAT, "rgba32f"},
        {VK_FORMAT_R16_SFLOAT, "r16f"},
        {VK_FORMAT_R16G16_SFLOAT, "rg16f"},
        {VK_FORMAT_R32_SFLOAT, "r32f"},
        {VK_FORMAT_R32G32_SFLOAT, "rg32f"},
        {VK_FORMAT_R8G8B8A8_UNORM, "rgba8", false},
        {VK_FORMAT_R16G16B16A16_UNORM, "rgba16", false},
    };
    constexpr VkFormatFeatureFlags kWanted = VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT |
                                             VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT | VK_FORMAT_FEATURE_TRANSFER_SRC_BIT |
                                             VK_FORMAT_FEATURE_TRANSFER_DST_BIT;
    constexpr VkFormatFeatureFlags kReduced = VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_MINMAX_BIT;
    constexpr VkImageUsageFlags kUsage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                         VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    for (const auto& [format, name, reduced] : kFormats) {
        VkFormatProperties properties;
        vk.GetPhysicalDeviceFormatProperties(c.physical, format, &properties);
        if (reduced) c.report.reductions = c.report.reductions && (properties.optimalTilingFeatures & kReduced) != 0;
        VkImageFormatProperties limits;
        const VkResult volume = vk.GetPhysicalDeviceImageFormatProperties(c.physical, format, VK_IMAGE_TYPE_3D, VK_IMAGE_TILING_OPTIMAL,
                                                                          kUsage, 0, &limits);
        if (volume != VK_ERROR_FORMAT_NOT_SUPPORTED) check(volume, "vkGetPhysicalDeviceImageFormatProperties");
        if (volume != VK_SUCCESS || (properties.optimalTilingFeatures & kWanted) != kWanted) {
            c.report.refusals.push_back(fmt::format("format {} does not support 3D images with linear filtering and storage access", name));
        }
    }
}

}  // namespace

bool hasDeviceExtension(const InstanceFunctions& vk, VkPhysicalDevice physical, const char* name) {
    std::uint32_t count = 0;
    check(vk.EnumerateDeviceExtensionProperties(physical, nullptr, &count, nullptr), "vkEnumerateDeviceExtensionProperties");
    std::vector<VkExtensionProperties> found(count);
    check(vk.EnumerateDeviceExtensionProperties(physical, nullptr, &count, found.data()), "vkEnumerateDeviceExtensionProperties");
    return std::any_of(found.begin(), found.end(), [&](const auto& e) { return std::strcmp(e.extensionName, name) == 0; });
}

Candidate inspectDevice(const InstanceFunctions& vk, VkPhysicalDevice physical, std::uint32_t index, const DeviceOptions& options) {
    Candidate c;
    c.physical = physical;
    c.report.index = index;
    describe(vk, c);
    identify(vk, c);
    findQueue(vk, c);
    if (c.report.apiVersion < VK_API_VERSION_1_3) {
        c.report.refusals.push_back(fmt::format("Vulkan {}.{}; 1.3 or later is needed", VK_API_VERSION_MAJOR(c.report.apiVersion),
                                                VK_API_VERSION_MINOR(c.report.apiVersion)));
    } else {
        checkFeatures(vk, c);
        checkFormats(vk, c);
        checkLimits(c);
    }
    if (c.report.type == "cpu" && !options.allowCpu) c.report.refusals.emplace_back("software device, which is not allowed");
    return c;
}

std::vector<Candidate> inspectDevices(const InstanceFunctions& vk, VkInstance instance, const DeviceOptions& options) {
    std::uint32_t count = 0;
    check(vk.EnumeratePhysicalDevices(instance, &count, nullptr), "vkEnumeratePhysicalDevices");
    std::vector<VkPhysicalDevice> devices(count);
    check(vk.EnumeratePhysicalDevices(instance, &count, devices.data()), "vkEnumeratePhysicalDevices");
    std::vector<Candidate> candidates;
    for (std::uint32_t i = 0; i < count; ++i) candidates.push_back(inspectDevice(vk, devices[i], i, options));
    return candidates;
}

Candidate chooseDevice(const InstanceFunctions& vk, VkInstance instance, const DeviceOptions& options) {
    std::vector<Candidate> candidates = inspectDevices(vk, instance, options);
    std::vector<DeviceReport> reports;
    for (const Candidate& c : candidates) reports.push_back(c.report);
    return std::move(candidates[chooseAmong(reports, options.select)]);
}

void useQueue(const InstanceFunctions& vk, Candidate& candidate, std::uint32_t family) {
    const std::vector<VkQueueFamilyProperties> families = queueFamilies(vk, candidate.physical);
    const auto refuse = [&](const std::string& why) {
        throw Error(ErrorKind::NoDevice, fmt::format("{}: {}", candidate.report.name, why));
    };
    if (family >= families.size()) refuse(fmt::format("there is no queue family {}; the device has {}", family, families.size()));
    if (!(families[family].queueFlags & VK_QUEUE_COMPUTE_BIT))
        refuse(fmt::format("queue family {} cannot compute: it needs VK_QUEUE_COMPUTE_BIT", family));
    if (families[family].timestampValidBits == 0)
        refuse(fmt::format("queue family {} has no timestamps: its timestampValidBits must be above 0", family));
    candidate.queueFamily = family;
    candidate.timestampBits = families[family].timestampValidBits;
}

std::vector<DeviceReport> listDevices() {
    const Instance instance(false);
    std::vector<DeviceReport> reports;
    for (Candidate& c : inspectDevices(instance.vk(), instance.handle(), {})) reports.push_back(std::move(c.report));
    return reports;
}

}  // namespace wisp::engine
