// SPDX-License-Identifier: MIT
#include "engine/device_choice.h"
#include "tests/support/gpu_test.h"

#include <gmock/gmock.h>

#include <cmath>

namespace wisp::engine {
namespace {

using ::testing::HasSubstr;

std::string failureOf(const std::function<void()>& call, ErrorKind kind) {
    try {
        call();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), kind) << error.what();
        return error.what();
    }
    ADD_FAILURE() << "no error";
    return {};
}

class EngineDevice : public test::GpuTest {};

TEST_F(EngineDevice, UnknownNameListsAllDevices) {
    DeviceOptions options;
    options.select = "no such device";
    const std::string message = failureOf([&] { Device unused(options); }, ErrorKind::NoDevice);
    EXPECT_THAT(message, HasSubstr("no such device"));
    for (const DeviceReport& report : listDevices()) EXPECT_THAT(message, HasSubstr(report.name));
}

TEST_F(EngineDevice, SoftwareDeviceIsRefusedWhenNotAllowed) {
    if (!device().isCpu()) GTEST_SKIP() << "needs a software device";
    DeviceOptions options;
    options.allowCpu = false;
    options.select = device().report().name;
    EXPECT_THAT(failureOf([&] { Device unused(options); }, ErrorKind::NoDevice), HasSubstr("software device"));
}

TEST_F(EngineDevice, CanBeSelectedByIndexAndByPartOfTheName) {
    DeviceOptions options;
    options.select = std::to_string(device().report().index);
    EXPECT_EQ(Device(options).report().name, device().report().name);
    options.select = device().report().name.substr(1, 4);
    for (char& c : options.select) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    EXPECT_EQ(Device(options).report().name, device().report().name);
}

class EngineMemory : public test::GpuTest {};

TEST_F(EngineMemory, BudgetRefusesWithBothNumbers) {
    // Allocates large images until the budget is exceeded. A software device uses no memory for images that are never accessed. Every
    // Vulkan device allows images and allocations of 1 GiB.
    const std::uint64_t before = device().memory().used();
    std::vector<Image> images;
    const auto fill = [&] {
        while (images.size() < 8000) images.push_back(image("huge", {1024, 1024, 64}, VK_FORMAT_R32G32B32A32_SFLOAT));
    };
    const std::string message = failureOf(fill, ErrorKind::OutOfMemory);
    EXPECT_THAT(message, HasSubstr("huge: needs 1024.0 MiB"));
    EXPECT_THAT(message, HasSubstr("MiB are available"));
    images.clear();
    device().waitIdle();
    EXPECT_EQ(device().memory().used(), before);
}

TEST_F(EngineMemory, PlannedMemoryEqualsAllocatedMemory) {
    Memory& memory = device().memory();
    const auto build = [&] {
        std::vector<Image> images;
        for (const std::uint32_t n : {1u, 7u, 33u}) images.push_back(image("volume", {n, 2 * n + 1, 5}, VK_FORMAT_R16G16B16A16_SFLOAT));
        images.push_back(image("picture", {31, 17, 1}, VK_FORMAT_R32G32B32A32_SFLOAT, true));
        return std::pair(std::move(images), buffer("buffer", 1234));
    };
    memory.clearPlan();
    memory.setPlanOnly(true);
    const std::uint64_t allocations = device().counters.allocations;
    const auto planned = build();
    memory.setPlanOnly(false);
    EXPECT_EQ(device().counters.allocations, allocations);
    EXPECT_FALSE(planned.first.front());
    EXPECT_EQ(memory.plan().size(), 5u);

    const VkDeviceSize before = memory.used();
    const auto made = build();
    EXPECT_EQ(memory.used() - before, memory.planned());
    memory.clearPlan();
}

TEST_F(EngineMemory, SizesOutOfRangeNameTheResource) {
    EXPECT_THROW(image("empty", {4, 0, 4}), std::invalid_argument);
    EXPECT_THROW(image("deep", {4, 4, 2}, VK_FORMAT_R32_SFLOAT, true), std::invalid_argument);
    EXPECT_THROW(buffer("none", 0), std::invalid_argument);
}

TEST_F(EngineMemory, RetiresOnlyWhenTheGpuIsDone) {
    const auto shaders = library(test::testShaders());
    bool destroyed = false;
    Buffer values = buffer("values", 64 * 1024);
    Recorder rec(device(), *shaders);
    rec.begin();
    rec.dispatch("engine_slow", {16 * 1024, 1, 1}, {{"values", values}});
    const VkDeviceSize used = device().memory().used();
    values = Buffer();  // while its frame is being recorded
    device().retire([&] { destroyed = true; });
    const std::uint64_t serial = rec.submit();
    device().collect();
    const bool finished = device().completed() >= serial;
    EXPECT_TRUE(finished || !destroyed) << "destroyed while the frame was running";
    if (!destroyed) {
        EXPECT_EQ(device().memory().used(), used);
    }
    rec.finish();
    EXPECT_TRUE(destroyed);
    EXPECT_LT(device().memory().used(), used);
}

TEST_F(EngineMemory, NewResourcesAreNaN) {
    for (const VkFormat format : {VK_FORMAT_R32_SFLOAT, VK_FORMAT_R16G16B16A16_SFLOAT, VK_FORMAT_R16_SFLOAT}) {
        for (const float v : download(image("fresh", {5, 3, 2}, format))) EXPECT_TRUE(std::isnan(v));
    }
    for (const float v : download(buffer("fresh", 64))) EXPECT_TRUE(std::isnan(v));
}

TEST_F(EngineMemory, DownloadReturnsTheUpload) {
    std::vector<float> values;
    for (int i = 0; i < 5 * 3 * 7 * 4; ++i) values.push_back(static_cast<float>(i) * 0.25f - 20.0f);
    const Image volume = image("volume", {5, 3, 7}, VK_FORMAT_R16G16B16A16_SFLOAT);
    upload(volume, values);
    EXPECT_EQ(download(volume), values);
}

}  // namespace
}  // namespace wisp::engine
