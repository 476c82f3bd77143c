// SPDX-License-Identifier: MIT
// The library on the device of a host, which has validation layers: they must stay silent.
#include "tests/api/host.h"
#include "tests/api/small_scene.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

namespace wisp::test {
namespace {

using testing::HasSubstr;

class ApiHost : public testing::Test {
protected:
    void TearDown() override { EXPECT_THAT(host.messages, testing::IsEmpty()); }
    [[nodiscard]] HostCommands commandsOf(VkCommandBuffer commands, std::uint64_t value) const { return {commands, host.timeline, value}; }
    void submitSteps(Simulation& simulation, int count) {
        host.submit([&](VkCommandBuffer commands, std::uint64_t value) {
            for (int n = 0; n < count; ++n) simulation.record(commandsOf(commands, value));
        });
    }
    Host host;
};

std::vector<float> ownSteps(int count) {
    Simulation simulation(device(), smallScene());
    simulation.step(count);
    return simulation.read("density").values;
}

TEST_F(ApiHost, StepsInItsCommandsGiveTheSameBits) {
    const Device borrowed(host.ref());
    Simulation simulation(borrowed, smallScene());
    for (int n = 0; n < 4; ++n) submitSteps(simulation, 1);
    submitSteps(simulation, 3);  // in one command buffer
    EXPECT_EQ(simulation.steps(), 7u);
    EXPECT_EQ(simulation.read("density").values, ownSteps(7));
    EXPECT_GT(host.locks, 0);
    EXPECT_FALSE(host.locked);
}

TEST_F(ApiHost, OwnAndRecordedStepsMix) {
    const Device borrowed(host.ref());
    Simulation simulation(borrowed, smallScene());
    simulation.step(2);
    submitSteps(simulation, 2);
    simulation.step();
    submitSteps(simulation, 1);
    EXPECT_EQ(simulation.read("density").values, ownSteps(6));
}

TEST_F(ApiHost, AStepWaitsForAndSignalsSemaphores) {
    const Device borrowed(host.ref());
    Simulation simulation(borrowed, smallScene());
    simulation.step(SubmitInfo{.signal = host.timeline, .signalValue = 1});
    host.value = 1;
    host.wait();
    simulation.step(SubmitInfo{.wait = host.timeline, .waitValue = 2});  // not signalled yet
    VkSemaphoreSignalInfo signal{VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO};
    signal.semaphore = host.timeline;
    signal.value = host.value = 2;
    ASSERT_EQ(vkSignalSemaphore(host.device, &signal), VK_SUCCESS);
    simulation.wait();
    EXPECT_EQ(simulation.read("density").values, ownSteps(2));
}

TEST_F(ApiHost, AnotherTimelineHasItsOwnValues) {
    const Device borrowed(host.ref());
    Simulation simulation(borrowed, smallScene());
    host.value = 100;
    submitSteps(simulation, 8);
    host.wait();
    const VkSemaphore before = host.timeline;
    const VkSemaphoreTypeCreateInfo type{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO, nullptr, VK_SEMAPHORE_TYPE_TIMELINE, 0};
    const VkSemaphoreCreateInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type, 0};
    ASSERT_EQ(vkCreateSemaphore(host.device, &info, nullptr, &host.timeline), VK_SUCCESS);
    host.value = 0;
    submitSteps(simulation, 8);
    EXPECT_EQ(simulation.read("density").values, ownSteps(16));
    vkDestroySemaphore(host.device, before, nullptr);
}

TEST_F(ApiHost, CommandsThatAreNeverSubmittedEndInAnError) {
    DeviceRef ref = host.ref();
    ref.patience = 0.05;
    const Device borrowed(ref);
    Simulation simulation(borrowed, smallScene());
    const auto recordOne = [&] {
        host.recordOnly([&](VkCommandBuffer commands, std::uint64_t value) { simulation.record(commandsOf(commands, value)); });
    };
    recordOne();
    recordOne();  // two in flight
    const Error waited = errorOf([&] { (void)simulation.read("density"); });
    EXPECT_EQ(waited.code(), ErrorCode::HostTimeout);
    EXPECT_THAT(waited.what(), HasSubstr("submit"));
    host.submitPending();
    host.wait();
    EXPECT_EQ(simulation.read("density").values, ownSteps(2));
}

TEST_F(ApiHost, WrongCommandsSayWhatIsRight) {
    const Device borrowed(host.ref());
    Simulation simulation(borrowed, smallScene());
    EXPECT_EQ(errorOf([&] { simulation.record({}); }).code(), ErrorCode::Argument);
    host.submit([&](VkCommandBuffer commands, std::uint64_t value) {
        EXPECT_EQ(errorOf([&] { simulation.record({commands, nullptr, value}); }).code(), ErrorCode::Argument);
        EXPECT_EQ(errorOf([&] { simulation.record({commands, host.timeline, 0}); }).code(), ErrorCode::Argument);
        for (int n = 0; n < 8; ++n) simulation.record(commandsOf(commands, value));
        EXPECT_THAT(errorOf([&] { simulation.record(commandsOf(commands, value)); }).what(), HasSubstr("more than 8 steps"));
    });
    host.submit([&](VkCommandBuffer commands, std::uint64_t value) {
        EXPECT_THAT(errorOf([&] { simulation.record(commandsOf(commands, value - 1)); }).what(),
                    testing::AnyOf(HasSubstr("more than 8 steps"), HasSubstr("was 1 before")));
    });
    EXPECT_EQ(simulation.read("density").values, ownSteps(8));
}

TEST(ApiHostDevice, ADeviceWithoutWhatIsNeededNamesIt) {
    Host bare({.features = false, .extensions = false});
    const Error error = errorOf([&] { (void)Device(bare.ref()); });
    EXPECT_EQ(error.code(), ErrorCode::NoDevice);
    EXPECT_THAT(
        error.what(),
        testing::AllOf(HasSubstr("extension VK_KHR_push_descriptor is not enabled"), HasSubstr("feature scalarBlockLayout is not enabled"),
                       HasSubstr("feature bufferDeviceAddress is not enabled"), HasSubstr("feature maintenance4 is not enabled")));
    EXPECT_THAT(error.what(), testing::Not(HasSubstr("timelineSemaphore")));  // that one is
    DeviceRef none = bare.ref();
    none.queue = nullptr;
    EXPECT_EQ(errorOf([&] { (void)Device(none); }).code(), ErrorCode::Argument);
    DeviceRef halfLocked = bare.ref();
    halfLocked.unlock = nullptr;
    EXPECT_EQ(errorOf([&] { (void)Device(halfLocked); }).code(), ErrorCode::Argument);
    DeviceRef family = bare.ref();
    family.queueFamily = 77;
    EXPECT_EQ(errorOf([&] { (void)Device(family); }).code(), ErrorCode::NoDevice);
    VkPhysicalDeviceFeatures2 short_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    const DeviceRequirements needs(vkGetInstanceProcAddr, bare.instance, bare.physical);
    EXPECT_THAT(errorOf([&] { needs.enable(short_); }).what(), HasSubstr("VkPhysicalDeviceVulkan12Features"));
    EXPECT_THAT(bare.messages, testing::IsEmpty());
}

/// A depth buffer of the host, and a render pass that clears it.
struct DepthTarget {
    DepthTarget(Host& host, std::uint32_t width, std::uint32_t height)
        : image(host, width, height, VK_FORMAT_D32_SFLOAT, VK_IMAGE_ASPECT_DEPTH_BIT,
                VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT) {
        VkAttachmentDescription attachment{};
        attachment.format = VK_FORMAT_D32_SFLOAT;
        attachment.samples = VK_SAMPLE_COUNT_1_BIT;
        attachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
        attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
        attachment.finalLayout = VK_IMAGE_LAYOUT_GENERAL;
        const VkAttachmentReference depth{0, VK_IMAGE_LAYOUT_GENERAL};
        VkSubpassDescription subpass{};
        subpass.pDepthStencilAttachment = &depth;
        // The reads of the picture before come first.
        const VkSubpassDependency before{VK_SUBPASS_EXTERNAL,
                                         0,
                                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                         VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT,
                                         VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
                                         VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
                                         0};
        VkRenderPassCreateInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
        info.attachmentCount = info.subpassCount = info.dependencyCount = 1;
        info.pAttachments = &attachment;
        info.pSubpasses = &subpass;
        info.pDependencies = &before;
        EXPECT_EQ(vkCreateRenderPass(host.device, &info, nullptr, &pass), VK_SUCCESS);
        VkFramebufferCreateInfo of{VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
        of.renderPass = pass;
        of.attachmentCount = 1;
        of.pAttachments = &image.view;
        of.width = width;
        of.height = height;
        of.layers = 1;
        EXPECT_EQ(vkCreateFramebuffer(host.device, &of, nullptr, &framebuffer), VK_SUCCESS);
    }
    ~DepthTarget() {
        vkDestroyFramebuffer(image.host.device, framebuffer, nullptr);
        vkDestroyRenderPass(image.host.device, pass, nullptr);
    }
    DepthTarget(const DepthTarget&) = delete;
    DepthTarget& operator=(const DepthTarget&) = delete;

    HostImage image;
    VkRenderPass pass = VK_NULL_HANDLE;
    VkFramebuffer framebuffer = VK_NULL_HANDLE;
};

class ApiHostDepth : public ApiHost {
protected:
    static constexpr std::uint32_t kWidth = 32, kHeight = 48;
    // The eye is at (0.4, 0.6, 3) and looks along -z; depth is near / distance with near = 0.1.
    static constexpr float kNear = 0.1f;
    Camera camera() const {
        const float height = 1.0f / std::tan(0.5f * 0.6981317f);
        return Camera::fromMatrices({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -0.4f, -0.6f, -3.0f, 1},
                                    {height * kHeight / kWidth, 0, 0, 0, 0, -height, 0, 0, 0, 0, 0, -1, 0, 0, kNear, 0});
    }
    /// The coverage of the smoke in front of a wall across the view axis at this distance [m].
    std::vector<float> coverage(Renderer& renderer, const DepthTarget& depth, float distance) {
        host.submit([&](VkCommandBuffer commands, std::uint64_t value) {
            clear(commands, depth, kNear / distance);
            renderer.record(commandsOf(commands, value), {depth.image.view, VK_IMAGE_LAYOUT_GENERAL});
        });
        const std::vector<float> radiance = renderer.readRadiance();
        std::vector<float> alpha;
        for (std::size_t n = 3; n < radiance.size(); n += 4) alpha.push_back(radiance[n]);
        return alpha;
    }
    /// Clears the depth as a renderer does, in a render pass, and adds no barrier after it: the library has one for all that the host has
    /// written.
    static void clear(VkCommandBuffer commands, const DepthTarget& target, float value) {
        VkRenderPassBeginInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
        info.renderPass = target.pass;
        info.framebuffer = target.framebuffer;
        info.renderArea.extent = {kWidth, kHeight};
        VkClearValue clear{};
        clear.depthStencil = {value, 0};
        info.clearValueCount = 1;
        info.pClearValues = &clear;
        vkCmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
        vkCmdEndRenderPass(commands);
    }
};

TEST_F(ApiHostDepth, SmokeBehindItIsNotDrawn) {
    const Device borrowed(host.ref());
    Simulation simulation(borrowed, smallScene());
    simulation.step(8);
    Renderer renderer(simulation, {.width = kWidth, .height = kHeight, .composite = true});
    renderer.setCamera(camera());
    const DepthTarget depth(host, kWidth, kHeight);
    const std::vector<float> open = coverage(renderer, depth, std::numeric_limits<float>::infinity());
    const std::vector<float> behind = coverage(renderer, depth, 4.0f);  // the box ends at z = 0, 3 m away
    const std::vector<float> middle = coverage(renderer, depth, 2.6f);  // through the emitter
    const std::vector<float> front = coverage(renderer, depth, 2.0f);   // before the box
    EXPECT_EQ(open, behind);
    EXPECT_GT(*std::ranges::max_element(open), 0.5f);
    EXPECT_EQ(*std::ranges::max_element(front), 0.0f);
    double whole = 0.0, half = 0.0;
    for (std::size_t n = 0; n < open.size(); ++n) {
        EXPECT_LE(middle[n], open[n] + 2e-3f) << n;  // halves, and the last step is shorter
        whole += open[n];
        half += middle[n];
    }
    EXPECT_GT(half, 0.2 * whole);
    EXPECT_LT(half, 0.95 * whole);
    const std::size_t covered = open.size();
    renderer.draw();  // without the depth of the last record
    const std::vector<float> drawn = renderer.readRadiance();
    for (std::size_t n = 0; n < covered; ++n) ASSERT_EQ(drawn[4 * n + 3], open[n]) << n;
    renderer.useSceneCamera();
    host.submit([&](VkCommandBuffer commands, std::uint64_t value) {
        const HostDepth given{depth.image.view, VK_IMAGE_LAYOUT_GENERAL};
        EXPECT_THAT(errorOf([&] { renderer.record(commandsOf(commands, value), given); }).what(), HasSubstr("fromMatrices"));
        renderer.record(commandsOf(commands, value));  // without a depth any camera will do
    });
    host.wait();
}

TEST_F(ApiHost, ObjectsMayEndBeforeTheHostSubmitsTheirCommands) {
    DeviceRef ref = host.ref();
    ref.patience = 0.0;  // nothing can wait for these commands
    const Device borrowed(ref);
    const Simulation kept(borrowed, smallScene());
    host.submit([&](VkCommandBuffer commands, std::uint64_t value) {
        Simulation simulation(borrowed, smallScene(), {.timing = Timing::Passes});  // the commands use a query pool
        Renderer renderer(simulation, {.width = 48, .height = 64});
        simulation.record(commandsOf(commands, value));
        renderer.record(commandsOf(commands, value));
    });
    host.wait();
}

// The buffers of a picture, copied by commands of the host after it.
TEST_F(ApiHost, CopiesThePictureAsItIsShown) {
    const Device borrowed(host.ref());
    Simulation simulation(borrowed, smallScene());
    Renderer renderer(simulation, {.width = 48, .height = 64});
    HostBuffer words(host, 48 * 64 * 4), range(host, 4 * sizeof(float));
    const auto draw = [&] {
        host.submit([&](VkCommandBuffer commands, std::uint64_t value) {
            simulation.record(commandsOf(commands, value));
            renderer.record(commandsOf(commands, value));
            const Picture picture = renderer.picture();
            words.copy(commands, picture.display);
            if (picture.range) range.copy(commands, picture.range);
        });
        host.wait();
    };
    for (int n = 0; n < 5; ++n) draw();
    EXPECT_EQ(renderer.picture().range, nullptr) << "smoke has no range";
    EXPECT_EQ(words.read<std::uint8_t>(), renderer.read().rgba);
    simulation.set("view.field", "speed");
    // Another renderer then takes the place of this one, while commands that the host submits later wait.
    const auto began = std::chrono::steady_clock::now();
    draw();
    EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::duration<double>(host.ref().patience)) << "it waited for them";
    ASSERT_NE(renderer.picture().range, nullptr);
    EXPECT_EQ(words.read<std::uint8_t>(), renderer.read().rgba);
    std::array<float, 4> fetched{};
    renderer.fetch(PictureContent::Display, [&](const FetchedPicture& picture) { fetched = picture.range; });
    renderer.flush();
    EXPECT_EQ(range.read<float>(), (std::vector<float>(fetched.begin(), fetched.end())));
    EXPECT_GT(fetched[3], 0.1f) << "the largest speed";
}

}  // namespace
}  // namespace wisp::test
