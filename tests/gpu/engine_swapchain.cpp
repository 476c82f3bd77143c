// SPDX-License-Identifier: MIT
// What a window system may do to a window's images, injected where it would say so: volk's functions are variables.
#include "engine/swapchain.h"
#include "tests/support/gpu_test.h"
#include "tests/support/virtual_display.h"

#include <volk.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace wisp::test {
namespace {

/// A Vulkan function is another one while this lives.
template <class Function>
class Replaced {
public:
    Replaced(Function& function, std::type_identity_t<Function> other) : function_(function), real_(std::exchange(function, other)) {}
    ~Replaced() { function_ = real_; }
    Replaced(const Replaced&) = delete;
    Replaced& operator=(const Replaced&) = delete;
    [[nodiscard]] Function real() const { return real_; }

private:
    Function& function_;
    Function real_;
};

/// What the replaced functions answer next, and what they have counted. They can capture nothing.
struct World {
    std::vector<VkResult> acquire, present, create;  // the first goes first; when there is none, the truth
    std::optional<VkExtent2D> extent;
    bool surfaceLost = false;
    std::optional<VkPresentModeKHR> onlyMode;
    int semaphores = 0, swapchains = 0, surfaces = 0;
    std::map<std::pair<VkObjectType, std::uint64_t>, std::string> names;  // empty, until one is given
    PFN_vkAcquireNextImageKHR realAcquire = vkAcquireNextImageKHR;
    PFN_vkQueuePresentKHR realPresent = vkQueuePresentKHR;
    PFN_vkCreateSwapchainKHR realCreate = vkCreateSwapchainKHR;
    PFN_vkDestroySwapchainKHR realDestroy = vkDestroySwapchainKHR;
    PFN_vkGetPhysicalDeviceSurfaceCapabilitiesKHR realCapabilities = vkGetPhysicalDeviceSurfaceCapabilitiesKHR;
    PFN_vkGetPhysicalDeviceSurfacePresentModesKHR realModes = vkGetPhysicalDeviceSurfacePresentModesKHR;
    PFN_vkCreateSemaphore realSemaphore = vkCreateSemaphore;
    PFN_vkDestroySemaphore realDestroySemaphore = vkDestroySemaphore;
    PFN_vkGetSwapchainImagesKHR realImages = vkGetSwapchainImagesKHR;
    PFN_vkSetDebugUtilsObjectNameEXT realName = vkSetDebugUtilsObjectNameEXT;
    PFN_vkDestroySurfaceKHR realDestroySurface = vkDestroySurfaceKHR;

