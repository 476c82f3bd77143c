// SPDX-License-Identifier: MIT
// Every Vulkan object has a debug name, and every pass has a debug label. The tests replace functions of a device to record them.
#include "tests/support/gpu_test.h"

#include <gmock/gmock.h>

#include <set>
#include <type_traits>

namespace wisp::engine {
namespace {

struct RecordedCalls {
    std::map<std::pair<VkObjectType, std::uint64_t>, std::string> names;
    std::set<std::pair<VkObjectType, std::uint64_t>> made;
    std::vector<std::string> labels;
    int open = 0;
};
RecordedCalls* recorded = nullptr;

template <class Handle>
std::uint64_t bits(Handle handle) {
    return reinterpret_cast<std::uint64_t>(handle);
}

/// Wraps a vkCreateX function of a device and records the handles that it creates.
template <auto kFunction, VkObjectType kType, class Signature = std::remove_reference_t<decltype(std::declval<Functions&>().*kFunction)>>
struct CreateHook;
template <auto kFunction, VkObjectType kType, class Info, class Handle>
struct CreateHook<kFunction, kType, VkResult(VKAPI_PTR*)(VkDevice, const Info*, const VkAllocationCallbacks*, Handle*)> {
    static inline VkResult(VKAPI_PTR* real)(VkDevice, const Info*, const VkAllocationCallbacks*, Handle*) = nullptr;
    static VKAPI_ATTR VkResult VKAPI_CALL call(VkDevice device, const Info* info, const VkAllocationCallbacks* allocator, Handle* handle) {
        const VkResult result = real(device, info, allocator, handle);
        if (result == VK_SUCCESS) recorded->made.insert({kType, bits(*handle)});
        return result;
    }
    explicit CreateHook(Device& of) : device(of) { real = std::exchange(device.vk.*kFunction, call); }
    ~CreateHook() { device.vk.*kFunction = real; }
    Device& device;
};

PFN_vkSetDebugUtilsObjectNameEXT realName = nullptr;
PFN_vkCreateComputePipelines realPipelines = nullptr;
PFN_vkAllocateCommandBuffers realBuffers = nullptr;
PFN_vkCmdBeginDebugUtilsLabelEXT realBegin = nullptr;
PFN_vkCmdEndDebugUtilsLabelEXT realEnd = nullptr;

VKAPI_ATTR VkResult VKAPI_CALL recordName(VkDevice device, const VkDebugUtilsObjectNameInfoEXT* info) {
    recorded->names[{info->objectType, info->objectHandle}] = info->pObjectName;
    return realName(device, info);
}
VKAPI_ATTR VkResult VKAPI_CALL recordPipelines(VkDevice device, VkPipelineCache cache, std::uint32_t count,
                                               const VkComputePipelineCreateInfo* infos, const VkAllocationCallbacks* allocator,
                                               VkPipeline* pipelines) {
    const VkResult result = realPipelines(device, cache, count, infos, allocator, pipelines);
    for (std::uint32_t i = 0; i < count; ++i) recorded->made.insert({VK_OBJECT_TYPE_PIPELINE, bits(pipelines[i])});
    return result;
}
VKAPI_ATTR VkResult VKAPI_CALL recordBuffers(VkDevice device, const VkCommandBufferAllocateInfo* info, VkCommandBuffer* buffers) {
    const VkResult result = realBuffers(device, info, buffers);
    for (std::uint32_t i = 0; i < info->commandBufferCount; ++i) recorded->made.insert({VK_OBJECT_TYPE_COMMAND_BUFFER, bits(buffers[i])});
    return result;
}
VKAPI_ATTR void VKAPI_CALL recordBegin(VkCommandBuffer commands, const VkDebugUtilsLabelEXT* label) {
    recorded->labels.emplace_back(label->pLabelName);
    ++recorded->open;
    realBegin(commands, label);
}
VKAPI_ATTR void VKAPI_CALL recordEnd(VkCommandBuffer commands) {
    --recorded->open;
    realEnd(commands);
}

class EngineNames : public test::GpuTest {
protected:
    void installHooks(Device& device) {
        recorded = &recorded_;
        Functions& vk = device.vk;
        realName = std::exchange(vk.SetDebugUtilsObjectNameEXT, recordName);
        realPipelines = std::exchange(vk.CreateComputePipelines, recordPipelines);
        realBuffers = std::exchange(vk.AllocateCommandBuffers, recordBuffers);
        realBegin = std::exchange(vk.CmdBeginDebugUtilsLabelEXT, recordBegin);
        realEnd = std::exchange(vk.CmdEndDebugUtilsLabelEXT, recordEnd);
    }
    void TearDown() override {
        recorded = nullptr;
        GpuTest::TearDown();
    }
    RecordedCalls recorded_;
};

TEST_F(EngineNames, EveryObjectHasAName) {
    DeviceOptions options;
    options.validate = true;
    Device own(options);
    installHooks(own);
    const CreateHook<&Functions::CreateBuffer, VK_OBJECT_TYPE_BUFFER> buffers(own);
    const CreateHook<&Functions::CreateImage, VK_OBJECT_TYPE_IMAGE> images(own);
    const CreateHook<&Functions::CreateImageView, VK_OBJECT_TYPE_IMAGE_VIEW> views(own);
    const CreateHook<&Functions::AllocateMemory, VK_OBJECT_TYPE_DEVICE_MEMORY> memories(own);
    const CreateHook<&Functions::CreateQueryPool, VK_OBJECT_TYPE_QUERY_POOL> queries(own);
    const CreateHook<&Functions::CreateCommandPool, VK_OBJECT_TYPE_COMMAND_POOL> pools(own);
    const CreateHook<&Functions::CreateShaderModule, VK_OBJECT_TYPE_SHADER_MODULE> modules(own);
    const CreateHook<&Functions::CreatePipelineLayout, VK_OBJECT_TYPE_PIPELINE_LAYOUT> layouts(own);
    const CreateHook<&Functions::CreateDescriptorSetLayout, VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT> sets(own);
    {
        ShaderLibrary shaders(own, test::testShaders());
        const Image field(own, {.name = "field", .size = {8, 8, 8}, .format = VK_FORMAT_R32_SFLOAT});
        Recorder rec(own, shaders, {.readbackBytes = field.bytes(), .statistics = true, .trace = true});
        rec.begin();
        {
            const Recorder::Scope scope(rec, "whole");
            rec.dispatch("engine_write", {8, 8, 8}, {{"target", field}}, 1.0f);
        }
        rec.read(field, [](auto) {});
        rec.submit();
        rec.finish();
        const GpuClock estimated(own, true);
    }
    for (const auto& [type, handle] : recorded_.made) {
        const auto name = recorded_.names.find({type, handle});
        EXPECT_TRUE(name != recorded_.names.end() && !name->second.empty()) << "an object of VkObjectType " << type << " has no name";
    }
    std::set<VkObjectType> kinds;
    for (const auto& [type, handle] : recorded_.made) kinds.insert(type);
    EXPECT_EQ(kinds.size(), 11u);  // every hooked kind of object was created
    EXPECT_THAT(recorded_.labels, testing::ElementsAre("whole", "engine_write"));
    EXPECT_EQ(recorded_.open, 0);
}

TEST_F(EngineNames, SamplersHaveNames) {
    DeviceOptions options;
    options.validate = true;
    Device own(options);
    installHooks(own);
    const CreateHook<&Functions::CreateSampler, VK_OBJECT_TYPE_SAMPLER> hook(own);
    Samplers samplers;  // created in the same way as the device's samplers
    samplers.create(own.vk, own.handle(), own.report().reductions,
                    [&](VkSampler sampler, const char* name) { own.setName(VK_OBJECT_TYPE_SAMPLER, sampler, name); });
    EXPECT_EQ(recorded_.made.size(), own.report().reductions ? 24u : 8u);
    for (const auto& made : recorded_.made)
        EXPECT_THAT(recorded_.names[made], testing::AnyOf("trilinear", "minimum of 8 texels", "maximum of 8 texels"));
    EXPECT_EQ(recorded_.names[std::pair(VK_OBJECT_TYPE_SAMPLER, bits(samplers.get(Reduction::Mean, 5)))], "trilinear");
    samplers.destroy(own.vk, own.handle());
}

PFN_vkQueueSubmit2 realSubmit = nullptr;
VkSemaphore signalled = VK_NULL_HANDLE;
VKAPI_ATTR VkResult VKAPI_CALL recordSubmit(VkQueue queue, std::uint32_t count, const VkSubmitInfo2* infos, VkFence fence) {
    signalled = infos->pSignalSemaphoreInfos->semaphore;
    return realSubmit(queue, count, infos, fence);
}

/// The device's constructor loads the functions and creates the timeline, so a hook cannot see it. A validation message contains
/// its name.
TEST_F(EngineNames, TheTimelineHasAName) {
    DeviceOptions options;
    options.validate = true;
    Device own(options);  // unusable after the error below
    realSubmit = std::exchange(own.vk.QueueSubmit2, recordSubmit);
    {
        ShaderLibrary shaders(own, test::testShaders());
        Recorder rec(own, shaders, {.timing = Timing::Off});
        rec.begin();
        rec.submit();
        rec.finish();
    }
    own.vk.QueueSubmit2 = realSubmit;
    VkSemaphoreSignalInfo back{VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO};
    back.semaphore = signalled;
    back.value = 0;
    const auto signal = reinterpret_cast<PFN_vkSignalSemaphore>(own.vk.GetDeviceProcAddr(own.handle(), "vkSignalSemaphore"));
    signal(own.handle(), &back);  // an error: a timeline can only count up
    ASSERT_FALSE(own.validationMessages().empty());
    EXPECT_THAT(own.validationMessages().front(), testing::HasSubstr("frames done"));
}

/// Hooks cannot see objects that a device creates in its constructor. A validation message contains the queue's name.
TEST_F(EngineNames, TheQueueHasAName) {
    const auto shaders = library(test::testShaders());
    const Image field = image("field", {8, 8, 8});
    Recorder rec(device(), *shaders, {.timing = Timing::Off});
    rec.begin();
    rec.dispatch("engine_write", {8, 8, 8}, {{"target", field}}, 1.0f);
    // Both are recorded before the first is submitted: newer layers regard a wait between the submits as synchronization.
    Recorder dropping(device(), *shaders, {.timing = Timing::Off, .dropBarrier = 0});
    dropping.begin();
    dropping.clear(field, 1.0f);
    rec.submit();
    EXPECT_THROW(dropping.submit(), Error);
    dropping.finish();
    ASSERT_FALSE(device().validationMessages().empty());
    EXPECT_THAT(device().validationMessages().front(),
                testing::ContainsRegex("name = compute, type = VK_OBJECT_TYPE_QUEUE|VkQueue 0x[0-9a-f]+\\[compute\\]"));
    device().clearValidationMessages();
    device().waitIdle();
}

}  // namespace
}  // namespace wisp::engine
