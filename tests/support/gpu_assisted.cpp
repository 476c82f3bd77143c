// SPDX-License-Identifier: MIT
#include "tests/support/gpu_assisted.h"

#include "engine/device.h"

#include <cstdlib>
#include <deque>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wisp::test {
namespace {

constexpr std::uint32_t kSets = 512;        // sets per pool
constexpr std::size_t kPools = 32;          // then the oldest pool is reused: its 512 dispatches are 15,000 dispatches old
constexpr std::uint32_t kDescriptors = 32;  // descriptors per set; no shader has more
constexpr VkDescriptorType kTypes[] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                                       VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER};

/// The original Vulkan functions, and the state of the replacements.
struct World {
    engine::Functions vk;  // of the newest device; all are of one loader, so they fit every device
    PFN_vkCreateDescriptorPool createPool = nullptr;
    PFN_vkResetDescriptorPool resetPool = nullptr;
    PFN_vkDestroyDescriptorPool destroyPool = nullptr;
    PFN_vkAllocateDescriptorSets allocateSets = nullptr;
    PFN_vkUpdateDescriptorSets updateSets = nullptr;
    PFN_vkCmdBindDescriptorSets bindSets = nullptr;
    PFN_vkCreateDescriptorSetLayout createSetLayout = nullptr;
    PFN_vkCreatePipelineLayout createPipelineLayout = nullptr;
    PFN_vkSetDebugUtilsObjectNameEXT setName = nullptr;
    PFN_vkCmdBindPipeline bindPipeline = nullptr;
    PFN_vkQueueSubmit2 submit = nullptr;
    PFN_vkDestroyDevice destroyDevice = nullptr;
    struct Pools {
        std::deque<VkDescriptorPool> pools;  // the last one is in use
        std::uint32_t used = kSets;          // sets of the current pool
    };
    std::map<VkDevice, Pools> pools;
    struct Layout {
        VkDevice device;
        VkDescriptorSetLayout set;
    };
    std::map<VkPipelineLayout, Layout> layouts;
    std::map<VkSemaphore, std::uint64_t> reached;  // highest value submitted so far
    std::map<std::uint64_t, std::string> names;
    std::set<std::string> ran;
};

World& world() {
    static World w;
    return w;
}

VkDescriptorPool newPool(VkDevice device) {
    std::vector<VkDescriptorPoolSize> sizes;
    for (const VkDescriptorType type : kTypes) sizes.push_back({type, kSets * kDescriptors});
    VkDescriptorPoolCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
    info.maxSets = kSets;
    info.poolSizeCount = static_cast<std::uint32_t>(sizes.size());
    info.pPoolSizes = sizes.data();
    VkDescriptorPool pool = VK_NULL_HANDLE;
    engine::check(world().createPool(device, &info, nullptr, &pool), "vkCreateDescriptorPool");
    return pool;
}

VkDescriptorSet newSet(const World::Layout& layout) {
    auto& [pools, used] = world().pools[layout.device];
    if (used++ == kSets) {
        if (pools.size() < kPools) {
            pools.push_back(newPool(layout.device));
        } else {
            pools.push_back(pools.front());
            pools.pop_front();
            engine::check(world().resetPool(layout.device, pools.back(), 0), "vkResetDescriptorPool");
        }
        used = 1;
    }
    const VkDescriptorSetAllocateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, nullptr, pools.back(), 1, &layout.set};
    VkDescriptorSet set = VK_NULL_HANDLE;
    engine::check(world().allocateSets(layout.device, &info, &set), "vkAllocateDescriptorSets");
    return set;
}

VKAPI_ATTR VkResult VKAPI_CALL createSetLayout(VkDevice device, const VkDescriptorSetLayoutCreateInfo* info,
                                               const VkAllocationCallbacks* allocator, VkDescriptorSetLayout* layout) {
    VkDescriptorSetLayoutCreateInfo ordinary = *info;
    ordinary.flags &= ~static_cast<VkFlags>(VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR);
    return world().createSetLayout(device, &ordinary, allocator, layout);
}

VKAPI_ATTR VkResult VKAPI_CALL createPipelineLayout(VkDevice device, const VkPipelineLayoutCreateInfo* info,
                                                    const VkAllocationCallbacks* allocator, VkPipelineLayout* layout) {
    const VkResult result = world().createPipelineLayout(device, info, allocator, layout);
    if (result == VK_SUCCESS && info->setLayoutCount == 1) world().layouts[*layout] = {device, info->pSetLayouts[0]};
    return result;
}

