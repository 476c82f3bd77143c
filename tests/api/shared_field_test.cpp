// SPDX-License-Identifier: MIT
// Memory of a field that another device opens: its values are those that the host reads.
#include "tests/api/host.h"
#include "tests/api/small_scene.h"

#include <gmock/gmock.h>

#include <cstring>
#include <optional>

namespace wisp::test {
namespace {

/// The memory of a shared field in a device of the host, mapped.
class Imported {
public:
    Imported(Host& host, const SharedField& field) : host_(host), bytes_(field.memoryBytes()) {
        const VkExternalMemoryBufferCreateInfo external{VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO, nullptr,
                                                        VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
        VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, &external};
        info.size = field.bytes();
        info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                     VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
        EXPECT_EQ(vkCreateBuffer(host.device, &info, nullptr, &buffer_), VK_SUCCESS);
        const VkMemoryDedicatedAllocateInfo dedicated{VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO, nullptr, VK_NULL_HANDLE, buffer_};
        const VkMemoryAllocateFlagsInfo flags{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO, &dedicated,
                                              VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT, 0};
        const VkImportMemoryFdInfoKHR import{VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR, &flags,
                                             VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT, field.openMemory()};
        VkMemoryRequirements needs;
        vkGetBufferMemoryRequirements(host.device, buffer_, &needs);
        VkMemoryAllocateInfo allocation{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &import, bytes_, 0};
        while ((needs.memoryTypeBits >> allocation.memoryTypeIndex & 1u) == 0) ++allocation.memoryTypeIndex;
        EXPECT_EQ(vkAllocateMemory(host.device, &allocation, nullptr, &memory_), VK_SUCCESS);
        EXPECT_EQ(vkBindBufferMemory(host.device, buffer_, memory_, 0), VK_SUCCESS);
        EXPECT_EQ(vkMapMemory(host.device, memory_, 0, VK_WHOLE_SIZE, 0, &mapped_), VK_SUCCESS);  // of lavapipe, all memory can be
    }
    ~Imported() {
        vkDestroyBuffer(host_.device, buffer_, nullptr);
        vkFreeMemory(host_.device, memory_, nullptr);
    }
    Imported(const Imported&) = delete;
    Imported& operator=(const Imported&) = delete;
    [[nodiscard]] const void* values() const { return mapped_; }

private:
    Host& host_;
    std::uint64_t bytes_;
    VkBuffer buffer_ = VK_NULL_HANDLE;
    VkDeviceMemory memory_ = VK_NULL_HANDLE;
    void* mapped_ = nullptr;
};

TEST(ApiSharedField, AnotherDeviceSeesItsValues) {
    if (!device().isCpu()) GTEST_SKIP() << "maps the memory, which a GPU may not allow";
    Host other;
    std::optional<Simulation> simulation(std::in_place, device(), smallScene());
    simulation->step(4);
    SharedField shared = simulation->share("velocity");
    EXPECT_EQ(shared.bytes(), 3u * 16 * 24 * 16 * sizeof(float));
    EXPECT_GE(shared.memoryBytes(), shared.bytes());
    EXPECT_EQ(shared.components(), 3u);
    const Imported imported(other, shared);
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