    template <class Handle>
    void note(VkObjectType type, Handle handle) {
        names[{type, reinterpret_cast<std::uint64_t>(handle)}].clear();
    }
};
World* world = nullptr;

std::optional<VkResult> next(std::vector<VkResult>& results) {
    if (results.empty()) return std::nullopt;
    const VkResult result = results.front();
    results.erase(results.begin());
    return result;
}

VkResult acquireImage(VkDevice d, VkSwapchainKHR s, std::uint64_t timeout, VkSemaphore semaphore, VkFence fence, std::uint32_t* index) {
    const std::optional<VkResult> wanted = next(world->acquire);
    if (wanted && *wanted != VK_SUBOPTIMAL_KHR) return *wanted;  // no image, the semaphore is left alone
    const VkResult result = world->realAcquire(d, s, timeout, semaphore, fence, index);
    return result == VK_SUCCESS && wanted ? *wanted : result;
}

VkResult presentImage(VkQueue queue, const VkPresentInfoKHR* info) {
    const VkResult result = world->realPresent(queue, info);  // the semaphores are waited for whatever it returns
    return next(world->present).value_or(result);
}

VkResult createSwapchain(VkDevice d, const VkSwapchainCreateInfoKHR* info, const VkAllocationCallbacks* a, VkSwapchainKHR* s) {
    if (const std::optional<VkResult> wanted = next(world->create)) return *wanted;
    const VkResult result = world->realCreate(d, info, a, s);
    world->swapchains += result == VK_SUCCESS;
    if (result == VK_SUCCESS) world->note(VK_OBJECT_TYPE_SWAPCHAIN_KHR, *s);
    return result;
}

void destroySwapchain(VkDevice d, VkSwapchainKHR s, const VkAllocationCallbacks* a) {
    world->realDestroy(d, s, a);
    --world->swapchains;
}

VkResult capabilities(VkPhysicalDevice p, VkSurfaceKHR s, VkSurfaceCapabilitiesKHR* can) {
    if (world->surfaceLost) return VK_ERROR_SURFACE_LOST_KHR;
    const VkResult result = world->realCapabilities(p, s, can);
    if (world->extent) {
        can->currentExtent = *world->extent;
        can->minImageExtent = can->maxImageExtent = *world->extent;  // a minimised window on Windows has these
    }
    return result;
}

VkResult presentModes(VkPhysicalDevice p, VkSurfaceKHR s, std::uint32_t* count, VkPresentModeKHR* modes) {
    if (!world->onlyMode) return world->realModes(p, s, count, modes);
    *count = 1;
    if (modes) *modes = *world->onlyMode;
    return VK_SUCCESS;
}

VkResult createSemaphore(VkDevice d, const VkSemaphoreCreateInfo* info, const VkAllocationCallbacks* a, VkSemaphore* s) {
    ++world->semaphores;
    const VkResult result = world->realSemaphore(d, info, a, s);
    world->note(VK_OBJECT_TYPE_SEMAPHORE, *s);
    return result;
}

VkResult swapchainImages(VkDevice d, VkSwapchainKHR s, std::uint32_t* count, VkImage* images) {
    const VkResult result = world->realImages(d, s, count, images);
    for (std::uint32_t n = 0; images && n < *count; ++n) world->note(VK_OBJECT_TYPE_IMAGE, images[n]);
    return result;
}

VkResult setName(VkDevice d, const VkDebugUtilsObjectNameInfoEXT* info) {
    world->names[{info->objectType, info->objectHandle}] = info->pObjectName;
    return world->realName(d, info);
}

void destroySemaphore(VkDevice d, VkSemaphore s, const VkAllocationCallbacks* a) {
    world->realDestroySemaphore(d, s, a);
    --world->semaphores;
}

void destroySurface(VkInstance i, VkSurfaceKHR s, const VkAllocationCallbacks* a) {
    world->realDestroySurface(i, s, a);
    --world->surfaces;
}

/// Made once there is a device, because that sets the functions.
struct Hooks {
    World world;
    Replaced<PFN_vkAcquireNextImageKHR> acquire_{vkAcquireNextImageKHR, acquireImage};
    Replaced<PFN_vkQueuePresentKHR> present_{vkQueuePresentKHR, presentImage};
    Replaced<PFN_vkCreateSwapchainKHR> create_{vkCreateSwapchainKHR, createSwapchain};
    Replaced<PFN_vkDestroySwapchainKHR> destroy_{vkDestroySwapchainKHR, destroySwapchain};
    Replaced<PFN_vkGetPhysicalDeviceSurfaceCapabilitiesKHR> capabilities_{vkGetPhysicalDeviceSurfaceCapabilitiesKHR, capabilities};
    Replaced<PFN_vkGetPhysicalDeviceSurfacePresentModesKHR> modes_{vkGetPhysicalDeviceSurfacePresentModesKHR, presentModes};
    Replaced<PFN_vkCreateSemaphore> semaphore_{vkCreateSemaphore, createSemaphore};
    Replaced<PFN_vkGetSwapchainImagesKHR> images_{vkGetSwapchainImagesKHR, swapchainImages};
    Replaced<PFN_vkSetDebugUtilsObjectNameEXT> name_{vkSetDebugUtilsObjectNameEXT, setName};
    Replaced<PFN_vkDestroySemaphore> destroySemaphore_{vkDestroySemaphore, destroySemaphore};
    Replaced<PFN_vkDestroySurfaceKHR> destroySurface_{vkDestroySurfaceKHR, destroySurface};
};

class EngineSwapchain : public GpuTest {
protected:
    /// One display for all tests: drivers keep what they know about a connection to it.
    static void SetUpTestSuite() {
        display_.emplace();
        if (!*display_ || !glfwInit()) return;
        glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
        window_ = glfwCreateWindow(320, 200, "test", nullptr, nullptr);
    }
    static void TearDownTestSuite() {
        glfwTerminate();
        display_.reset();
    }
    void SetUp() override {
        GpuTest::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        ASSERT_NE(window_, nullptr) << "needs Xvfb";
        hooks_.emplace();
        world = &hooks_->world;
        shaders_ = library(testShaders());
        words_ = buffer("words", 640 * 480 * 4);
        recorder_.emplace(device(), *shaders_);
        atFirst_ = world->semaphores;
        swapchain_.emplace(device(), [](VkInstance instance) {
            VkSurfaceKHR surface = VK_NULL_HANDLE;
            engine::check(glfwCreateWindowSurface(instance, window_, nullptr, &surface), "glfwCreateWindowSurface");
            ++world->surfaces;
            return surface;
        });
    }
    void TearDown() override {
        if (recorder_) recorder_->finish();
        swapchain_.reset();
        if (!world) return GpuTest::TearDown();
        EXPECT_EQ(world->swapchains, 0);
        EXPECT_EQ(world->surfaces, 0);
        EXPECT_EQ(world->semaphores, atFirst_);
        recorder_.reset();
        words_ = {};
        shaders_.reset();
        hooks_.reset();
        world = nullptr;
        GpuTest::TearDown();
    }
    /// As a window does it; returns whether there was something to draw on.
    bool frame() {
        glfwPollEvents();
        recorder_->begin();
        const bool acquired = swapchain_->acquire(size_);
        if (acquired) {
            recorder_->clear(words_, 0xff102030u);
            recorder_->present(words_, *swapchain_);
        }
        recorder_->submit();
        swapchain_->present();
        EXPECT_LE(world->swapchains, 1);
        EXPECT_EQ(world->surfaces, 1);
        EXPECT_LE(world->semaphores, atFirst_ + 3 + 8);  // of frames; of images
        return acquired;
    }
    /// Pictures come as if nothing had been.
    void expectWell(int frames = 6) {
        const std::uint64_t made = swapchain_->counters.made, presented = swapchain_->counters.presented;
        for (int n = 0; n < frames; ++n) EXPECT_TRUE(frame()) << n;
        EXPECT_EQ(swapchain_->counters.made, made);
        EXPECT_EQ(swapchain_->counters.presented, presented + static_cast<std::uint64_t>(frames));
        EXPECT_EQ(swapchain_->size(), size_);
    }