VKAPI_ATTR void VKAPI_CALL pushDescriptorSet(VkCommandBuffer commands, VkPipelineBindPoint point, VkPipelineLayout layout, std::uint32_t,
                                             std::uint32_t count, const VkWriteDescriptorSet* given) {
    const World::Layout& found = world().layouts.at(layout);
    const VkDescriptorSet set = newSet(found);
    std::vector<VkWriteDescriptorSet> writes(given, given + count);
    for (VkWriteDescriptorSet& write : writes) write.dstSet = set;
    world().updateSets(found.device, count, writes.data(), 0, nullptr);
    world().bindSets(commands, point, layout, 0, 1, &set, 0, nullptr);
}

VKAPI_ATTR VkResult VKAPI_CALL setName(VkDevice device, const VkDebugUtilsObjectNameInfoEXT* info) {
    if (info->objectType == VK_OBJECT_TYPE_PIPELINE) world().names[info->objectHandle] = info->pObjectName;
    return world().setName(device, info);
}

VKAPI_ATTR void VKAPI_CALL bindPipeline(VkCommandBuffer commands, VkPipelineBindPoint point, VkPipeline pipeline) {
    world().ran.insert(world().names[reinterpret_cast<std::uint64_t>(pipeline)]);
    world().bindPipeline(commands, point, pipeline);
}

VKAPI_ATTR void VKAPI_CALL destroyDevice(VkDevice device, const VkAllocationCallbacks* allocator) {
    for (const VkDescriptorPool pool : world().pools[device].pools) world().destroyPool(device, pool, nullptr);
    world().pools.erase(device);
    world().reached.clear();
    world().destroyDevice(device, allocator);
}

VKAPI_ATTR VkResult VKAPI_CALL submit(VkQueue queue, std::uint32_t count, const VkSubmitInfo2* infos, VkFence fence) {
    VkResult result = world().submit(queue, count, infos, fence);
    if (result == VK_SUCCESS) result = world().vk.QueueWaitIdle(queue);
    for (std::uint32_t n = 0; n < infos->signalSemaphoreInfoCount; ++n)
        world().reached[infos->pSignalSemaphoreInfos[n].semaphore] = infos->pSignalSemaphoreInfos[n].value;
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL counterValue(VkDevice, VkSemaphore semaphore, std::uint64_t* value) {
    *value = world().reached[semaphore];
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL waitSemaphores(VkDevice, const VkSemaphoreWaitInfo*, std::uint64_t) { return VK_SUCCESS; }

template <class Function>
void find(Function& function, VkDevice device, const char* name) {
    function = reinterpret_cast<Function>(world().vk.GetDeviceProcAddr(device, name));
}

}  // namespace

bool gpuAssisted() {
    const char* const enabled = std::getenv("VK_LAYER_ENABLES");
    return enabled && std::string_view(enabled).find(kGpuAssisted) != std::string_view::npos;
}

void replacePushedDescriptors(engine::Device& device) {
    World& w = world();
    engine::Functions& vk = device.vk;
    w.vk = vk;
    find(w.createPool, device.handle(), "vkCreateDescriptorPool");
    find(w.resetPool, device.handle(), "vkResetDescriptorPool");
    find(w.destroyPool, device.handle(), "vkDestroyDescriptorPool");
    find(w.allocateSets, device.handle(), "vkAllocateDescriptorSets");
    find(w.updateSets, device.handle(), "vkUpdateDescriptorSets");
    find(w.bindSets, device.handle(), "vkCmdBindDescriptorSets");
    w.createSetLayout = std::exchange(vk.CreateDescriptorSetLayout, createSetLayout);
    w.createPipelineLayout = std::exchange(vk.CreatePipelineLayout, createPipelineLayout);
    w.setName = std::exchange(vk.SetDebugUtilsObjectNameEXT, setName);
    w.bindPipeline = std::exchange(vk.CmdBindPipeline, bindPipeline);
    w.submit = std::exchange(vk.QueueSubmit2, submit);
    vk.GetSemaphoreCounterValue = counterValue;
    vk.WaitSemaphores = waitSemaphores;
    w.destroyDevice = std::exchange(vk.DestroyDevice, destroyDevice);
    vk.CmdPushDescriptorSetKHR = pushDescriptorSet;
}

void writeWhatRan() {
    const char* const file = std::getenv("WISP_GPU_ASSISTED_RAN");
    if (!file) return;
    std::ofstream out(file, std::ios::app);
    for (const std::string& name : world().ran) out << name << '\n';
    world().ran.clear();
}

}  // namespace wisp::test
