// SPDX-License-Identifier: MIT
// A host whose Vulkan functions fail. The library finds all of them by the host's vkGetInstanceProcAddr.
#include "tests/api/host.h"
#include "tests/api/small_scene.h"

#include <gmock/gmock.h>

#include <cstring>
#include <optional>

namespace wisp::test {
namespace {

using testing::HasSubstr;

int pipelinesLeft = 0;  ///< until the host's driver has no more memory for them
PFN_vkCreateComputePipelines createPipelines = nullptr;

VKAPI_ATTR VkResult VKAPI_CALL failingPipelines(VkDevice device, VkPipelineCache cache, std::uint32_t count,
                                                const VkComputePipelineCreateInfo* infos, const VkAllocationCallbacks* allocator,
                                                VkPipeline* pipelines) {
    return pipelinesLeft-- > 0 ? createPipelines(device, cache, count, infos, allocator, pipelines) : VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL deviceFunction(VkDevice device, const char* name) {
    const PFN_vkVoidFunction found = vkGetDeviceProcAddr(device, name);
    if (std::strcmp(name, "vkCreateComputePipelines") != 0) return found;
    createPipelines = reinterpret_cast<PFN_vkCreateComputePipelines>(found);
    return reinterpret_cast<PFN_vkVoidFunction>(failingPipelines);
}

VkQueueFamilyProperties poorFamily{};  ///< one more than the device has

VKAPI_ATTR void VKAPI_CALL poorFamilies(VkPhysicalDevice physical, std::uint32_t* count, VkQueueFamilyProperties* families) {
    std::uint32_t own = families ? *count - 1 : 0;
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &own, families);
    if (families) families[own] = poorFamily;
    *count = own + 1;
}

PFN_vkVoidFunction poorInstanceFunction(VkInstance instance, const char* name) {
    if (std::strcmp(name, "vkGetPhysicalDeviceQueueFamilyProperties") == 0) return reinterpret_cast<PFN_vkVoidFunction>(poorFamilies);
    return vkGetInstanceProcAddr(instance, name);
}

PFN_vkVoidFunction instanceFunction(VkInstance instance, const char* name) {
    if (std::strcmp(name, "vkGetDeviceProcAddr") == 0) return reinterpret_cast<PFN_vkVoidFunction>(deviceFunction);
    return vkGetInstanceProcAddr(instance, name);
}

class ApiHostFaults : public testing::Test {
protected:
    ApiHostFaults() {
        DeviceRef ref = host.ref();
        ref.getInstanceProcAddr = instanceFunction;
        pipelinesLeft = 1 << 20;
        borrowed.emplace(ref);
    }
    void TearDown() override { EXPECT_THAT(host.messages, testing::IsEmpty()); }

    Host host;
    std::optional<Device> borrowed;
};

TEST_F(ApiHostFaults, AQueueFamilyThatCannotDoItSaysWhatItLacks) {
    DeviceRef ref = host.ref();
    ref.getInstanceProcAddr = poorInstanceFunction;
    const auto reason = [&] {
        const Error error = errorOf([&] { (void)Device(ref); });
        EXPECT_EQ(error.code(), ErrorCode::NoDevice);
        return std::string(error.what());
    };
    ref.queueFamily = 77;
    EXPECT_THAT(reason(), HasSubstr("there is no queue family 77; the device has "));
    vkGetPhysicalDeviceQueueFamilyProperties(host.physical, &ref.queueFamily, nullptr);  // the one that the device does not have
    poorFamily = {.queueFlags = VK_QUEUE_COMPUTE_BIT, .queueCount = 1};
    EXPECT_THAT(reason(), HasSubstr("has no timestamps: its timestampValidBits must be above 0"));
    poorFamily = {.queueFlags = VK_QUEUE_TRANSFER_BIT, .queueCount = 1, .timestampValidBits = 64};
    EXPECT_THAT(reason(), HasSubstr("cannot compute: it needs VK_QUEUE_COMPUTE_BIT"));
    ref.queueFamily = host.family;
    EXPECT_NO_THROW((void)Device(ref));
}

/// A step that fails leaves a simulation that says so, and that works again after a reset.
TEST_F(ApiHostFaults, AfterAStepThatFailedOnlyAResetHelps) {
    for (const bool recorded : {false, true}) {
        Scene scene = smallScene();
        scene.set("seed", recorded ? 2 : 1);
        // Other pipelines than those of the simulation before: they are made by the first step.
        scene.set("pressure.solver", recorded ? "mgpcg" : "jacobi");
        Simulation simulation(*borrowed, scene);
        pipelinesLeft = 1;
        const auto step = [&] {
            if (!recorded) return simulation.step();
            host.submit([&](VkCommandBuffer commands, std::uint64_t value) { simulation.record({commands, host.timeline, value}); });
        };
        const auto failingStep = [&] {
            if (!recorded) return simulation.step();
            std::optional<Error> error;
            host.submit([&](VkCommandBuffer commands, std::uint64_t value) {
                error = errorOf([&] { simulation.record({commands, host.timeline, value}); });
            });
            throw *error;
        };
        const Error failed = errorOf(failingStep);
        EXPECT_EQ(failed.code(), ErrorCode::OutOfMemory) << failed.what();
        pipelinesLeft = 1 << 20;
        const Error again = errorOf([&] { simulation.step(); });
        EXPECT_EQ(again.code(), ErrorCode::Outdated);
        EXPECT_THAT(again.what(), testing::AllOf(HasSubstr("reset"), HasSubstr("vkCreateComputePipelines")));
        EXPECT_EQ(errorOf([&] { simulation.save("unused"); }).code(), ErrorCode::Outdated);
        simulation.reset();
        for (int n = 0; n < 3; ++n) step();
        Simulation other(device(), scene);
        other.step(3);
        EXPECT_EQ(simulation.read("density").values, other.read("density").values) << recorded;
    }
}

TEST_F(ApiHostFaults, ASimulationThatCannotBeMadeLeavesTheDeviceUsable) {
    const std::uint64_t before = borrowed->memoryUsed();
    pipelinesLeft = 0;
    EXPECT_EQ(errorOf([&] { (void)Simulation(*borrowed, smallScene()); }).code(), ErrorCode::OutOfMemory);
    pipelinesLeft = 1 << 20;
    {
        Simulation simulation(*borrowed, smallScene());
        simulation.step();
        EXPECT_TRUE(simulation.quality().finite());
    }
    EXPECT_EQ(borrowed->memoryUsed(), before);
}

}  // namespace
}  // namespace wisp::test