    /// The same after something that needed so many new swapchains and surfaces.
    template <class Fault>
    void expectWellAfter(std::uint64_t made, std::uint64_t surfaces, Fault fault) {
        EXPECT_TRUE(frame());
        const engine::Swapchain::Counters before = swapchain_->counters;
        fault();
        expectWell();
        EXPECT_EQ(swapchain_->counters.made, before.made + made);
        EXPECT_EQ(swapchain_->counters.surfaces, before.surfaces + surfaces);
    }

    std::optional<Hooks> hooks_;
    inline static std::optional<VirtualDisplay> display_;
    inline static GLFWwindow* window_ = nullptr;
    int atFirst_ = 0;  // semaphores
    glm::uvec2 size_{320, 200};
    std::unique_ptr<engine::ShaderLibrary> shaders_;
    engine::Buffer words_;
    std::optional<engine::Recorder> recorder_;
    std::optional<engine::Swapchain> swapchain_;
};

TEST_F(EngineSwapchain, WhatItMakesHasNames) {
    ASSERT_TRUE(frame());
    std::map<VkObjectType, std::set<std::string>> names;
    for (const auto& [object, name] : world->names) names[object.first].insert(name);
    EXPECT_EQ(names[VK_OBJECT_TYPE_SEMAPHORE], (std::set<std::string>{"image available", "image rendered"}));
    EXPECT_EQ(names[VK_OBJECT_TYPE_SWAPCHAIN_KHR], std::set<std::string>{"window"});
    EXPECT_EQ(names[VK_OBJECT_TYPE_IMAGE], std::set<std::string>{"window"});
}

TEST_F(EngineSwapchain, ShowsPictures) {
    EXPECT_TRUE(frame());
    EXPECT_EQ(swapchain_->counters.made, 1u);
    expectWell(20);
}

TEST_F(EngineSwapchain, OutOfDateAtAcquireIsMadeAgainAtOnce) {
    expectWellAfter(1, 0, [&] {
        world->acquire = {VK_ERROR_OUT_OF_DATE_KHR};
        EXPECT_TRUE(frame());
    });
    // Twice in a row there is no picture this time, but in the next.
    expectWellAfter(2, 0, [&] {
        world->acquire = {VK_ERROR_OUT_OF_DATE_KHR, VK_ERROR_OUT_OF_DATE_KHR};
        EXPECT_FALSE(frame());
        EXPECT_TRUE(frame());
    });
}

TEST_F(EngineSwapchain, WithoutAnImageInTimeThereIsNoPicture) {
    expectWellAfter(0, 0, [&] {
        world->acquire = {VK_TIMEOUT, VK_NOT_READY, VK_TIMEOUT, VK_TIMEOUT, VK_TIMEOUT};
        for (int n = 0; n < 5; ++n) EXPECT_FALSE(frame());
    });
}

TEST_F(EngineSwapchain, SuboptimalIsShownAndThenMadeAgain) {
    expectWellAfter(1, 0, [&] {
        world->acquire = {VK_SUBOPTIMAL_KHR};
        EXPECT_TRUE(frame());
        EXPECT_TRUE(frame());
    });
    expectWellAfter(1, 0, [&] {
        world->present = {VK_SUBOPTIMAL_KHR};
        EXPECT_TRUE(frame());
        EXPECT_TRUE(frame());
    });
}

TEST_F(EngineSwapchain, OutOfDateAtPresentIsMadeAgain) {
    const std::uint64_t presented = swapchain_->counters.presented;
    expectWellAfter(1, 0, [&] {
        world->present = {VK_ERROR_OUT_OF_DATE_KHR};
        EXPECT_TRUE(frame());
        EXPECT_EQ(swapchain_->counters.presented, presented + 1) << "only the one before the fault";
        EXPECT_TRUE(frame());
    });
}

TEST_F(EngineSwapchain, ALostSurfaceIsMadeAgainWhoeverFindsOut) {
    expectWellAfter(1, 1, [&] {
        world->acquire = {VK_ERROR_SURFACE_LOST_KHR};
        EXPECT_TRUE(frame());
    });
    expectWellAfter(1, 1, [&] {
        world->present = {VK_ERROR_SURFACE_LOST_KHR};
        EXPECT_TRUE(frame());
        EXPECT_TRUE(frame());
    });
    expectWellAfter(2, 1, [&] {
        world->acquire = {VK_ERROR_OUT_OF_DATE_KHR};
        world->create = {VK_ERROR_SURFACE_LOST_KHR};
        EXPECT_FALSE(frame());
        EXPECT_TRUE(frame());
        world->acquire = {VK_ERROR_OUT_OF_DATE_KHR};  // and the new one works as well
        EXPECT_TRUE(frame());
    });
    expectWellAfter(1, 3, [&] {
        world->acquire = {VK_ERROR_OUT_OF_DATE_KHR};
        world->surfaceLost = true;
        for (int n = 0; n < 3; ++n) EXPECT_FALSE(frame());
        world->surfaceLost = false;
        EXPECT_TRUE(frame());
    });
}

TEST_F(EngineSwapchain, OutOfDateWhileItIsMadeComesRight) {
    expectWellAfter(1, 0, [&] {
        world->acquire = {VK_ERROR_OUT_OF_DATE_KHR};
        world->create = {VK_ERROR_OUT_OF_DATE_KHR, VK_ERROR_OUT_OF_DATE_KHR};
        EXPECT_FALSE(frame());
        EXPECT_FALSE(frame());
        EXPECT_TRUE(frame());
    });
}

TEST_F(EngineSwapchain, AWindowWithoutAreaHasNoPicture) {
    expectWellAfter(1, 0, [&] {
        world->acquire = {VK_ERROR_OUT_OF_DATE_KHR};
        world->extent = VkExtent2D{0, 0};
        for (int n = 0; n < 4; ++n) EXPECT_FALSE(frame());
        world->extent.reset();
        EXPECT_TRUE(frame());
    });
    expectWellAfter(0, 0, [&] {
        const glm::uvec2 before = std::exchange(size_, {0, 0});
        for (int n = 0; n < 4; ++n) EXPECT_FALSE(frame());
        size_ = before;
    });
}

TEST_F(EngineSwapchain, FollowsTheWindow) {
    for (const glm::ivec2 size : {glm::ivec2(200, 330), glm::ivec2(333, 100), glm::ivec2(320, 200)}) {
        glfwSetWindowSize(window_, size.x, size.y);
        for (int n = 0; n < 500 && swapchain_->size() != glm::uvec2(size); ++n) {
            glfwPollEvents();
            int width = 0, height = 0;
            glfwGetFramebufferSize(window_, &width, &height);
            size_ = {width, height};
            frame();
        }
        expectWell();
    }
}

TEST_F(EngineSwapchain, EveryPresentModeAndTheSwitchBetween) {
    VkSurfaceKHR surface = VK_NULL_HANDLE;
    engine::check(glfwCreateWindowSurface(device().instance(), window_, nullptr, &surface), "glfwCreateWindowSurface");
    std::uint32_t count = 8;
    VkPresentModeKHR offered[8];
    engine::check(world->realModes(device().physical(), surface, &count, offered), "vkGetPhysicalDeviceSurfacePresentModesKHR");
    vkDestroySurfaceKHR(device().instance(), surface, nullptr);
    ++world->surfaces;  // not one of the swapchain's
    EXPECT_TRUE(frame());
    EXPECT_EQ(swapchain_->presentMode(), VK_PRESENT_MODE_FIFO_KHR);
    for (std::uint32_t n = 0; n < count; ++n) {
        world->onlyMode = offered[n];
        const bool quick = offered[n] == VK_PRESENT_MODE_MAILBOX_KHR || offered[n] == VK_PRESENT_MODE_IMMEDIATE_KHR;
        expectWellAfter(1, 0, [&] {
            swapchain_->setVsync(false);
            EXPECT_TRUE(frame());
            EXPECT_EQ(swapchain_->presentMode(), quick ? offered[n] : VK_PRESENT_MODE_FIFO_KHR);
        });
        expectWellAfter(1, 0, [&] {
            swapchain_->setVsync(true);
            EXPECT_TRUE(frame());
            EXPECT_EQ(swapchain_->presentMode(), VK_PRESENT_MODE_FIFO_KHR);
            swapchain_->setVsync(true);  // as it is
        });
    }
}

}  // namespace
}  // namespace wisp::test
