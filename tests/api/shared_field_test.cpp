// SPDX-License-Identifier: MIT
// Memory of a field that another device opens: its values are those that the host reads.
#include "tests/api/host.h"
#include "tests/api/small_scene.h"

#include <gmock/gmock.h>

#include <cstring>
#include <optional>

namespace wisp::test {
namespace {

/// The memory of a shared field, opened by the device of a host.
class Imported {
public:
    Imported(Host& host, const SharedField& field) : host_(host), bytes_(field.bytes()) {
        const VkExternalMemoryBufferCreateInfo external{VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO, nullptr,
                                                        VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
        // The same usage as that of the library's buffer.
        shared_ = makeBuffer(VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                 VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                                 VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
                             &external);
        const VkMemoryDedicatedAllocateInfo dedicated{VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO, nullptr, VK_NULL_HANDLE, shared_};
        const VkMemoryAllocateFlagsInfo flags{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO, &dedicated,
                                              VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT, 0};
        const VkImportMemoryFdInfoKHR import{VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR, &flags,
                                             VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT, field.openMemory()};
        sharedMemory_ = allocate(shared_, field.memoryBytes(), 0, &import);
        copy_ = makeBuffer(VK_BUFFER_USAGE_TRANSFER_DST_BIT, nullptr);
        VkMemoryRequirements needs;
        vkGetBufferMemoryRequirements(host.device, copy_, &needs);
        copyMemory_ = allocate(copy_, needs.size, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT, nullptr);
        EXPECT_EQ(vkMapMemory(host.device, copyMemory_, 0, VK_WHOLE_SIZE, 0, &mapped_), VK_SUCCESS);
    }
    ~Imported() {
        for (const VkBuffer buffer : {shared_, copy_}) vkDestroyBuffer(host_.device, buffer, nullptr);
        for (const VkDeviceMemory memory : {sharedMemory_, copyMemory_}) vkFreeMemory(host_.device, memory, nullptr);
    }
    Imported(const Imported&) = delete;
    Imported& operator=(const Imported&) = delete;

    /// What the other device sees now.
    [[nodiscard]] const void* values() {
        host_.submit([&](VkCommandBuffer commands, std::uint64_t) {
            const VkBufferCopy all{0, 0, bytes_};
            vkCmdCopyBuffer(commands, shared_, copy_, 1, &all);
            VkMemoryBarrier2 barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
            barrier.srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT;
            barrier.srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT;
            barrier.dstStageMask = VK_PIPELINE_STAGE_2_HOST_BIT | VK_PIPELINE_STAGE_2_COPY_BIT;
            barrier.dstAccessMask = VK_ACCESS_2_HOST_READ_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT;
            VkDependencyInfo info{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
            info.memoryBarrierCount = 1;
            info.pMemoryBarriers = &barrier;
            vkCmdPipelineBarrier2(commands, &info);
        });
        host_.wait();
        return mapped_;
    }

private:
    VkBuffer makeBuffer(VkBufferUsageFlags usage, const void* next) {
        VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, next};
        info.size = bytes_;
        info.usage = usage;
        VkBuffer buffer = VK_NULL_HANDLE;
        EXPECT_EQ(vkCreateBuffer(host_.device, &info, nullptr, &buffer), VK_SUCCESS);
        return buffer;
    }
    VkDeviceMemory allocate(VkBuffer buffer, VkDeviceSize bytes, VkMemoryPropertyFlags wanted, const void* next) {
        VkMemoryRequirements needs;
        vkGetBufferMemoryRequirements(host_.device, buffer, &needs);
        VkPhysicalDeviceMemoryProperties memories;
        vkGetPhysicalDeviceMemoryProperties(host_.physical, &memories);
        VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, next, bytes, 0};
        const auto fits = [&](std::uint32_t type) {
            return (needs.memoryTypeBits >> type & 1u) != 0 && (memories.memoryTypes[type].propertyFlags & wanted) == wanted;
        };
        while (!fits(info.memoryTypeIndex)) ++info.memoryTypeIndex;
        VkDeviceMemory memory = VK_NULL_HANDLE;
        EXPECT_EQ(vkAllocateMemory(host_.device, &info, nullptr, &memory), VK_SUCCESS);
        EXPECT_EQ(vkBindBufferMemory(host_.device, buffer, memory, 0), VK_SUCCESS);
        return memory;
    }

    Host& host_;
    std::uint64_t bytes_;
    VkBuffer shared_ = VK_NULL_HANDLE, copy_ = VK_NULL_HANDLE;
    VkDeviceMemory sharedMemory_ = VK_NULL_HANDLE, copyMemory_ = VK_NULL_HANDLE;
    void* mapped_ = nullptr;
};

TEST(ApiSharedField, AnotherDeviceSeesItsValues) {
    Host other;
    std::optional<Simulation> simulation(std::in_place, device(), smallScene());
    simulation->step(4);
    SharedField shared = simulation->share("velocity");
    EXPECT_EQ(shared.bytes(), 3u * 16 * 24 * 16 * sizeof(float));
    EXPECT_GE(shared.memoryBytes(), shared.bytes());
    EXPECT_EQ(shared.components(), 3u);
    Imported imported(other, shared);
    const auto expectSame = [&] {
        const std::vector<float> values = simulation->read("velocity").values;
        EXPECT_EQ(std::memcmp(imported.values(), values.data(), shared.bytes()), 0);
    };
    expectSame();
    const std::vector<float> before = simulation->read("velocity").values;
    simulation->step();
    EXPECT_EQ(std::memcmp(imported.values(), before.data(), shared.bytes()), 0);  // until it is updated
    shared.update();
    expectSame();
    EXPECT_EQ(errorOf([&] { (void)simulation->share("fuel"); }).code(), ErrorCode::Argument);
    simulation.reset();
    EXPECT_EQ(errorOf([&] { shared.update(); }).code(), ErrorCode::Outdated);
    EXPECT_THAT(other.messages, testing::IsEmpty());
}

}  // namespace
}  // namespace wisp::test
