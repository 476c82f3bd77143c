// SPDX-License-Identifier: MIT
// Debuggers see every object by a name, and every pass by a label: volk's function pointers are variables, so that a test can listen.
#include "tests/support/gpu_test.h"

#include <gmock/gmock.h>

#include <set>
#include <type_traits>

namespace wisp::engine {
namespace {

struct Heard {
    std::map<std::pair<VkObjectType, std::uint64_t>, std::string> names;
    std::set<std::pair<VkObjectType, std::uint64_t>> made;
    std::vector<std::string> labels;
    int open = 0;
};
Heard* heard = nullptr;

template <class Handle>
std::uint64_t bits(Handle handle) {
    return reinterpret_cast<std::uint64_t>(handle);
}

/// Stands in front of vkCreateX and notes what it made.
template <auto& kFunction, VkObjectType kType, class Signature = std::remove_reference_t<decltype(kFunction)>>
struct Listen;
template <auto& kFunction, VkObjectType kType, class Info, class Handle>
struct Listen<kFunction, kType, VkResult(VKAPI_PTR*)(VkDevice, const Info*, const VkAllocationCallbacks*, Handle*)> {
    static inline std::remove_reference_t<decltype(kFunction)> real = nullptr;
    static VKAPI_ATTR VkResult VKAPI_CALL call(VkDevice device, const Info* info, const VkAllocationCallbacks* allocator, Handle* handle) {
        const VkResult result = real(device, info, allocator, handle);
        if (result == VK_SUCCESS) heard->made.insert({kType, bits(*handle)});
        return result;
    }
    Listen() { real = std::exchange(kFunction, call); }
    ~Listen() { kFunction = real; }
};

PFN_vkSetDebugUtilsObjectNameEXT realName = nullptr;
PFN_vkCreateComputePipelines realPipelines = nullptr;
PFN_vkAllocateCommandBuffers realBuffers = nullptr;
PFN_vkCmdBeginDebugUtilsLabelEXT realBegin = nullptr;
PFN_vkCmdEndDebugUtilsLabelEXT realEnd = nullptr;

VKAPI_ATTR VkResult VKAPI_CALL hearName(VkDevice device, const VkDebugUtilsObjectNameInfoEXT* info) {
    heard->names[{info->objectType, info->objectHandle}] = info->pObjectName;
    return realName(device, info);
}
VKAPI_ATTR VkResult VKAPI_CALL hearPipelines(VkDevice device, VkPipelineCache cache, std::uint32_t count,
                                             const VkComputePipelineCreateInfo* infos, const VkAllocationCallbacks* allocator,
                                             VkPipeline* pipelines) {
    const VkResult result = realPipelines(device, cache, count, infos, allocator, pipelines);
    for (std::uint32_t i = 0; i < count; ++i) heard->made.insert({VK_OBJECT_TYPE_PIPELINE, bits(pipelines[i])});
    return result;
}
VKAPI_ATTR VkResult VKAPI_CALL hearBuffers(VkDevice device, const VkCommandBufferAllocateInfo* info, VkCommandBuffer* buffers) {
    const VkResult result = realBuffers(device, info, buffers);
    for (std::uint32_t i = 0; i < info->commandBufferCount; ++i) heard->made.insert({VK_OBJECT_TYPE_COMMAND_BUFFER, bits(buffers[i])});
    return result;
}
VKAPI_ATTR void VKAPI_CALL hearBegin(VkCommandBuffer commands, const VkDebugUtilsLabelEXT* label) {
    heard->labels.emplace_back(label->pLabelName);
    ++heard->open;
    realBegin(commands, label);
}
VKAPI_ATTR void VKAPI_CALL hearEnd(VkCommandBuffer commands) {
    --heard->open;
    realEnd(commands);
}

class EngineNames : public test::GpuTest {
protected:
    void listen() {
        heard = &heard_;
        realName = std::exchange(vkSetDebugUtilsObjectNameEXT, hearName);
        realPipelines = std::exchange(vkCreateComputePipelines, hearPipelines);
        realBuffers = std::exchange(vkAllocateCommandBuffers, hearBuffers);
        realBegin = std::exchange(vkCmdBeginDebugUtilsLabelEXT, hearBegin);
        realEnd = std::exchange(vkCmdEndDebugUtilsLabelEXT, hearEnd);
        listening = true;
    }
    void TearDown() override {
        if (listening) {
            vkSetDebugUtilsObjectNameEXT = realName;
            vkCreateComputePipelines = realPipelines;
            vkAllocateCommandBuffers = realBuffers;
            vkCmdBeginDebugUtilsLabelEXT = realBegin;
            vkCmdEndDebugUtilsLabelEXT = realEnd;
        }
        heard = nullptr;
        GpuTest::TearDown();
    }
    Heard heard_;
    bool listening = false;
};

TEST_F(EngineNames, EverythingHasOne) {
    DeviceOptions options;
    options.validate = true;
    Device own(options);  // which sets all function pointers anew
    listen();
    const Listen<vkCreateBuffer, VK_OBJECT_TYPE_BUFFER> buffers;
    const Listen<vkCreateImage, VK_OBJECT_TYPE_IMAGE> images;
    const Listen<vkCreateImageView, VK_OBJECT_TYPE_IMAGE_VIEW> views;
    const Listen<vkAllocateMemory, VK_OBJECT_TYPE_DEVICE_MEMORY> memories;
    const Listen<vkCreateQueryPool, VK_OBJECT_TYPE_QUERY_POOL> queries;
    const Listen<vkCreateCommandPool, VK_OBJECT_TYPE_COMMAND_POOL> pools;
    const Listen<vkCreateShaderModule, VK_OBJECT_TYPE_SHADER_MODULE> modules;
    const Listen<vkCreatePipelineLayout, VK_OBJECT_TYPE_PIPELINE_LAYOUT> layouts;
    const Listen<vkCreateDescriptorSetLayout, VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT> sets;
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
    for (const auto& [type, handle] : heard_.made) {
        const auto name = heard_.names.find({type, handle});
        EXPECT_TRUE(name != heard_.names.end() && !name->second.empty()) << "an object of VkObjectType " << type << " has no name";
    }
    std::set<VkObjectType> kinds;
    for (const auto& [type, handle] : heard_.made) kinds.insert(type);
    EXPECT_EQ(kinds.size(), 11u);  // what is listened for above is all made
    EXPECT_THAT(heard_.labels, testing::ElementsAre("whole", "engine_write"));
    EXPECT_EQ(heard_.open, 0);
}

TEST_F(EngineNames, SamplersHaveOne) {
    DeviceOptions options;
    options.validate = true;
    const Device own(options);
    listen();
    const Listen<vkCreateSampler, VK_OBJECT_TYPE_SAMPLER> listener;
    Samplers samplers;  // as the device makes its own
    samplers.create(own.handle(), own.report().reductions,
                    [&](VkSampler sampler, const char* name) { own.setName(VK_OBJECT_TYPE_SAMPLER, sampler, name); });
    EXPECT_EQ(heard_.made.size(), own.report().reductions ? 24u : 8u);
    for (const auto& made : heard_.made)
        EXPECT_THAT(heard_.names[made], testing::AnyOf("trilinear", "minimum of 8 texels", "maximum of 8 texels"));
    EXPECT_EQ(heard_.names[std::pair(VK_OBJECT_TYPE_SAMPLER, bits(samplers.get(Reduction::Mean, 5)))], "trilinear");
    samplers.destroy(own.handle());
}

PFN_vkQueueSubmit2 realSubmit = nullptr;
VkSemaphore signalled = VK_NULL_HANDLE;
VKAPI_ATTR VkResult VKAPI_CALL hearSubmit(VkQueue queue, std::uint32_t count, const VkSubmitInfo2* infos, VkFence fence) {
    signalled = infos->pSignalSemaphoreInfos->semaphore;
    return realSubmit(queue, count, infos, fence);
}

/// Made in the device's constructor, which sets all function pointers anew: a message about it tells its name.
TEST_F(EngineNames, TheTimelineHasOne) {
    DeviceOptions options;
    options.validate = true;
    Device own(options);  // which is lost then
    realSubmit = std::exchange(vkQueueSubmit2, hearSubmit);
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
    vkSignalSemaphore(own.handle(), &back);  // it counts upwards only
    ASSERT_FALSE(own.validationMessages().empty());
    EXPECT_THAT(own.validationMessages().front(), testing::HasSubstr("frames done"));
}

/// What a device makes in its constructor is not to be listened to: a message about the queue tells its name.
TEST_F(EngineNames, TheQueueHasOne) {
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
