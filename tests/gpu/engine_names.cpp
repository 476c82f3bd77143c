// SPDX-License-Identifier: MIT
// Every Vulkan object has a debug name, and every pass has a debug label. The tests replace volk's function pointers to record them.
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

/// Wraps a vkCreateX function and records the handles that it creates.
template <auto& kFunction, VkObjectType kType, class Signature = std::remove_reference_t<decltype(kFunction)>>
struct CreateHook;
template <auto& kFunction, VkObjectType kType, class Info, class Handle>
struct CreateHook<kFunction, kType, VkResult(VKAPI_PTR*)(VkDevice, const Info*, const VkAllocationCallbacks*, Handle*)> {
    static inline std::remove_reference_t<decltype(kFunction)> real = nullptr;
    static VKAPI_ATTR VkResult VKAPI_CALL call(VkDevice device, const Info* info, const VkAllocationCallbacks* allocator, Handle* handle) {
        const VkResult result = real(device, info, allocator, handle);
        if (result == VK_SUCCESS) recorded->made.insert({kType, bits(*handle)});
        return result;
    }
    CreateHook() { real = std::exchange(kFunction, call); }
    ~CreateHook() { kFunction = real; }
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
    void installHooks() {
        recorded = &recorded_;
        realName = std::exchange(vkSetDebugUtilsObjectNameEXT, recordName);
        realPipelines = std::exchange(vkCreateComputePipelines, recordPipelines);
        realBuffers = std::exchange(vkAllocateCommandBuffers, recordBuffers);
        realBegin = std::exchange(vkCmdBeginDebugUtilsLabelEXT, recordBegin);
        realEnd = std::exchange(vkCmdEndDebugUtilsLabelEXT, recordEnd);
        installed = true;
    }
    void TearDown() override {
        if (installed) {
            vkSetDebugUtilsObjectNameEXT = realName;
            vkCreateComputePipelines = realPipelines;
            vkAllocateCommandBuffers = realBuffers;
            vkCmdBeginDebugUtilsLabelEXT = realBegin;
            vkCmdEndDebugUtilsLabelEXT = realEnd;
        }
        recorded = nullptr;
        GpuTest::TearDown();
    }
    RecordedCalls recorded_;
    bool installed = false;
};

TEST_F(EngineNames, EveryObjectHasAName) {
    DeviceOptions options;
    options.validate = true;
    Device own(options);  // its constructor loads all function pointers again
    installHooks();
    const CreateHook<vkCreateBuffer, VK_OBJECT_TYPE_BUFFER> buffers;
    const CreateHook<vkCreateImage, VK_OBJECT_TYPE_IMAGE> images;
    const CreateHook<vkCreateImageView, VK_OBJECT_TYPE_IMAGE_VIEW> views;
    const CreateHook<vkAllocateMemory, VK_OBJECT_TYPE_DEVICE_MEMORY> memories;
    const CreateHook<vkCreateQueryPool, VK_OBJECT_TYPE_QUERY_POOL> queries;
    const CreateHook<vkCreateCommandPool, VK_OBJECT_TYPE_COMMAND_POOL> pools;
    const CreateHook<vkCreateShaderModule, VK_OBJECT_TYPE_SHADER_MODULE> modules;
    const CreateHook<vkCreatePipelineLayout, VK_OBJECT_TYPE_PIPELINE_LAYOUT> layouts;
    const CreateHook<vkCreateDescriptorSetLayout, VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT> sets;
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
    const Device own(options);
    installHooks();
    const CreateHook<vkCreateSampler, VK_OBJECT_TYPE_SAMPLER> hook;
    Samplers samplers;  // created in the same way as the device's samplers
    samplers.create(own.handle(), own.report().reductions,
                    [&](VkSampler sampler, const char* name) { own.setName(VK_OBJECT_TYPE_SAMPLER, sampler, name); });
    EXPECT_EQ(recorded_.made.size(), own.report().reductions ? 24u : 8u);
    for (const auto& made : recorded_.made)
        EXPECT_THAT(recorded_.names[made], testing::AnyOf("trilinear", "minimum of 8 texels", "maximum of 8 texels"));
    EXPECT_EQ(recorded_.names[std::pair(VK_OBJECT_TYPE_SAMPLER, bits(samplers.get(Reduction::Mean, 5)))], "trilinear");
    samplers.destroy(own.handle());
}

PFN_vkQueueSubmit2 realSubmit = nullptr;
VkSemaphore signalled = VK_NULL_HANDLE;
VKAPI_ATTR VkResult VKAPI_CALL recordSubmit(VkQueue queue, std::uint32_t count, const VkSubmitInfo2* infos, VkFence fence) {
    signalled = infos->pSignalSemaphoreInfos->semaphore;
    return realSubmit(queue, count, infos, fence);
}

/// The device's constructor loads the function pointers and creates the timeline, so a hook cannot see it. A validation message contains
/// its name.
TEST_F(EngineNames, TheTimelineHasAName) {
    DeviceOptions options;
    options.validate = true;
    Device own(options);  // unusable after the error below
    realSubmit = std::exchange(vkQueueSubmit2, recordSubmit);
    {
        ShaderLibrary shaders(own, test::testShaders());
        Recorder rec(own, shaders, {.timing = Timing::Off});
        rec.begin();
        rec.submit();
        rec.finish();
    }
    vkQueueSubmit2 = realSubmit;
    VkSemaphoreSignalInfo back{VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO};
    back.semaphore = signalled;
    back.value = 0;
    vkSignalSemaphore(own.handle(), &back);  // an error: a timeline can only count up
    ASSERT_FALSE(own.validationMessages().empty());
    EXPECT_THAT(own.validationMessages().front(), testing::HasSubstr("frames done"));
}

/// Hooks cannot see objects that a device creates in its constructor. A validation message contains the queue's name.
TEST_F(EngineNames, TheQueueHasAName) {
    const auto shaders = library(test::testShaders());
    const Image field = image("field", {8, 8, 8});
    for (const int drop : {-1, 0}) {
        Recorder rec(device(), *shaders, {.timing = Timing::Off, .dropBarrier = drop});
        rec.begin();
        if (drop == 0) rec.clear(field, 1.0f);
        else rec.dispatch("engine_write", {8, 8, 8}, {{"target", field}}, 1.0f);
        if (drop == 0) {
            EXPECT_THROW(rec.submit(), Error);
        } else {
            rec.submit();
        }
        rec.finish();
    }
    ASSERT_FALSE(device().validationMessages().empty());
    EXPECT_THAT(device().validationMessages().front(), testing::HasSubstr("name = compute, type = VK_OBJECT_TYPE_QUEUE"));
    device().clearValidationMessages();
    device().waitIdle();
}

}  // namespace
}  // namespace wisp::engine
